import {
  AUTOMATIONS_CALENDAR,
  CALENDAR_LIMITS,
  type CalendarEvent,
  type ShownEvent,
} from '#contract/calendars.ts'
import type { AutomationTime } from '../automations/index.ts'
import { badRequest } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { mapInOrder } from '../lib/in-order.ts'
import { turnWhenLong } from '../lib/turns.ts'
import { findTimes } from './find-times.ts'
import type { StoredCalendars } from './stored-calendars.ts'
import type { CalendarsParts } from './parts.ts'
import { hasAutomations } from './rights.ts'
import type { EventRow, EventSlice } from './store.ts'
import { toNanoseconds, withAuthor } from './to-calendar.ts'

interface Range {
  readonly from: number
  readonly to: number
}

const ISO = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}.*)?$/

/** The plus sign of an offset arrives as a space if it was not escaped. */
function readMoment(name: string, text: string): number {
  const plain = text.trim().replace(/ (\d{2}:?\d{2})$/, '+$1')
  const moment = Date.parse(plain.length === 10 ? `${plain}T00:00` : plain)
  if (!ISO.test(text.trim()) || Number.isNaN(moment))
    throw badRequest(`"${name}" has to be an ISO 8601 time such as 2030-01-01T00:00:00Z.`)
  return moment
}

/** The part of a response that its calendars may still fill. */
class Room {
  #events: number = CALENDAR_LIMITS.shown
  #characters: number = CALENDAR_LIMITS.shownCharacters
  #leastEvents = 0
  #leastCharacters = 0

  /** Gives the next of so many calendars an equal part of the rest. */
  share(count: number): void {
    this.#leastEvents = this.#events - Math.ceil(this.#events / count)
    this.#leastCharacters = this.#characters - this.#characters / count
  }

  get isFull(): boolean {
    return this.#events <= this.#leastEvents || this.#characters <= this.#leastCharacters
  }

  /** Returns as many occurrences of one event as there is room for. */
  take(times: readonly ShownEvent[]): ShownEvent[] {
    const [first] = times
    if (!first || this.isFull) return []
    const size = JSON.stringify(first).length
    const most = Math.min(
      this.#events - this.#leastEvents,
      Math.ceil((this.#characters - this.#leastCharacters) / size),
    )
    const taken = times.slice(0, most)
    this.#events -= taken.length
    this.#characters -= taken.length * size
    return taken
  }
}

type Source = (slice: EventSlice) => Promise<EventRow[]>

interface Listing {
  readonly caller: Caller
  readonly range: Range
  readonly room: Room
  /** Ids of the events that were listed before. */
  readonly known: Set<string>
}

const ROWS_AT_A_TIME = 50

/** Events that users see in their calendars. */
export class EventLists {
  readonly #parts: CalendarsParts
  readonly #calendars: StoredCalendars

  constructor(parts: CalendarsParts, calendars: StoredCalendars) {
    this.#parts = parts
    this.#calendars = calendars
  }

  /**
   * Calendars the caller may not read are left out; if none are selected, invitations are included
   * too.
   */
  async between(
    caller: Caller,
    {
      start,
      end,
      calendar_ids: chosen,
    }: { start: string; end: string; calendar_ids?: readonly string[] },
  ): Promise<ShownEvent[]> {
    const range = { from: readMoment('start', start), to: readMoment('end', end) }
    const isWanted = (id: string): boolean => chosen === undefined || chosen.includes(id)
    const calendars = (await this.#calendars.rows(caller)).filter(({ id }) => isWanted(id))
    const { events } = this.#parts
    const sources = calendars.map(
      ({ id }): Source =>
        (slice) =>
          events.inCalendar(id, slice),
    )
    if (chosen === undefined) sources.push((slice) => events.ofInvited(caller.userId, slice))
    const shown: ShownEvent[] = []
    const room = new Room()
    const known = new Set<string>()
    const hasRuns = isWanted(AUTOMATIONS_CALENDAR)
    for (const [index, source] of sources.entries()) {
      room.share(sources.length - index + Number(hasRuns))
      shown.push(...(await this.#ofSource(source, { caller, range, room, known })))
    }
    room.share(1)
    if (hasRuns) shown.push(...(await this.#automations(caller, range, room)))
    return shown.toSorted((left, right) => left.start_at - right.start_at)
  }

  async search(
    caller: Caller,
    { query, skip, limit }: { query?: string; skip: number; limit: number },
  ): Promise<{ items: (CalendarEvent & Pick<ShownEvent, 'user'>)[]; total: number }> {
    const calendars = await this.#calendars.rows(caller)
    const { rows, total } = await this.#parts.events.search({
      calendarIds: calendars.map(({ id }) => id),
      userId: caller.userId,
      words: query?.trim() ?? '',
      skip,
      limit,
    })
    const items = await mapInOrder(rows, (row) => withAuthor(this.#parts, caller, row))
    return { items, total }
  }

  /** Reads some events at a time, since each may be long, until there is no more room. */
  async #ofSource(source: Source, { caller, range, room, known }: Listing): Promise<ShownEvent[]> {
    const shown: ShownEvent[] = []
    for (let offset = 0; offset < CALENDAR_LIMITS.shownOfCalendar; offset += ROWS_AT_A_TIME) {
      const rows = await source({ ...range, limit: ROWS_AT_A_TIME, offset })
      for (const row of rows) {
        if (room.isFull) return shown
        // Invitations may be to events of calendars that were listed before.
        if (known.has(row.id)) continue
        known.add(row.id)
        shown.push(...room.take(await this.#show(caller, row, range)))
      }
      if (rows.length < ROWS_AT_A_TIME) break
    }
    return shown
  }

  async #show(caller: Caller, row: EventRow, range: Range): Promise<ShownEvent[]> {
    const turn = turnWhenLong()
    if (turn) await turn
    const times = await findTimes(this.#parts, row, range)
    if (times.length === 0) return []
    const shown = await withAuthor(this.#parts, caller, row)
    return times.map(({ start, end, isRepeated }) => ({
      ...shown,
      start_at: toNanoseconds(start),
      end_at: end === null ? null : toNanoseconds(end),
      instance_id: isRepeated ? `${row.id}_${toNanoseconds(start)}` : null,
    }))
  }

  async #automations(caller: Caller, range: Range, room: Room): Promise<ShownEvent[]> {
    if (!(await hasAutomations(this.#parts, caller))) return []
    const times = await this.#parts.automations.timesOf(caller.userId, {
      ...range,
      limit: CALENDAR_LIMITS.shownOfEvent,
    })
    return [...Map.groupBy(times, ({ automation }) => automation).values()].flatMap((each) =>
      room.take(each.map((time) => toAutomationEvent(caller, time))),
    )
  }
}

/** Returns an automation's time as an event, with its run if it has run. */
function toAutomationEvent(
  { userId }: Caller,
  { automation, at, run }: AutomationTime,
): ShownEvent {
  const start = toNanoseconds(at)
  return {
    id: `auto_${automation.id}`,
    calendar_id: AUTOMATIONS_CALENDAR,
    user_id: userId,
    title: automation.name,
    description: automation.prompt,
    start_at: start,
    end_at: null,
    all_day: false,
    rrule: automation.rrule,
    color: null,
    location: null,
    data: null,
    meta: {
      automation_id: automation.id,
      ...(run && { run_id: run.id, run_status: run.status, chat_id: run.chat_id }),
    },
    is_cancelled: false,
    attendees: [],
    created_at: toNanoseconds(automation.created_at),
    updated_at: toNanoseconds(automation.updated_at),
    user: null,
    instance_id: `auto_${automation.id}_${start}`,
  }
}
