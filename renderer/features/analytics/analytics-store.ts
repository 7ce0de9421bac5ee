import { createStore, type StoreApi } from 'zustand/vanilla'
import type {
  AnalyticsCost,
  AnalyticsRange,
  AnalyticsSummary,
  DayUsage,
  ModelUsage,
  PersonUsage,
} from '#contract/analytics.ts'
import { isAborted, toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'

export const RANGES = ['day', 'week', 'month', 'quarter', 'year'] as const
export type RangeName = (typeof RANGES)[number]

const DAYS: Record<Exclude<RangeName, 'day'>, number> = {
  week: 7,
  month: 30,
  quarter: 90,
  year: 365,
}
const DAY_SECONDS = 86_400
/** Maximum number of users listed. */
export const MOST_PEOPLE = 50

export interface Figures {
  readonly summary: AnalyticsSummary
  readonly times: readonly DayUsage[]
  readonly models: readonly ModelUsage[]
  readonly people: readonly PersonUsage[]
  readonly tokens: number
  readonly costs: readonly AnalyticsCost[]
}

interface GroupName {
  readonly id: string
  readonly name: string
}

export interface AnalyticsState {
  readonly range: RangeName
  /** Group filter; empty for all users. */
  readonly groupId: string
  readonly groups: readonly GroupName[]
  /** Null until first loaded. */
  readonly figures: Figures | null
  readonly status: 'loading' | 'ready' | 'failed'
  readonly problem: string | null
}

export type AnalyticsStore = StoreApi<AnalyticsState>

export const createAnalyticsStore = (): AnalyticsStore =>
  createStore<AnalyticsState>(() => ({
    range: 'month',
    groupId: '',
    groups: [],
    figures: null,
    status: 'loading',
    problem: null,
  }))

/** Returns the time span of a choice: whole days up to now, or the last 24 hours. */
export function toSpan({
  range,
  groupId,
}: Pick<AnalyticsState, 'range' | 'groupId'>): AnalyticsRange {
  const now = new Date()
  const end_date = Math.floor(now.getTime() / 1000)
  const group = groupId === '' ? {} : { group_id: groupId }
  if (range === 'day') return { start_date: end_date - DAY_SECONDS, end_date, ...group }
  const begin = new Date(now)
  begin.setHours(0, 0, 0, 0)
  begin.setDate(begin.getDate() - DAYS[range] + 1)
  return { start_date: Math.floor(begin.getTime() / 1000), end_date, ...group }
}

/** Loads the figures of the chosen span; the previous ones remain until then. */
export async function loadAnalytics(store: AnalyticsStore, signal: AbortSignal): Promise<void> {
  store.setState({ status: 'loading' })
  const state = store.getState()
  const query = toSpan(state)
  const granularity = state.range === 'day' ? 'hourly' : 'daily'
  try {
    const [summary, { data }, tokens, { users }, groups] = await Promise.all([
      call(endpoints.analytics.summary, { query }, { signal }),
      call(endpoints.analytics.daily, { query: { ...query, granularity } }, { signal }),
      call(endpoints.analytics.tokens, { query }, { signal }),
      call(endpoints.analytics.users, { query: { ...query, limit: MOST_PEOPLE } }, { signal }),
      call(endpoints.groups.list, {}, { signal }),
    ])
    const { models, total_tokens, costs } = tokens
    const figures = { summary, times: data, models, people: users, tokens: total_tokens, costs }
    store.setState({ figures, groups, status: 'ready', problem: null })
  } catch (thrown) {
    if (isAborted(thrown)) return
    store.setState({ problem: toSentence(thrown), status: 'failed' })
  }
}

export async function switchAnalytics(isOn: boolean): Promise<void> {
  await call(endpoints.settings.update, { body: { values: { ENABLE_ADMIN_ANALYTICS: isOn } } })
}
