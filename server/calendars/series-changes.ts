import { badRequest } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { readRule, withoutExceptions } from '../lib/recurrence/read-rule.ts'
import { toWallTime } from '../lib/recurrence/wall-clock.ts'
import {
  beginWith,
  endBefore,
  isSameRule,
  leaveOut,
  moveExceptions,
  moveRule,
  type Move,
} from './exceptions.ts'
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
  /** True if the rule itself names the time zone. */
  readonly hasOwnZone: boolean
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
export class SeriesChanges {
  readonly #parts: CalendarsParts

  constructor(parts: CalendarsParts) {
    this.#parts = parts
  }

  /**
   * Changes a whole event. The exceptions of a series move with its times, and so does the start in
   * a rule that stays the same.
   */
  async change(row: EventRow, changes: Changes): Promise<string> {
    const after = { ...row, ...changes }
    const rrule =
      row.rrule !== null && after.rrule !== null && isSameRule(row.rrule, after.rrule)
        ? await this.#move(moveRule, row, after)
        : await this.#move(moveExceptions, row, after)
    await this.#parts.events.update(row.id, { ...changes, ...(rrule !== row.rrule && { rrule }) })
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
    const meta =
      changes.meta === undefined
        ? { ...toObject(row.meta), ...(series.hasOwnZone && { timezone: series.zone }) }
        : toObject(changes.meta)
    const made: EventRow = {
      ...row,
      id: newId(),
      start_at: at,
      end_at: endAt(row, at, series.zone),
      created_at: now,
      ...changes,
      updated_at: now,
      meta: JSON.stringify({ ...meta, series_id: row.id }),
      rrule: scope === 'this' ? null : toNextRule(series, changes.rrule),
    }
    const own = { ...made, rrule: await this.#move(moveExceptions, { ...row, start_at: at }, made) }
    await events.insert(own)
    for (const attendee of await events.attendees(row.id))
      await events.invite({ ...attendee, id: newId(), event_id: own.id })
    await this.cut(row, instance)
    return own.id
  }

  /** Returns the rule of a changed event, moved as its start is; an unreadable rule stays as it is. */
  async #move(
    move: (rule: string, by: Move) => string,
    before: EventRow,
    after: EventRow,
  ): Promise<string | null> {
    if (after.rrule === null || before.rrule === null) return after.rrule
    const zone = (await this.#zoneOf(before)) ?? (await zoneOf(this.#parts, before))
    const nextZone = await this.#zoneOf(after)
    if (nextZone === null) return after.rrule
    return move(after.rrule, {
      wall: toWallTime(after.start_at, nextZone) - toWallTime(before.start_at, zone),
      elapsed: after.start_at - before.start_at,
    })
  }

  /** Returns the time zone that the rule of an event follows; null for a rule that is unreadable. */
  async #zoneOf(row: EventRow): Promise<string | null> {
    return (await readSchedule(row, await zoneOf(this.#parts, row)))?.zone ?? null
  }

  async #read(row: EventRow, at: number): Promise<Series> {
    const own = await zoneOf(this.#parts, row)
    const schedule = await readSchedule(row, own)
    if (!row.rrule || !schedule?.has(at))
      throw badRequest(
        'This event has no such time. Reload the calendar: another user may have changed it.',
        { code: 'no_such_time' },
      )
    const begin = row.start_at - 60_000
    const whole = await readSchedule({ ...row, rrule: withoutExceptions(row.rrule) }, own)
    return {
      rule: row.rrule,
      zone: schedule.zone,
      hasOwnZone: readRule(row.rrule).zone !== null,
      isFirst: schedule.between(begin, at, 1).length === 0,
      before: whole!.between(begin, at, MOST_COUNTED).length,
    }
  }
}

const cutRule = ({ rule, zone }: Series, { at, scope }: Instance): string =>
  scope === 'this' ? leaveOut(rule, at, zone) : endBefore(rule, at, zone)

/** Clients send the rule of the series back unchanged; it has only the occurrences that are left. */
const toNextRule = ({ rule, before }: Series, given: string | null | undefined): string | null =>
  given === undefined || (given !== null && isSameRule(given, rule))
    ? beginWith(rule, before)
    : given
