import type {
  AnalyticsCost,
  AnalyticsRange,
  DayUsage,
  ModelUsage,
  PersonUsage,
} from '#contract/analytics.ts'
import { findPrice } from '#contract/find-price.ts'
import type { ModelPrice } from '#contract/model-prices.ts'
import { badRequest } from '../lib/errors.ts'
import type { AnalyticsStore, Granularity, Tally } from './store.ts'

const SECOND = 1000
const MOST_ROWS = 10_000
const MOST_TAGS = 100

/** Sums the tallies of answers and their cost. */
function addUp(tallies: readonly Tally[], prices: readonly ModelPrice[]) {
  const amounts = new Map<string, number>()
  let [input, output] = [0, 0]
  for (const tally of tallies) {
    input += tally.input
    output += tally.output
    const price = findPrice(prices, tally.model)
    if (!price) continue
    const amount = (tally.input * price.input + tally.output * price.output) / 1e6
    amounts.set(price.currency, (amounts.get(price.currency) ?? 0) + amount)
  }
  const costs: AnalyticsCost[] = [...amounts].map(([currency, amount]) => ({ currency, amount }))
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    costs: costs.toSorted((one, other) => one.currency.localeCompare(other.currency)),
  }
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

const toDate = (time: Date): string =>
  `${time.getFullYear()}-${twoDigits(time.getMonth() + 1)}-${twoDigits(time.getDate())}`

/** Returns the start of the day or hour that contains `time`. */
function beginningOf(time: Date, granularity: Granularity): Date {
  const begin = new Date(time)
  if (granularity === 'daily') begin.setHours(0, 0, 0, 0)
  else begin.setMinutes(0, 0, 0)
  return begin
}

function nextOf(time: Date, granularity: Granularity): Date {
  if (granularity === 'hourly') return new Date(time.getTime() + 3_600_000)
  const next = new Date(time)
  next.setDate(next.getDate() + 1)
  return next
}

const toLabel = (time: Date, granularity: Granularity): string =>
  granularity === 'daily' ? toDate(time) : `${toDate(time)} ${twoDigits(time.getHours())}:00`

/** Returns every day or hour of a range that has both ends. */
function listTimes({ start_date: start, end_date: end }: AnalyticsRange, granularity: Granularity) {
  if (start === undefined || end === undefined) return []
  const labels: string[] = []
  const last = Math.min(end * SECOND, Date.now())
  for (
    let time = beginningOf(new Date(start * SECOND), granularity);
    time.getTime() <= last;
    time = nextOf(time, granularity)
  ) {
    labels.push(toLabel(time, granularity))
    if (labels.length > MOST_ROWS)
      throw badRequest(`A span may have at most ${MOST_ROWS} days or hours.`)
  }
  return labels
}

/** Usage figures on the answers of stored chats; they contain nothing of the chats' content. */
export class Analytics {
  readonly #store: AnalyticsStore
  readonly #prices: () => readonly ModelPrice[]

  constructor(store: AnalyticsStore, prices: () => readonly ModelPrice[]) {
    this.#store = store
    this.#prices = prices
  }

  /** Sorted by tokens, highest first. */
  async models(range: AnalyticsRange) {
    const tallies = await this.#store.byModel(range)
    const prices = this.#prices()
    const models: ModelUsage[] = tallies.map((tally) => ({
      model_id: tally.model,
      message_count: tally.count,
      ...addUp([tally], prices),
    }))
    const { input_tokens, output_tokens, total_tokens, costs } = addUp(tallies, prices)
    return {
      models: models.toSorted((one, other) => other.total_tokens - one.total_tokens),
      total_input_tokens: input_tokens,
      total_output_tokens: output_tokens,
      total_tokens,
      costs,
    }
  }

  async people(range: AnalyticsRange, limit: number): Promise<PersonUsage[]> {
    const prices = this.#prices()
    const rows = await this.#store.byPerson(range, limit)
    return [...Map.groupBy(rows, ({ user_id }) => user_id)].map(([user_id, tallies]) => ({
      user_id,
      name: tallies[0]!.name,
      email: tallies[0]!.email,
      count: tallies.reduce((sum, { count }) => sum + count, 0),
      ...addUp(tallies, prices),
    }))
  }

  /** Days or hours in order, including those without an answer if the range has both ends. */
  async days(range: AnalyticsRange, granularity: Granularity): Promise<DayUsage[]> {
    const times = listTimes(range, granularity)
    const prices = this.#prices()
    const rows = await this.#store.byTime(range, granularity)
    const byDate = Map.groupBy(rows, ({ date }) => date)
    const dates = new Set([...times, ...byDate.keys()])
    return [...dates].toSorted().map((date) => {
      const tallies = byDate.get(date) ?? []
      const models = Object.fromEntries(tallies.map(({ model, count }) => [model, count]))
      return { date, models, ...addUp(tallies, prices) }
    })
  }

  async overview(model: string, days: number) {
    const first = beginningOf(new Date(), 'daily')
    first.setDate(first.getDate() - days)
    const known = await this.#store.verdicts(model, first.getTime() / SECOND)
    const byDate = new Map(known.map((day) => [day.date, day]))
    const span = { start_date: first.getTime() / SECOND, end_date: Date.now() / SECOND }
    return {
      history: listTimes(span, 'daily').map(
        (date) => byDate.get(date) ?? { date, won: 0, lost: 0 },
      ),
      tags: await this.#store.tags(model, MOST_TAGS),
    }
  }
}
