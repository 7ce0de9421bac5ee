import type { Message } from '#contract/chats.ts'
import { findPrice } from '#contract/find-price.ts'
import type { ModelPrice } from '#contract/model-prices.ts'
import { tokensOf } from './message-text.ts'
import { formatLocale } from '../../../lib/i18n.ts'

type Usage = Message['usage']

export interface Cost {
  readonly amount: number
  readonly currency: string
}

/** Usage of an answer; unknown values are null. */
export interface AnswerUsage {
  readonly model: string
  readonly input: number | null
  readonly output: number | null
  readonly reasoningSeconds: number | null
  readonly seconds: number | null
  readonly cost: Cost | null
}

const INPUT_NAMES = ['input_tokens', 'prompt_tokens', 'prompt_eval_count'] as const

function inputOf(usage: Usage): number | null {
  const found = INPUT_NAMES.map((name) => usage?.[name]).find(
    (value) => typeof value === 'number' && value > 0,
  )
  return (found as number | undefined) ?? null
}

const toNumber = (value: unknown): number | null =>
  typeof value === 'number' && value > 0 ? value : null

/** Returns the usage of a message's answer, with its cost if the model's price is known. */
export function readUsage(message: Message, prices: readonly ModelPrice[] | null): AnswerUsage {
  const chosen =
    typeof message.selectedModelId === 'string' ? message.selectedModelId : message.model
  const [input, output] = [inputOf(message.usage), tokensOf(message.usage)]
  const price = prices && chosen ? findPrice(prices, chosen) : null
  const isCounted = input !== null || output !== null
  return {
    model: message.modelName || message.model || '',
    input,
    output,
    reasoningSeconds: toNumber(message.reasoning_seconds),
    seconds: toNumber(message.answer_seconds),
    cost:
      price && isCounted
        ? {
            amount: ((input ?? 0) * price.input + (output ?? 0) * price.output) / 1e6,
            currency: price.currency,
          }
        : null,
  }
}

/** One row of the totals of a chat. */
export interface ModelTotal {
  readonly model: string
  readonly answers: number
  readonly input: number
  readonly output: number
  readonly seconds: number
  /** Costs by currency, since prices may be in several. */
  readonly costs: ReadonlyMap<string, number>
}

function addUp(rows: readonly AnswerUsage[], model: string): ModelTotal {
  const costs = new Map<string, number>()
  for (const { cost } of rows)
    if (cost) costs.set(cost.currency, (costs.get(cost.currency) ?? 0) + cost.amount)
  const sum = (read: (row: AnswerUsage) => number | null): number =>
    rows.reduce((total, row) => total + (read(row) ?? 0), 0)
  return {
    model,
    answers: rows.length,
    input: sum((row) => row.input),
    output: sum((row) => row.output),
    seconds: sum((row) => row.seconds),
    costs,
  }
}

/** Returns the usage of all answers of a chat, on every branch: a row per model, and the total. */
export function countTotals(
  messages: readonly Message[],
  prices: readonly ModelPrice[] | null,
): { readonly models: readonly ModelTotal[]; readonly total: ModelTotal } {
  const rows = messages
    .filter(({ role }) => role === 'assistant')
    .map((message) => readUsage(message, prices))
  const byModel = Map.groupBy(rows, (row) => row.model)
  return { models: [...byModel].map(([model, own]) => addUp(own, model)), total: addUp(rows, '') }
}

/** Formats an amount of money for a locale; small ones with enough digits to distinguish them. */
export function toMoney({ amount, currency }: Cost, locale: string): string {
  const digits =
    amount > 0 && amount < 0.1
      ? { maximumSignificantDigits: 2 }
      : { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  return new Intl.NumberFormat(formatLocale(locale), {
    style: 'currency',
    currency,
    ...digits,
  }).format(amount)
}
