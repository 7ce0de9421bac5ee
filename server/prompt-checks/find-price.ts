import type { ModelPrice } from '#contract/model-prices.ts'
import type { CheckResult } from '#contract/prompt-checks.ts'

/** Reports whether an id matches a pattern in which `*` stands for any text. */
function matches(pattern: string, id: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return pattern === id
  if (!id.startsWith(first) || !id.endsWith(last) || id.length < first.length + last.length)
    return false
  let at = first.length
  for (const part of rest) {
    const found = id.indexOf(part, at)
    if (found < 0 || found + part.length > id.length - last.length) return false
    at = found + part.length
  }
  return true
}

/** Returns the cost of tokens by the first matching row; null if there is none. */
export function costOf(
  prices: readonly ModelPrice[],
  model: string,
  { input, output }: CheckResult['usage'],
): CheckResult['cost'] {
  const price = prices.find((row) => matches(row.model, model))
  if (!price || (input === null && output === null)) return null
  const amount = ((input ?? 0) * price.input + (output ?? 0) * price.output) / 1e6
  return { amount, currency: price.currency }
}
