import i18next from 'i18next'
import { findPrice } from '#contract/find-price.ts'
import type { ModelPrice } from '#contract/model-prices.ts'
import type { RequestRecord } from '#contract/requests.ts'
import { toMoney } from '../../features/chat/messages/count-cost.ts'

/** Returns the cost of a call as text; null if its tokens or the model's price are unknown. */
export function costOfCall(
  { model, usage }: RequestRecord,
  prices: readonly ModelPrice[] | null,
): string | null {
  const price = prices && model ? findPrice(prices, model) : null
  if (!price || !usage) return null
  const { prompt_tokens: input, completion_tokens: output } = usage
  const amount = ((input ?? 0) * price.input + (output ?? 0) * price.output) / 1e6
  return toMoney({ amount, currency: price.currency }, i18next.language)
}
