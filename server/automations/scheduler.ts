import { countPeriodicRun } from '../lib/tally.ts'
import type { AutomationsDependencies } from './parts.ts'
import type { AutomationRuns } from './automation-runs.ts'
import type { AutomationRow, AutomationStore } from './store.ts'
import { readSchedule } from './to-automation.ts'

/** Maximum delay of a run; later ones count as missed. */
const GRACE_MILLISECONDS = 120_000
/** Maximum time between two checks, because the clock may be changed and the computer may sleep. */
const LONGEST_WAIT = 30_000
const MOST_AT_A_TIME = 100
/** Maximum number of missed times that are counted. */
const MOST_COUNTED = 100

type SchedulerParts = Pick<AutomationsDependencies, 'settings' | 'log' | 'storage'> & {
  readonly automations: AutomationStore
  readonly runner: AutomationRuns
}

/**
 * Starts runs when they are due. Runs that were due while the gateway was down are reported, not
 * run.
 */
export class Scheduler {
  readonly #parts: SchedulerParts
  #timer: NodeJS.Timeout | null = null
  #check: Promise<void> | null = null
  #isAsked = false
  #isClosed = false

  constructor(parts: SchedulerParts) {
    this.#parts = parts
  }

  /** Starts what is due now, and schedules the next check. */
  look(): Promise<void> {
    this.#isAsked = true
    return (this.#check ??= this.#checkWhileAsked().finally(() => (this.#check = null)))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer) clearTimeout(this.#timer)
    await this.#check
  }

  async #checkWhileAsked(): Promise<void> {
    while (this.#isAsked && !this.#isClosed) {
      this.#isAsked = false
      try {
        await this.#checkOnce()
        countPeriodicRun('automations')
      } catch (error) {
        this.#parts.log.error({ error }, 'due automations could not be read')
        this.#wait(LONGEST_WAIT)
      }
    }
  }

  async #checkOnce(): Promise<void> {
    const { automations, settings } = this.#parts
    const isOn = settings.get('ENABLE_AUTOMATIONS')
    const due = isOn ? await automations.due(Date.now(), MOST_AT_A_TIME) : []
    for (const automation of due) if (!this.#isClosed) await this.#startIfDue(automation)
    if (due.length === MOST_AT_A_TIME) this.#isAsked = true
    const next = isOn ? await automations.nextDue() : null
    this.#wait(next === null ? LONGEST_WAIT : Math.max(0, next - Date.now()))
  }

  #wait(milliseconds: number): void {
    if (this.#timer) clearTimeout(this.#timer)
    if (this.#isClosed) return
    const wait = Math.min(LONGEST_WAIT, milliseconds)
    this.#timer = setTimeout(() => void this.look(), wait).unref()
  }

  async #startIfDue(automation: AutomationRow): Promise<void> {
    const now = Date.now()
    const times = await this.#timesOf(automation, now)
    // In one transaction, so that a time is never claimed without a run nor run without being
    // claimed.
    await this.#parts.storage.transaction(() => this.#take(automation, now, times))
  }

  async #take(
    automation: AutomationRow,
    now: number,
    times: { readonly next: number | null; readonly missed: number },
  ): Promise<void> {
    const { automations, log, runner } = this.#parts
    const plannedAt = automation.next_run_at!
    const order = { cause: 'schedule', plannedAt } as const
    if (!(await automations.claim(automation, times.next))) return
    if (now - plannedAt > GRACE_MILLISECONDS) {
      log.info({ automation: automation.id, missed: times.missed }, 'runs were missed')
      await runner.note(automation, order, { status: 'missed', error: explainMissed(times.missed) })
      return
    }
    if (!(await runner.begin(automation, order)))
      await runner.note(automation, order, {
        status: 'skipped',
        error: 'The previous run had not ended.',
      })
  }

  /** A later version may refuse a rule that was valid before. */
  async #timesOf(
    automation: AutomationRow,
    now: number,
  ): Promise<{ next: number | null; missed: number }> {
    try {
      const schedule = await readSchedule(automation)
      if (!schedule) return { next: null, missed: 1 }
      const [next = null] = schedule.next(now, 1)
      const past = schedule.next(automation.next_run_at! - 1, MOST_COUNTED)
      return { next, missed: Math.max(1, past.filter((time) => time <= now).length) }
    } catch (error) {
      this.#parts.log.warn(
        { error, automation: automation.id },
        'the rule of an automation cannot be read',
      )
      return { next: null, missed: 1 }
    }
  }
}

const explainMissed = (count: number): string =>
  count === 1
    ? 'It was due while the gateway did not run.'
    : `It was due ${count === MOST_COUNTED ? `${count} times or more` : `${count} times`} while the gateway did not run.`
