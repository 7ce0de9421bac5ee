import type { ModelPrice } from '#contract/model-prices.ts'

/** A row of the price table being edited. */
export interface PriceLine {
  /** Identifies rows while they are edited. */
  readonly key: number
  readonly model: string
  readonly input: string
  readonly output: string
  readonly currency: string
}

export const emptyLine = (key: number, currency = 'USD'): PriceLine => ({
  key,
  model: '',
  input: '',
  output: '',
  currency,
})

export const toPriceLines = (prices: readonly ModelPrice[]): readonly PriceLine[] =>
  prices.map(({ model, input, output, currency }, key) => ({
    key,
    model,
    input: String(input),
    output: String(output),
    currency,
  }))

const isBlank = ({ model, input, output }: PriceLine): boolean =>
  `${model}${input}${output}`.trim() === ''

/** Returns the prices to send; empty rows are left out. */
export const toPrices = (lines: readonly PriceLine[]): ModelPrice[] =>
  lines
    .filter((line) => !isBlank(line))
    .map(({ model, input, output, currency }) => ({
      model: model.trim(),
      input: Number(input.replace(',', '.')),
      output: Number(output.replace(',', '.')),
      currency: currency.trim().toUpperCase(),
    }))

/** Returns the first row whose pattern matches a model id, where `*` matches any text. */
export function priceFor(prices: readonly ModelPrice[], id: string): ModelPrice | null {
  const fits = (pattern: string): boolean => {
    const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    return new RegExp(`^${parts.join('.*')}$`, 's').test(id)
  }
  return prices.find(({ model }) => fits(model)) ?? null
}
