import { mapInOrder } from '../lib/in-order.ts'
import type { AutomationRow, AutomationStore, RunRow, RunStore } from './store.ts'
import { readData, readSchedule } from './to-automation.ts'

/** A time at which an automation runs, with the run if it has started. Unix milliseconds. */
export interface AutomationTime {
  readonly automation: {
    readonly id: string
    readonly name: string
    readonly prompt: string
    readonly rrule: string | null
    readonly created_at: number
    readonly updated_at: number
  }
  readonly at: number
  readonly run: Pick<RunRow, 'id' | 'status' | 'chat_id'> | null
}

const MOST_AUTOMATIONS = 10_000
const MOST_RUNS = 2000
/** Automations are read some at a time, because each may be long. */
const ROWS_AT_A_TIME = 50
const MOST_TIMES = 10_000
const MOST_CHARACTERS = 16 * 1024 * 1024

const toShown = (row: AutomationRow): AutomationTime['automation'] => {
  const { prompt, rrule } = readData(row)
  const { id, name, created_at, updated_at } = row
  return { id, name, prompt, rrule: rrule ?? null, created_at, updated_at }
}

/** Returns the automations of a user, newest first, until their texts reach the limit. */
async function listRows(automations: AutomationStore, userId: string): Promise<AutomationRow[]> {
  const rows: AutomationRow[] = []
  let characters = 0
  while (rows.length < MOST_AUTOMATIONS && characters < MOST_CHARACTERS) {
    const found = await automations.list({
      userId,
      words: '',
      isActive: null,
      offset: rows.length,
      limit: ROWS_AT_A_TIME,
    })
    rows.push(...found.rows)
    characters += found.rows.reduce((sum, { data }) => sum + data.length, 0)
    if (found.rows.length < ROWS_AT_A_TIME) break
  }
  return rows
}

/**
 * Returns the runs between two moments and the planned ones according to the schedule; the number
 * per automation is limited.
 */
export async function findTimes(
  { automations, runs }: { readonly automations: AutomationStore; readonly runs: RunStore },
  userId: string,
  { from, to, limit }: { readonly from: number; readonly to: number; readonly limit: number },
): Promise<AutomationTime[]> {
  const rows = await listRows(automations, userId)
  const byId = new Map(rows.map((row) => [row.id, toShown(row)]))
  const past = await runs.between(userId, { from, to, limit: MOST_RUNS })
  const begun = past.flatMap((run): AutomationTime[] => {
    const automation = byId.get(run.automation_id)
    return automation ? [{ automation, at: run.planned_at ?? run.created_at, run }] : []
  })
  const active = rows.filter((row) => row.is_active === 1 && row.next_run_at !== null)
  let count = 0
  const coming = await mapInOrder(active, async (row) => {
    if (count >= MOST_TIMES) return []
    // A run that is due and about to start still counts as planned.
    const start = Math.max(from, row.next_run_at!)
    const schedule = start < to ? await readSchedule(row) : null
    const automation = byId.get(row.id)!
    const times = schedule?.between(start, to, limit) ?? []
    count += times.length
    return times.map((at) => ({ automation, at, run: null }))
  })
  return [...begun, ...coming.flat()]
}
