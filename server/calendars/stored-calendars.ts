import {
  AUTOMATIONS_CALENDAR,
  CALENDAR_LIMITS,
  type Calendar,
  type CalendarInput,
  type CalendarUpdate,
} from '#contract/calendars.ts'
import { badRequest, forbidden, notFound } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { newId } from '../lib/ids.ts'
import { mapInOrder } from '../lib/in-order.ts'
import { nextTurn } from '../lib/turns.ts'
import type { CalendarsParts } from './parts.ts'
import { hasAutomations, requireCalendar, tooManyCalendars } from './rights.ts'
import type { CalendarRow } from './store.ts'
import { toAutomationsCalendar, toCalendar, toText } from './to-calendar.ts'

/** Number of events one statement removes. */
export const REMOVED_AT_ONCE = 50

const FIRST = { name: 'Personal', color: '#3b82f6', is_default: 1, data: null, meta: null }

/** Calendars: the caller's own, and those that others share with the caller. */
export class StoredCalendars {
  readonly #parts: CalendarsParts

  constructor(parts: CalendarsParts) {
    this.#parts = parts
  }

  /** Creates a first calendar for a user who has none. */
  async list(caller: Caller): Promise<Calendar[]> {
    const rows = await this.rows(caller)
    const shown = await mapInOrder(rows, (row) => toCalendar(this.#parts, caller, row))
    const system = (await hasAutomations(this.#parts, caller))
      ? [toAutomationsCalendar(caller)]
      : []
    return [...shown, ...system]
  }

  /** Own calendars, then shared ones. */
  async rows(caller: Caller): Promise<CalendarRow[]> {
    const { access, calendars } = this.#parts
    let own = await calendars.ofOwner(caller.userId)
    if (own.length === 0) {
      const now = Date.now()
      await calendars.insert({
        id: newId(),
        user_id: caller.userId,
        ...FIRST,
        created_at: now,
        updated_at: now,
      })
      own = await calendars.ofOwner(caller.userId)
    }
    const granted = await access.grantedIds(caller, 'calendar', 'read')
    const shared = await calendars.among(granted)
    return [...own, ...shared.filter(({ user_id }) => user_id !== caller.userId)]
  }

  async get(caller: Caller, id: string): Promise<Calendar> {
    if (id === AUTOMATIONS_CALENDAR && (await hasAutomations(this.#parts, caller)))
      return toAutomationsCalendar(caller)
    const row = await requireCalendar(this.#parts, caller, { id, permission: 'read' })
    return toCalendar(this.#parts, caller, row)
  }

  async create(caller: Caller, input: CalendarInput): Promise<Calendar> {
    const { access, calendars, storage } = this.#parts
    const now = Date.now()
    const id = newId()
    await storage.transaction(async () => {
      const own = await calendars.ofOwner(caller.userId)
      if (own.length >= CALENDAR_LIMITS.calendars) throw tooManyCalendars()
      await calendars.insert({
        id,
        user_id: caller.userId,
        name: input.name,
        color: input.color ?? null,
        is_default: own.length === 0 ? 1 : 0,
        data: toText(input.data) ?? null,
        meta: toText(input.meta) ?? null,
        created_at: now,
        updated_at: now,
      })
      await access.replace(caller, { type: 'calendar', id }, toGrants(input))
    })
    return this.get(caller, id)
  }

  async update(caller: Caller, id: string, changes: CalendarUpdate): Promise<Calendar> {
    const { access, calendars, storage } = this.#parts
    const row = await requireCalendar(this.#parts, caller, { id, permission: 'write' })
    if (changes.access_grants && row.user_id !== caller.userId && caller.role !== 'admin')
      throw forbidden('Only its owner decides who sees this calendar.', { code: 'not_permitted' })
    const data = toText(changes.data)
    const meta = toText(changes.meta)
    await storage.transaction(async () => {
      await calendars.update(id, {
        ...(changes.name !== undefined && { name: changes.name }),
        ...(changes.color !== undefined && { color: changes.color }),
        ...(data !== undefined && { data }),
        ...(meta !== undefined && { meta }),
        updated_at: Date.now(),
      })
      await access.replace(caller, { type: 'calendar', id }, toGrants(changes))
    })
    return this.get(caller, id)
  }

  async makeDefault(caller: Caller, id: string): Promise<Calendar> {
    const { calendars, storage } = this.#parts
    await storage.transaction(async () => {
      const row = await calendars.get(id)
      if (row?.user_id !== caller.userId) throw notFound('There is no such calendar of yours.')
      await calendars.clearDefault(caller.userId)
      await calendars.update(id, { is_default: 1, updated_at: Date.now() })
    })
    return this.get(caller, id)
  }

  async remove(caller: Caller, id: string): Promise<void> {
    const { access, calendars, events, storage } = this.#parts
    const row = await requireCalendar(this.#parts, caller, { id, permission: 'write' })
    if (row.user_id !== caller.userId && caller.role !== 'admin')
      throw forbidden('Only its owner may delete this calendar.', { code: 'not_permitted' })
    const requireNoDefault = async (): Promise<void> => {
      if ((await calendars.get(id))?.is_default === 1)
        throw badRequest(
          'This is the default calendar. Make another one the default first, then delete it.',
          { code: 'default_calendar' },
        )
    }
    // A calendar may have many events, so other calls are served between two parts of them.
    let isLeft = true
    while (isLeft) {
      isLeft = await storage.transaction(async () => {
        await requireNoDefault()
        const end = performance.now() + storage.pace.milliseconds
        let hasRemoved: boolean
        do hasRemoved = await events.removeSome(id, REMOVED_AT_ONCE)
        while (hasRemoved && performance.now() < end)
        return hasRemoved
      })
      await nextTurn()
    }
    await storage.transaction(async () => {
      await requireNoDefault()
      await calendars.remove(id)
      await access.remove('calendar', id)
    })
  }
}

const toGrants = ({ access_grants: grants }: Pick<CalendarInput, 'access_grants'>) =>
  grants ? { access_grants: grants } : {}
