import type { AnalyticsCost, AnalyticsRange } from '#contract/analytics.ts'
import { toCsvLine } from '../lib/text/csv.ts'
import type { Analytics } from './analytics.ts'

const MOST_PEOPLE = 500
const FIGURES = ['answers', 'input_tokens', 'output_tokens', 'total_tokens', 'cost'] as const

export type TableName = 'days' | 'models' | 'people'

interface Usage {
  readonly input_tokens: number
  readonly output_tokens: number
  readonly total_tokens: number
  readonly costs: readonly AnalyticsCost[]
}

const toFigures = (count: number, usage: Usage): (string | number)[] => [
  count,
  usage.input_tokens,
  usage.output_tokens,
  usage.total_tokens,
  usage.costs.map(({ amount, currency }) => `${amount.toFixed(4)} ${currency}`).join('; '),
]

async function readRows(
  analytics: Analytics,
  table: TableName,
  range: AnalyticsRange,
): Promise<(string | number)[][]> {
  if (table === 'people')
    return (await analytics.people(range, MOST_PEOPLE)).map((person) => [
      person.name,
      person.email,
      ...toFigures(person.count, person),
    ])
  if (table === 'models')
    return (await analytics.models(range)).models.map((model) => [
      model.model_id,
      ...toFigures(model.message_count, model),
    ])
  return (await analytics.days(range, 'daily')).map((day) => [
    day.date,
    ...toFigures(
      Object.values(day.models).reduce((sum, count) => sum + count, 0),
      day,
    ),
  ])
}

const HEADS = { days: ['date'], models: ['model'], people: ['name', 'email'] } as const

/** Writes one of the tables of the page in a format for spreadsheets. */
export async function writeTable(
  analytics: Analytics,
  table: TableName,
  range: AnalyticsRange,
): Promise<string> {
  const rows = await readRows(analytics, table, range)
  return [[...HEADS[table], ...FIGURES], ...rows].map(toCsvLine).join('')
}
