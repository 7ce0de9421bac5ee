import type { ModelPrice } from '#contract/model-prices.ts'
import type { CheckResult } from '#contract/prompt-checks.ts'

/** Whether an id fits a pattern in which `*` stands for anything. */
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

/** What tokens cost by the first row that fits; null without one. */
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
