import { badRequest } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { toWallTime } from '../lib/recurrence/wall-clock.ts'
import { beginWith, endBefore, leaveOut, moveExceptions, withoutExceptions } from './exceptions.ts'
import { endAt, readSchedule, zoneOf } from './find-times.ts'
import type { CalendarsParts } from './parts.ts'
import type { EventRow } from './store.ts'
import { toObject } from './to-calendar.ts'

/** One occurrence of a series, or all from it on. */
export interface Instance {
  readonly at: number
  readonly scope: 'this' | 'following'
}

type Changes = Partial<Omit<EventRow, 'id' | 'user_id'>>

/** A series as seen from one of its occurrences. */
interface Series {
  readonly rule: string
  /** Time zone that the rule follows. */
  readonly zone: string
  readonly isFirst: boolean
  /** Number of earlier occurrences, including the excluded ones. */
  readonly before: number
}

const MOST_COUNTED = 1000

/**
 * Changes occurrences of series: a changed occurrence is excluded from its series (`EXDATE`) and
 * becomes a separate event; for a change from an occurrence on, the series ends before it and
 * another one starts.
 */
export class ChangeSeries {
  readonly #parts: CalendarsParts

  constructor(parts: CalendarsParts) {
    this.#parts = parts
  }

  /** Changes a whole event. The exceptions of a series move with its times. */
  async change(row: EventRow, changes: Changes): Promise<string> {
    const { start_at: start, rrule } = changes
    const rule = rrule === undefined ? row.rrule : rrule
    const zone = await zoneOf(this.#parts, row)
    const schedule = await readSchedule({ ...row, rrule: rule }, zone)
    const moved =
      schedule && rule && start !== undefined
        ? moveExceptions(rule, toWallTime(start, zone) - toWallTime(row.start_at, zone))
        : rule
    await this.#parts.events.update(row.id, {
      ...changes,
      ...(moved !== row.rrule && { rrule: moved }),
    })
    return row.id
  }

  /** Removes occurrences from a series, and the series itself if none is left. */
  async cut(row: EventRow, instance: Instance): Promise<void> {
    const series = await this.#read(row, instance.at)
    const { events } = this.#parts
    if (instance.scope === 'following' && series.isFirst) return events.remove(row.id)
    const rrule = cutRule(series, instance)
    const left = await readSchedule({ ...row, rrule }, series.zone)
    if (left?.next(row.start_at - 60_000, 1).length === 0) return events.remove(row.id)
    await events.update(row.id, { rrule, updated_at: Date.now() })
  }

  /** Makes these occurrences a separate event with the same attendees; resolves with its id. */
  async split(row: EventRow, instance: Instance, changes: Changes): Promise<string> {
    const { events } = this.#parts
    const { at, scope } = instance
    const series = await this.#read(row, at)
    const now = Date.now()
    const own: EventRow = {
      ...row,
      id: newId(),
      start_at: at,
      end_at: endAt(row, at, series.zone),
      rrule: scope === 'this' ? null : beginWith(series.rule, series.before),
      created_at: now,
      ...changes,
      updated_at: now,
      meta: JSON.stringify({
        ...toObject(changes.meta === undefined ? row.meta : changes.meta),
        series_id: row.id,
      }),
      ...(scope === 'this' && { rrule: null }),
    }
    await events.insert(own)
    for (const attendee of await events.attendees(row.id))
      await events.invite({ ...attendee, id: newId(), event_id: own.id })
    await this.cut(row, instance)
    return own.id
  }

  async #read(row: EventRow, at: number): Promise<Series> {
    const own = await zoneOf(this.#parts, row)
    const schedule = await readSchedule(row, own)
    if (!row.rrule || !schedule?.has(at))
      throw badRequest(
        'This event has no such time. Look at the calendar again: somebody may have changed it.',
        { code: 'no_such_time' },
      )
    const begin = row.start_at - 60_000
    const whole = await readSchedule({ ...row, rrule: withoutExceptions(row.rrule) }, own)
    return {
      rule: row.rrule,
      zone: schedule.zone,
      isFirst: schedule.between(begin, at, 1).length === 0,
      before: whole!.between(begin, at, MOST_COUNTED).length,
    }
  }
}

const cutRule = ({ rule, zone }: Series, { at, scope }: Instance): string =>
  scope === 'this' ? leaveOut(rule, at, zone) : endBefore(rule, at, zone)
