import { describe, expect, it } from 'vitest'
import { findPrice } from '#contract/find-price.ts'
import { countTotals, readUsage, toMoney } from './count-cost.ts'
import { answer, question } from '../testing-chat.ts'

const price = (model: string, input = 1, output = 2) => ({ model, input, output, currency: 'EUR' })

describe('the price of a model', () => {
  it('is the first row that fits, by id or by a pattern with stars', () => {
    const prices = [price('north-large'), price('north-*'), price('*small*fast')]
    expect(findPrice(prices, 'north-large')?.model).toBe('north-large')
    expect(findPrice(prices, 'north-mini')?.model).toBe('north-*')
    expect(findPrice(prices, 'a-small-and-fast')?.model).toBe('*small*fast')
    expect(findPrice(prices, 'south')).toBeNull()
  })

  it('a star stands for nothing too, and parts of a pattern never overlap', () => {
    expect(findPrice([price('a*')], 'a')).not.toBeNull()
    expect(findPrice([price('ab*ba')], 'aba')).toBeNull()
    expect(findPrice([price('a*b*b')], 'ab')).toBeNull()
  })
})

describe('what an answer took', () => {
  it('is read from either spelling of the token counts, and costs what the table says', () => {
    const message = answer('a', {
      usage: { prompt_tokens: 1_000_000, completion_tokens: 500_000 },
      answer_seconds: 2.5,
    })
    expect(readUsage(message, [price('north')])).toMatchObject({
      input: 1_000_000,
      output: 500_000,
      seconds: 2.5,
      cost: { amount: 2 },
    })
  })

  it('has no cost without a price, without counts and while the table is not there', () => {
    const counted = answer('a', { usage: { input_tokens: 1, output_tokens: 1 } })
    expect(readUsage(counted, []).cost).toBeNull()
    expect(readUsage(counted, null).cost).toBeNull()
    expect(readUsage(answer('a'), [price('north')]).cost).toBeNull()
  })

  it('an arena answer costs what the model it chose costs', () => {
    const message = answer('a', {
      model: 'arena',
      selectedModelId: 'north',
      usage: { output_tokens: 1_000_000 },
    })
    expect(readUsage(message, [price('north')]).cost?.amount).toBe(2)
  })

  it('adds up by model and in all, each currency for itself', () => {
    const messages = [
      question('q'),
      answer('a', { usage: { output_tokens: 1_000_000 } }),
      answer('b', { usage: { output_tokens: 1_000_000 } }),
      answer('c', { model: 'south', modelName: 'South', usage: { output_tokens: 1_000_000 } }),
    ]
    const { models, total } = countTotals(messages, [
      price('north'),
      { ...price('south'), currency: 'USD' },
    ])
    expect(models.map(({ model, answers, output }) => [model, answers, output])).toEqual([
      ['North', 2, 2_000_000],
      ['South', 1, 1_000_000],
    ])
    expect(Object.fromEntries(total.costs)).toEqual({ EUR: 4, USD: 2 })
  })

  it('small amounts keep the digits that tell them apart', () => {
    expect(toMoney({ amount: 0.000123, currency: 'EUR' }, 'en')).toBe('€0.00012')
    expect(toMoney({ amount: 1.5, currency: 'EUR' }, 'en')).toBe('€1.50')
    expect(toMoney({ amount: 0, currency: 'EUR' }, 'en')).toBe('€0.00')
  })
})
