import { toWallTime } from '../lib/recurrence/wall-clock.ts'
import { findZone, readSchedule, zoneOf } from './find-times.ts'
import type { CalendarsParts } from './parts.ts'
import type { EventRow } from './store.ts'
import { toObject } from './to-calendar.ts'

const MINUTE = 60_000
/** Four weeks. */
const MOST_MINUTES = 40_320
/** A clock may be set, and a computer sleep, so that it is looked at again at least so often. */
const LONGEST_WAIT = 30_000
const MOST_AT_A_TIME = 100
/** What has begun so long ago is no news. */
const GRACE = 2 * MINUTE

/** How long before an event its people are reminded of it; null for not at all. */
export function minutesOf(row: Pick<EventRow, 'meta'>): number | null {
  const minutes = toObject(row.meta)?.['reminder_minutes']
  const isOne = typeof minutes === 'number' && Number.isInteger(minutes)
  return isOne && minutes >= 0 && minutes <= MOST_MINUTES ? minutes : null
}

/**
 * Reminds of events when it is time. The time stands in the row, and whichever gateway puts the next
 * one there first is the one that tells.
 */
export class Reminders {
  readonly #parts: CalendarsParts
  #timer: NodeJS.Timeout | null = null
  #looking: Promise<void> | null = null
  #isClosed = false

  constructor(parts: CalendarsParts) {
    this.#parts = parts
  }

  /** Notes when an event is reminded of next, after it was written. */
  async plan(eventId: string): Promise<void> {
    const row = await this.#parts.events.get(eventId)
    if (row)
      await this.#parts.events.update(eventId, { remind_at: await this.#next(row, Date.now()) })
  }

  /** Looks what is due now, and again later. */
  look(): Promise<void> {
    return (this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = null
      this.#wait()
    }))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer) clearTimeout(this.#timer)
    await this.#looking
  }

  #wait(): void {
    if (this.#timer) clearTimeout(this.#timer)
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.look(), LONGEST_WAIT).unref()
  }

  async #lookOnce(): Promise<void> {
    const { events, log, settings } = this.#parts
    if (!settings.get('ENABLE_CALENDAR')) return
    try {
      for (const row of await events.toRemind(Date.now(), MOST_AT_A_TIME))
        if (!this.#isClosed) await this.#serve(row)
    } catch (error) {
      log.error({ error }, 'events to be reminded of could not be looked for')
    }
  }

  async #serve(row: EventRow): Promise<void> {
    const now = Date.now()
    const start = row.remind_at! + (minutesOf(row) ?? 0) * MINUTE
    const isMine = await this.#parts.events.claimReminder(row, await this.#next(row, now))
    if (isMine && start > now - GRACE) await this.#tell(row, start)
  }

  /** The first reminder after a moment; a rule that cannot be read has none. */
  async #next(row: EventRow, after: number): Promise<number | null> {
    const minutes = minutesOf(row)
    if (minutes === null || row.is_cancelled === 1) return null
    const lead = minutes * MINUTE
    const schedule = row.rrule ? await readSchedule(row, await zoneOf(this.#parts, row)) : null
    const [start] = schedule ? schedule.next(after + lead, 1) : [row.start_at]
    return start !== undefined && start - lead > after ? start - lead : null
  }

  /** Tells whoever made it and those invited who have not declined, each with their own clock. */
  async #tell(row: EventRow, start: number): Promise<void> {
    const { events, users } = this.#parts
    const attendees = await events.attendees(row.id)
    const invited = attendees.filter(({ status }) => status !== 'declined')
    for (const userId of new Set([row.user_id, ...invited.map(({ user_id }) => user_id)])) {
      const user = await users.get(userId)
      if (!user || user.role === 'pending') continue
      const clock = new Date(toWallTime(start, await findZone(this.#parts, userId)))
      const time =
        row.all_day === 1 ? clock.toISOString().slice(0, 10) : clock.toISOString().slice(11, 16)
      this.#parts.notices.emit(userId, {
        chat_id: null,
        message_id: null,
        data: { type: 'notification', data: { type: 'info', content: `${time} · ${row.title}` } },
      })
    }
  }
}
