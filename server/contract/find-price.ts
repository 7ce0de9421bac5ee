import type { ModelPrice } from './model-prices.ts'

const matches = (pattern: string, id: string): boolean => {
  const parts = pattern.split('*')
  if (parts.length === 1) return pattern === id
  const [first, last] = [parts[0]!, parts.at(-1)!]
  if (!id.startsWith(first) || !id.endsWith(last) || id.length < first.length + last.length)
    return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = id.indexOf(part, at)
    if (found < 0 || found + part.length > id.length - last.length) return false
    at = found + part.length
  }
  return true
}

/** Returns the first row that matches a model; null for a model without a price. */
export const findPrice = (prices: readonly ModelPrice[], modelId: string): ModelPrice | null =>
  prices.find((price) => matches(price.model, modelId)) ?? null
