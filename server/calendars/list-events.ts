import {
  AUTOMATIONS_CALENDAR,
  CALENDAR_LIMITS,
  type CalendarEvent,
  type ShownEvent,
} from '#contract/calendars.ts'
import type { AutomationTime } from '../automations/index.ts'
import { badRequest } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { flatMapInOrder, mapInOrder } from '../lib/in-order.ts'
import { findTimes } from './find-times.ts'
import type { ManageCalendars } from './manage-calendars.ts'
import type { CalendarsParts } from './parts.ts'
import { hasAutomations } from './rights.ts'
import type { EventRow } from './store.ts'
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

/** Events that users see in their calendars. */
export class ListEvents {
  readonly #parts: CalendarsParts
  readonly #calendars: ManageCalendars

  constructor(parts: CalendarsParts, calendars: ManageCalendars) {
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
    }: { start: string; end: string; calendar_ids?: readonly string[] | undefined },
  ): Promise<ShownEvent[]> {
    const range = { from: readMoment('start', start), to: readMoment('end', end) }
    const isWanted = (id: string): boolean => chosen === undefined || chosen.includes(id)
    const calendars = (await this.#calendars.rows(caller)).filter(({ id }) => isWanted(id))
    const rows = await this.#rowsOf(
      calendars.map(({ id }) => id),
      range,
    )
    if (chosen === undefined) await this.#addInvitations(rows, caller, range)
    const shown = await flatMapInOrder(rows.values(), (row) => this.#show(caller, row, range))
    const automations = isWanted(AUTOMATIONS_CALENDAR) ? await this.#automations(caller, range) : []
    return [...shown, ...automations].toSorted((left, right) => left.start_at - right.start_at)
  }

  async search(
    caller: Caller,
    { query, skip, limit }: { query?: string | undefined; skip: number; limit: number },
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

  async #rowsOf(ids: readonly string[], range: Range): Promise<Map<string, EventRow>> {
    const found = await flatMapInOrder(ids, (id) =>
      this.#parts.events.inCalendar(id, { ...range, limit: CALENDAR_LIMITS.shownOfCalendar }),
    )
    return new Map(found.map((row) => [row.id, row]))
  }

  async #addInvitations(
    rows: Map<string, EventRow>,
    { userId }: Caller,
    range: Range,
  ): Promise<void> {
    const limit = CALENDAR_LIMITS.shownOfCalendar
    for (const row of await this.#parts.events.ofInvited(userId, { ...range, limit }))
      rows.set(row.id, row)
  }

  async #show(caller: Caller, row: EventRow, range: Range): Promise<ShownEvent[]> {
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

  async #automations(caller: Caller, range: Range): Promise<ShownEvent[]> {
    if (!(await hasAutomations(this.#parts, caller))) return []
    const times = await this.#parts.automations.timesOf(caller.userId, {
      ...range,
      limit: CALENDAR_LIMITS.shownOfEvent,
    })
    return times.map((each) => toAutomationEvent(caller, each))
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
