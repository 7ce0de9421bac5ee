import {
  attendeeStatusSchema,
  CALENDAR_LIMITS,
  type AttendeeInput,
  type AttendeeStatus,
  type CalendarEvent,
  type EventInput,
  type EventInstance,
  type EventUpdate,
} from '#contract/calendars.ts'
import { badRequest, notFound } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { newId } from '../lib/ids.ts'
import { SeriesChanges, type Instance } from './series-changes.ts'
import type { CalendarsParts } from './parts.ts'
import type { Reminders } from './reminders.ts'
import { requireCalendar, requireEvent, tooManyEvents } from './rights.ts'
import type { EventRow } from './store.ts'
import { requireShort, toEvent, toMilliseconds, toText } from './to-calendar.ts'

const toMoment = (nanoseconds: number | null | undefined): number | null | undefined =>
  typeof nanoseconds === 'number' ? toMilliseconds(nanoseconds) : nanoseconds

/** Events of calendars, and the responses of invited users. */
export class CalendarEvents {
  readonly #parts: CalendarsParts
  readonly #series: SeriesChanges
  readonly #reminders: Reminders

  constructor(parts: CalendarsParts, reminders: Reminders) {
    this.#parts = parts
    this.#reminders = reminders
    this.#series = new SeriesChanges(parts)
  }

  async get(caller: Caller, id: string): Promise<CalendarEvent> {
    return toEvent(this.#parts, await requireEvent(this.#parts, caller, { id, permission: 'read' }))
  }

  async create(caller: Caller, input: EventInput): Promise<CalendarEvent> {
    const { events, storage } = this.#parts
    const now = Date.now()
    const row: EventRow = {
      id: newId(),
      calendar_id: input.calendar_id,
      user_id: caller.userId,
      title: input.title,
      description: input.description ?? null,
      start_at: toMilliseconds(input.start_at),
      end_at: toMoment(input.end_at) ?? null,
      all_day: Number(input.all_day ?? false),
      rrule: input.rrule ?? null,
      color: input.color ?? null,
      location: input.location ?? null,
      data: toText(input.data) ?? null,
      meta: toText(input.meta) ?? null,
      is_cancelled: Number(input.is_cancelled ?? false),
      remind_at: null,
      created_at: now,
      updated_at: now,
    }
    await storage.transaction(async () => {
      await this.#requireRoom(caller, input.calendar_id)
      await events.insert(row)
      await this.#invite(caller, row.id, input.attendees ?? [])
      await this.#reminders.plan(row.id)
    })
    return toEvent(this.#parts, row)
  }

  async update(
    caller: Caller,
    id: string,
    { instance_at, scope, ...changes }: EventUpdate,
  ): Promise<CalendarEvent> {
    const { events, storage } = this.#parts
    const changedId = await storage.transaction(async () => {
      const row = await requireEvent(this.#parts, caller, { id, permission: 'write' })
      const instance = readInstance({ instance_at, scope })
      const { attendees, ...fields } = changes
      const target = fields.calendar_id ?? row.calendar_id
      if (target !== row.calendar_id || instance) await this.#requireRoom(caller, target)
      const changed = instance
        ? await this.#series.split(row, instance, toChanges(fields))
        : await this.#series.change(row, toChanges(fields))
      if (attendees !== undefined) await this.#invite(caller, changed, attendees ?? [])
      for (const each of new Set([id, changed])) await this.#reminders.plan(each)
      return changed
    })
    return toEvent(this.#parts, (await events.get(changedId))!)
  }

  async remove(caller: Caller, id: string, given: EventInstance = {}): Promise<void> {
    await this.#parts.storage.transaction(async () => {
      const row = await requireEvent(this.#parts, caller, { id, permission: 'write' })
      const instance = readInstance(given)
      if (!instance) return this.#parts.events.remove(id)
      await this.#series.cut(row, instance)
      await this.#reminders.plan(id)
    })
  }

  /** Stores the response of an invited user; throws 404 for all others. */
  async answer(
    { userId }: Caller,
    eventId: string,
    text: string,
  ): Promise<{ status: true; rsvp: AttendeeStatus }> {
    const { data: status } = attendeeStatusSchema.safeParse(text)
    if (!status)
      throw badRequest('Invalid status. It is one of pending, accepted, declined and tentative.')
    const changes = { status, updated_at: Date.now() }
    if (!(await this.#parts.events.answer({ eventId, userId }, changes)))
      throw notFound('There is no such event you are invited to.')
    return { status: true, rsvp: status }
  }

  /** Throws unless the caller may write the calendar and it can take one more event. */
  async #requireRoom(caller: Caller, id: string): Promise<void> {
    await requireCalendar(this.#parts, caller, { id, permission: 'write' })
    if ((await this.#parts.events.count(id)) >= CALENDAR_LIMITS.eventsOfCalendar)
      throw tooManyEvents()
  }

  /**
   * Sets the invited users. Those who stay keep their response; no user can respond for another
   * one. Unknown accounts and guests are left out.
   */
  async #invite(caller: Caller, eventId: string, wanted: readonly AttendeeInput[]): Promise<void> {
    const { events, users } = this.#parts
    const now = Date.now()
    const before = await events.attendees(eventId)
    const byId = new Map(wanted.map((each) => [each.user_id, each]))
    const texts = wanted.map(({ meta }) => toText(meta) ?? '')
    requireShort(texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0))
    for (const each of before) if (!byId.has(each.user_id)) await events.disinvite(each.id)
    for (const { user_id: userId, status, meta } of byId.values()) {
      if (before.some((each) => each.user_id === userId)) continue
      if (users.cached.isGuest(userId) || !(await users.get(userId))) continue
      await events.invite({
        id: newId(),
        event_id: eventId,
        user_id: userId,
        status: userId === caller.userId ? (status ?? 'accepted') : 'pending',
        meta: toText(meta) ?? null,
        created_at: now,
        updated_at: now,
      })
    }
  }
}

/** Returns the selected occurrence of a series; null for an event as a whole. */
function readInstance({ instance_at, scope = 'this' }: EventInstance): Instance | null {
  return instance_at === undefined ? null : { at: toMilliseconds(instance_at), scope }
}

/** Returns the columns to write: fields that were not sent stay unchanged, null clears a field. */
function toChanges(
  changes: Omit<EventUpdate, 'attendees' | 'instance_at' | 'scope'>,
): Partial<EventRow> {
  const { start_at, end_at, all_day, is_cancelled, data, meta, ...plain } = changes
  const written = {
    ...plain,
    start_at: toMoment(start_at) ?? undefined,
    end_at: toMoment(end_at),
    all_day: all_day === undefined ? undefined : Number(all_day),
    is_cancelled: is_cancelled === undefined ? undefined : Number(is_cancelled),
    data: toText(data),
    meta: toText(meta),
    updated_at: Date.now(),
  }
  return Object.fromEntries(
    Object.entries(written).filter(([, value]) => value !== undefined),
  ) as Partial<EventRow>
}
