import type { AttendeeStatus } from '#contract/calendars.ts'
import type { Storage } from '../storage/index.ts'
import { isLike, toPattern } from '../storage/is-like.ts'
import type {
  CalendarAttendeeTable,
  CalendarEventTable,
  CalendarTable,
} from '../storage/tables/calendars.ts'

export type CalendarRow = Readonly<CalendarTable>
export type EventRow = Readonly<CalendarEventTable>
export type AttendeeRow = Readonly<CalendarAttendeeTable>

/** A part of the events that may be between two moments. */
export interface EventSlice {
  readonly from: number
  readonly to: number
  readonly limit: number
  readonly offset: number
}

/** SQL on the table `calendar`. */
export class CalendarStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  get(id: string): Promise<CalendarRow | null> {
    return this.#storage.find('calendar', id)
  }

  /** In order of creation. */
  ofOwner(userId: string): Promise<CalendarRow[]> {
    return this.#storage.all(
      this.#storage.builder
        .selectFrom('calendar')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('created_at')
        .orderBy('id'),
    )
  }

  /** By name. */
  async among(ids: Iterable<string>): Promise<CalendarRow[]> {
    const wanted = [...ids]
    if (wanted.length === 0) return []
    return this.#storage.all(
      this.#storage.builder
        .selectFrom('calendar')
        .selectAll()
        .where('id', 'in', wanted)
        .orderBy('name')
        .orderBy('id'),
    )
  }

  /** Resolves with false if this would be the owner's second default calendar. */
  async insert(row: CalendarRow): Promise<boolean> {
    const added = await this.#storage.run(
      this.#storage.builder
        .insertInto('calendar')
        .values(row)
        .onConflict((conflict) => conflict.doNothing()),
    )
    return added > 0
  }

  async update(id: string, changes: Partial<Omit<CalendarRow, 'id' | 'user_id'>>): Promise<void> {
    await this.#storage.update('calendar', id, changes)
  }

  async clearDefault(userId: string): Promise<void> {
    await this.#storage.update('calendar', { user_id: userId, is_default: 1 }, { is_default: 0 })
  }

  async remove(id: string): Promise<void> {
    await this.#storage.remove('calendar', id)
  }
}

/** SQL on the tables `calendar_event` and `calendar_attendee`. */
export class EventStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  get(id: string): Promise<EventRow | null> {
    return this.#storage.find('calendar_event', id)
  }

  count(calendarId: string): Promise<number> {
    return this.#storage.count(
      this.#storage.builder.selectFrom('calendar_event').where('calendar_id', '=', calendarId),
    )
  }

  /** All events of a calendar in the order of their ids, those after an id. */
  after(calendarId: string, id: string, limit: number): Promise<EventRow[]> {
    return this.#storage.all(
      this.#storage.builder
        .selectFrom('calendar_event')
        .selectAll()
        .where('calendar_id', '=', calendarId)
        .where('id', '>', id)
        .orderBy('id')
        .limit(limit),
    )
  }

  /** Events of a calendar that are or may recur between two moments, earliest first. */
  inCalendar(calendarId: string, { from, to, limit, offset }: EventSlice): Promise<EventRow[]> {
    return this.#storage.all(
      this.#between({ from, to }).where('calendar_id', '=', calendarId).limit(limit).offset(offset),
    )
  }

  /** Events a user is invited to, in any calendar, that are or may recur between two moments. */
  ofInvited(userId: string, { from, to, limit, offset }: EventSlice): Promise<EventRow[]> {
    const invited = this.#invitedTo(userId)
    return this.#storage.all(
      this.#between({ from, to }).where('id', 'in', invited).limit(limit).offset(offset),
    )
  }

  /** Searches title and description; newest first. */
  async search({
    calendarIds,
    userId,
    words,
    skip,
    limit,
  }: {
    readonly calendarIds: readonly string[]
    readonly userId: string
    readonly words: string
    readonly skip: number
    readonly limit: number
  }): Promise<{ rows: EventRow[]; total: number }> {
    const invited = this.#invitedTo(userId)
    let query = this.#storage.builder
      .selectFrom('calendar_event')
      .where((where) =>
        where.or([where('id', 'in', invited), where('calendar_id', 'in', [...calendarIds, ''])]),
      )
    if (words !== '') {
      const columns = ['title', 'description']
      query = query.where(isLike(this.#storage.dialect, columns, toPattern(words)))
    }
    const rows = await this.#storage.all(
      query.selectAll().orderBy('start_at', 'desc').orderBy('id').limit(limit).offset(skip),
    )
    return { rows, total: await this.#storage.count(query) }
  }

  async insert(row: EventRow): Promise<void> {
    await this.#storage.insert('calendar_event', row)
  }

  async update(id: string, changes: Partial<Omit<EventRow, 'id' | 'user_id'>>): Promise<void> {
    await this.#storage.update('calendar_event', id, changes)
  }

  /** Recurring events that a user created and whose reminder is planned, those after an id. */
  plannedBy(userId: string, id: string, limit: number): Promise<EventRow[]> {
    return this.#storage.all(
      this.#storage.builder
        .selectFrom('calendar_event')
        .selectAll()
        .where('remind_at', 'is not', null)
        .where('rrule', 'is not', null)
        .where('user_id', '=', userId)
        .where('id', '>', id)
        .orderBy('id')
        .limit(limit),
    )
  }

  /** Resolves with the events whose reminder is due, earliest first. */
  toRemind(now: number, limit: number): Promise<EventRow[]> {
    return this.#storage.all(
      this.#storage.builder
        .selectFrom('calendar_event')
        .selectAll()
        .where('remind_at', 'is not', null)
        .where('remind_at', '<=', now)
        .orderBy('remind_at')
        .limit(limit),
    )
  }

  /**
   * Claims a due reminder; resolves with false if another gateway claimed it, or the event was
   * changed.
   */
  async claimReminder({ id, remind_at }: EventRow, next: number | null): Promise<boolean> {
    const changed = await this.#storage.update(
      'calendar_event',
      { id, remind_at },
      { remind_at: next },
    )
    return changed > 0
  }

  /**
   * Removes some rows of the first events of a calendar; resolves with false if there are none
   * left. Invitations come first, since a cascade would remove all of them at once.
   */
  async removeSome(calendarId: string, limit: number): Promise<boolean> {
    const { builder } = this.#storage
    const events = builder
      .selectFrom('calendar_event')
      .select('id')
      .where('calendar_id', '=', calendarId)
      .orderBy('start_at')
      .limit(limit)
    const invitations = builder
      .selectFrom('calendar_attendee')
      .select('id')
      .where('event_id', 'in', events)
      .limit(limit)
    const query = builder.deleteFrom('calendar_attendee').where('id', 'in', invitations)
    if ((await this.#storage.run(query)) > 0) return true
    return (
      (await this.#storage.run(builder.deleteFrom('calendar_event').where('id', 'in', events))) > 0
    )
  }

  async remove(id: string): Promise<void> {
    await this.#storage.remove('calendar_event', id)
  }

  /** In order of invitation. */
  attendees(eventId: string): Promise<AttendeeRow[]> {
    return this.#storage.all(
      this.#storage.builder
        .selectFrom('calendar_attendee')
        .selectAll()
        .where('event_id', '=', eventId)
        .orderBy('created_at')
        .orderBy('id'),
    )
  }

  async invite(row: AttendeeRow): Promise<void> {
    await this.#storage.insert('calendar_attendee', row)
  }

  async disinvite(id: string): Promise<void> {
    await this.#storage.remove('calendar_attendee', id)
  }

  /** Stores the response of a user; resolves with false if the user is not invited. */
  async answer(
    { eventId, userId }: { eventId: string; userId: string },
    changes: { status: AttendeeStatus; updated_at: number },
  ): Promise<boolean> {
    const changed = await this.#storage.update(
      'calendar_attendee',
      { event_id: eventId, user_id: userId },
      changes,
    )
    return changed > 0
  }

  #invitedTo(userId: string) {
    return this.#storage.builder
      .selectFrom('calendar_attendee')
      .select('event_id')
      .where('user_id', '=', userId)
  }

  #between({ from, to }: { from: number; to: number }) {
    return this.#storage.builder
      .selectFrom('calendar_event')
      .selectAll()
      .where('is_cancelled', '=', 0)
      .where('start_at', '<', to)
      .where((where) =>
        where.or([
          where('rrule', 'is not', null),
          where('start_at', '>=', from),
          where('end_at', '>', from),
        ]),
      )
      .orderBy('start_at')
      .orderBy('id')
  }
}
