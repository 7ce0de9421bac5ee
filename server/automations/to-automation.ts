import type { Automation, AutomationData, AutomationRun } from '#contract/automations.ts'
import { Schedule } from '../lib/recurrence/schedule.ts'
import type { AutomationRow, RunRow } from './store.ts'

const NANOSECONDS = 1_000_000

/** Times in the API are in nanoseconds. */
export const toNanoseconds = (milliseconds: number): number => milliseconds * NANOSECONDS

const toNanosecondsOrNull = (milliseconds: number | null): number | null =>
  milliseconds === null ? null : toNanoseconds(milliseconds)

export const readData = ({ data }: Pick<AutomationRow, 'data'>): AutomationData =>
  JSON.parse(data) as AutomationData

/** Returns the schedule of an automation; null if it only runs when called. */
export async function readSchedule(
  row: Pick<AutomationRow, 'data' | 'created_at'>,
): Promise<Schedule | null> {
  const { rrule, timezone } = readData(row)
  if (rrule === null || rrule === undefined) return null
  return Schedule.read(rrule, { timezone: timezone ?? null, anchor: row.created_at })
}

/** Names each field, because rows also hold internal columns that differ between the databases. */
export const toRun = (row: RunRow): AutomationRun => ({
  id: row.id,
  automation_id: row.automation_id,
  chat_id: row.chat_id,
  status: row.status,
  cause: row.cause,
  error: row.error,
  planned_at: toNanosecondsOrNull(row.planned_at),
  created_at: toNanoseconds(row.created_at),
  ended_at: toNanosecondsOrNull(row.ended_at),
})

export function toAutomation(
  row: AutomationRow,
  { lastRun, nextRuns }: { lastRun: RunRow | null; nextRuns: readonly number[] | null },
): Automation {
  const { token_hash: token, token_used_at: usedAt, meta, ...rest } = row
  return {
    ...rest,
    data: readData(row),
    meta: meta === null ? null : (JSON.parse(meta) as Record<string, unknown>),
    is_active: row.is_active === 1,
    last_run_at: toNanosecondsOrNull(row.last_run_at),
    next_run_at: toNanosecondsOrNull(row.next_run_at),
    created_at: toNanoseconds(row.created_at),
    updated_at: toNanoseconds(row.updated_at),
    last_run: lastRun && toRun(lastRun),
    next_runs: nextRuns && nextRuns.map(toNanoseconds),
    webhook: token === null ? null : { last_used_at: toNanosecondsOrNull(usedAt) },
  }
}
