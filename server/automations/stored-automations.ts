import type {
  Automation,
  AutomationData,
  AutomationInput,
  AutomationRun,
  AutomationUpdate,
} from '#contract/automations.ts'
import { checkPlainJson } from '../lib/json/check-plain-json.ts'
import { badRequest, conflict, forbidden, notFound, tooLarge } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { newId, randomToken } from '../lib/ids.ts'
import { mapInOrder } from '../lib/in-order.ts'
import { nextVersionAt, requireKnown } from '../lib/known-version.ts'
import type { Storage } from '../storage/index.ts'
import type { Scheduler } from './scheduler.ts'
import type { AutomationsDependencies } from './parts.ts'
import { badRule, withoutExceptions } from '../lib/recurrence/read-rule.ts'
import { hashToken } from './incoming-calls.ts'
import type { AutomationRuns } from './automation-runs.ts'
import { Schedule } from '../lib/recurrence/schedule.ts'
import type { AutomationRow, AutomationStore, RunStore } from './store.ts'
import { readSchedule, toAutomation, toNanoseconds, toRun } from './to-automation.ts'

const PAGE_SIZE = 30
const SHOWN_TIMES = 5
/**
 * Number of times whose interval is checked; more for rules with a list of days or places, whose
 * close times may come last in it.
 */
const LOOKED_AT = 30
const LOOKED_AT_IN_LISTS = 402
const LISTS = /BYSETPOS|BYYEARDAY|BYMONTHDAY|BYWEEKNO/i
const LARGEST_BYTES = 256 * 1024
const SECOND = 1000

interface ManageParts extends Pick<AutomationsDependencies, 'settings' | 'users'> {
  readonly storage: Storage
  readonly automations: AutomationStore
  readonly runs: RunStore
  readonly runner: AutomationRuns
  readonly schedule: Scheduler
}

/** Automations of users: their own ones, and for administrators those of the users they name. */
export class StoredAutomations {
  readonly #parts: ManageParts

  constructor(parts: ManageParts) {
    this.#parts = parts
  }

  async list(
    { userId }: Caller,
    { query, status, page }: { query?: string; status?: string; page?: number },
  ): Promise<{ items: Automation[]; total: number }> {
    const { rows, total } = await this.#parts.automations.list({
      userId,
      words: query?.trim() ?? '',
      isActive: status === 'active' ? true : status === 'paused' ? false : null,
      offset: ((page ?? 1) - 1) * PAGE_SIZE,
      limit: PAGE_SIZE,
    })
    const items = await mapInOrder(rows, async (row) =>
      toAutomation(row, { lastRun: await this.#parts.runs.last(row.id), nextRuns: null }),
    )
    return { items, total }
  }

  async get(caller: Caller, id: string): Promise<Automation> {
    return this.#show(await this.#require(caller, id))
  }

  async create(caller: Caller, input: AutomationInput): Promise<Automation> {
    const now = Date.now()
    const row: AutomationRow = {
      id: newId(),
      user_id: caller.userId,
      last_run_at: null,
      token_hash: null,
      token_used_at: null,
      created_at: now,
      ...(await this.#toFields(caller.userId, input, now)),
    }
    await this.#parts.storage.transaction(async () => {
      const most = this.#parts.settings.get('AUTOMATION_MAX_COUNT')
      if (most > 0 && (await this.#parts.automations.count(caller.userId)) >= most)
        throw forbidden(`Automation limit reached (${most})`, { code: 'too_many_automations' })
      await this.#parts.automations.insert(row)
    })
    void this.#parts.schedule.look()
    return this.#show(row)
  }

  async update(
    caller: Caller,
    id: string,
    { known_at: knownAt, ...input }: AutomationUpdate,
  ): Promise<Automation> {
    await this.#parts.storage.transaction(async () => {
      const before = await this.#require(caller, id)
      requireKnown(toNanoseconds(before.updated_at), knownAt)
      const isActive = input.is_active ?? before.is_active === 1
      const given = { ...input, is_active: isActive }
      const fields = await this.#toFields(before.user_id, given, before.created_at)
      const meta = input.meta === undefined ? before.meta : fields.meta
      const updated_at = nextVersionAt(before.updated_at, Date.now())
      await this.#parts.automations.update(id, { ...fields, meta, updated_at })
    })
    void this.#parts.schedule.look()
    return this.get(caller, id)
  }

  /** Disabling clears the next time; enabling computes it again. */
  async toggle(caller: Caller, id: string): Promise<Automation> {
    await this.#parts.storage.transaction(async () => {
      const row = await this.#require(caller, id)
      const isActive = row.is_active === 0
      const schedule = isActive ? await readSchedule(row) : null
      const next_run_at = schedule?.next(Date.now(), 1)[0] ?? null
      const changes = { is_active: Number(isActive), next_run_at, updated_at: Date.now() }
      await this.#parts.automations.update(id, changes)
    })
    void this.#parts.schedule.look()
    return this.get(caller, id)
  }

  async run(caller: Caller, id: string): Promise<Automation> {
    const row = await this.#require(caller, id)
    if (!(await this.#parts.runner.begin(row, { cause: 'manual' })))
      throw conflict('It is running already. Wait until it has ended, or cancel it.')
    return this.get(caller, id)
  }

  async cancel(caller: Caller, id: string): Promise<Automation> {
    const row = await this.#require(caller, id)
    if (!(await this.#parts.runner.cancel(row.id))) throw notFound('It is not running.')
    return this.#show(row)
  }

  async remove(caller: Caller, id: string): Promise<void> {
    await this.#require(caller, id)
    await this.#parts.runner.cancel(id)
    await this.#parts.automations.remove(id)
    // A run may have begun between the two.
    this.#parts.runner.forget(id)
  }

  async listRuns(
    caller: Caller,
    id: string,
    slice: { skip: number; limit: number },
  ): Promise<AutomationRun[]> {
    await this.#require(caller, id)
    return (await this.#parts.runs.list(id, slice)).map(toRun)
  }

  /** Creates a new secret URL; the previous one stops working. */
  async createAddress(caller: Caller, id: string): Promise<{ path: string }> {
    await this.#require(caller, id)
    const token = randomToken()
    const changes = { token_hash: hashToken(token), token_used_at: null, updated_at: Date.now() }
    await this.#parts.automations.update(id, changes)
    return { path: `/api/v1/automations/hooks/${id}/${token}` }
  }

  async removeAddress(caller: Caller, id: string): Promise<Automation> {
    await this.#require(caller, id)
    await this.#parts.automations.update(id, { token_hash: null, token_used_at: null })
    return this.get(caller, id)
  }

  async preview(
    { userId }: Caller,
    { rrule, timezone }: { rrule: string; timezone?: string | null },
  ): Promise<{ next_runs: number[] }> {
    const zone = timezone ?? (await this.#zoneOf(userId))
    const times = await this.#readTimes(rrule, zone, Date.now())
    return { next_runs: times.slice(0, SHOWN_TIMES).map(toNanoseconds) }
  }

  async #require({ userId, role }: Caller, id: string): Promise<AutomationRow> {
    const row = await this.#parts.automations.get(id)
    if (!row || (row.user_id !== userId && role !== 'admin'))
      throw notFound('There is no such automation.')
    return row
  }

  async #show(row: AutomationRow): Promise<Automation> {
    const schedule = row.is_active === 1 ? await readSchedule(row).catch(() => null) : null
    return toAutomation(row, {
      lastRun: await this.#parts.runs.last(row.id),
      nextRuns: schedule?.next(Date.now(), SHOWN_TIMES) ?? [],
    })
  }

  async #zoneOf(userId: string): Promise<string | null> {
    return (await this.#parts.users.profiles.read(userId)).timezone
  }

  /** Throws 400 for a rule that never occurs or occurs more often than allowed. */
  async #readTimes(rrule: string, timezone: string | null, anchor: number): Promise<number[]> {
    const schedule = await Schedule.read(rrule, { timezone, anchor })
    const times = schedule.next(Date.now(), LOOKED_AT)
    if (times.length === 0) throw badRule('It has no time that is still to come.')
    const least = this.#parts.settings.get('AUTOMATION_MIN_INTERVAL')
    // Excluded times would hide how often it runs once they are over.
    const whole = await Schedule.read(withoutExceptions(rrule), { timezone, anchor })
    const isTooOften = whole
      .next(Date.now(), LISTS.test(rrule) ? LOOKED_AT_IN_LISTS : LOOKED_AT)
      .some((time, index, all) => index > 0 && time - all[index - 1]! < least * SECOND)
    if (isTooOften) throw badRequest(`There have to be at least ${least} seconds between two runs.`)
    return times
  }

  async #toFields(
    userId: string,
    { name, data, meta, is_active }: AutomationInput,
    anchor: number,
  ) {
    checkPlainJson([data, meta], 'The automation')
    const isActive = is_active ?? true
    const timezone = data.timezone || (await this.#zoneOf(userId))
    const stored: AutomationData = { ...data, timezone: timezone ?? null }
    const text = JSON.stringify(stored)
    const metaText = meta ? JSON.stringify(meta) : null
    if (Buffer.byteLength(text) + Buffer.byteLength(metaText ?? '') > LARGEST_BYTES)
      throw tooLarge(`An automation may have ${LARGEST_BYTES} bytes.`)
    const { rrule } = data
    const hasRule = rrule !== null && rrule !== undefined
    const times = hasRule ? await this.#readTimes(rrule, timezone, anchor) : []
    return {
      name,
      data: text,
      meta: metaText,
      is_active: Number(isActive),
      next_run_at: isActive ? (times[0] ?? null) : null,
      updated_at: Date.now(),
    }
  }
}
