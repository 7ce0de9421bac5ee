import { describe, expect, it } from 'vitest'
import { emptyLine, priceFor, toPriceLines, toPrices } from './price-table.ts'

const price = (model: string, input = 1) => ({ model, input, output: 2, currency: 'EUR' })

describe('the price table', () => {
  it('is sent as it was read, without lines nobody filled', () => {
    const lines = [...toPriceLines([price('text', 2.5)]), emptyLine(7)]
    expect(toPrices(lines)).toEqual([price('text', 2.5)])
  })

  it('takes decimal commas and small letters of a currency', () => {
    expect(
      toPrices([{ key: 0, model: ' a ', input: '2,50', output: '10', currency: 'eur' }]),
    ).toEqual([{ model: 'a', input: 2.5, output: 10, currency: 'EUR' }])
  })

  it('finds the first line that fits, where a star stands for anything and a dot for itself', () => {
    const prices = [price('north/large', 3), price('north/*', 2), price('gpt-4.1', 1)]
    expect(priceFor(prices, 'north/large')?.input).toBe(3)
    expect(priceFor(prices, 'north/small')?.input).toBe(2)
    expect(priceFor(prices, 'gpt-4x1')).toBeNull()
  })
})
