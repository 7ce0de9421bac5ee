import { toWallTime } from '../lib/recurrence/wall-clock.ts'
import { findZone, readSchedule, zoneOf } from './find-times.ts'
import type { CalendarsParts } from './parts.ts'
import { mayRead } from './rights.ts'
import type { EventRow } from './store.ts'
import { toObject } from './to-calendar.ts'

const MINUTE = 60_000
/** Four weeks. */
const MOST_MINUTES = 40_320
/** Maximum time between checks, since the clock may be changed and the computer may sleep. */
const LONGEST_WAIT = 30_000
const MOST_AT_A_TIME = 100
/** Reminders for events that started longer ago are dropped. */
const GRACE = 2 * MINUTE

/**
 * Returns the minutes before an event at which its attendees are reminded; null for no reminder.
 */
export function minutesOf(row: Pick<EventRow, 'meta'>): number | null {
  const minutes = toObject(row.meta)?.['reminder_minutes']
  const isOne = typeof minutes === 'number' && Number.isInteger(minutes)
  return isOne && minutes >= 0 && minutes <= MOST_MINUTES ? minutes : null
}

/**
 * Sends reminders of events when they are due. The row stores the time, and the gateway that first
 * writes the next one sends the reminder.
 */
export class Reminders {
  readonly #parts: CalendarsParts
  #timer: NodeJS.Timeout | null = null
  #looking: Promise<void> | null = null
  #isClosed = false

  constructor(parts: CalendarsParts) {
    this.#parts = parts
  }

  /** Stores the time of the next reminder, after the event was written. */
  async plan(eventId: string): Promise<void> {
    const row = await this.#parts.events.get(eventId)
    if (row)
      await this.#parts.events.update(eventId, { remind_at: await this.#next(row, Date.now()) })
  }

  /** Plans the reminders of a user's series again, after the user chose another time zone. */
  async planAgain(userId: string): Promise<void> {
    const { events, storage } = this.#parts
    let last = ''
    let rows: EventRow[]
    do {
      rows = await events.plannedBy(userId, last, MOST_AT_A_TIME)
      for (const { id } of rows) await storage.transaction(() => this.plan(id))
      last = rows.at(-1)?.id ?? last
    } while (rows.length === MOST_AT_A_TIME)
  }

  /** Sends the due reminders, and schedules the next check. */
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
      let due: EventRow[]
      do {
        due = await events.toRemind(Date.now(), MOST_AT_A_TIME)
        for (const row of due) if (!this.#isClosed) await this.#serve(row)
      } while (due.length === MOST_AT_A_TIME && !this.#isClosed)
    } catch (error) {
      log.error({ error }, 'due reminders could not be read')
    }
  }

  async #serve(row: EventRow): Promise<void> {
    const now = Date.now()
    const start = row.remind_at! + (minutesOf(row) ?? 0) * MINUTE
    const isMine = await this.#parts.events.claimReminder(row, await this.#next(row, now))
    if (isMine && start > now - GRACE) await this.#tell(row, start)
  }

  /**
   * Returns the time of the first reminder after a given time; null for a rule that cannot be
   * parsed.
   */
  async #next(row: EventRow, after: number): Promise<number | null> {
    const minutes = minutesOf(row)
    if (minutes === null || row.is_cancelled === 1) return null
    const lead = minutes * MINUTE
    const schedule = row.rrule ? await readSchedule(row, await zoneOf(this.#parts, row)) : null
    const [start] = schedule ? schedule.next(after + lead, 1) : [row.start_at]
    return start !== undefined && start - lead > after ? start - lead : null
  }

  /**
   * Notifies the creator, if they may still read the calendar, and the attendees who have not
   * declined, each in their own time zone.
   */
  async #tell(row: EventRow, start: number): Promise<void> {
    const { calendars, events, users } = this.#parts
    const calendar = await calendars.get(row.calendar_id)
    const attendees = await events.attendees(row.id)
    const invited = new Set(
      attendees.filter(({ status }) => status !== 'declined').map(({ user_id }) => user_id),
    )
    for (const userId of new Set([row.user_id, ...invited])) {
      const user = await users.get(userId)
      if (!user || user.role === 'pending') continue
      const caller = { userId, role: user.role }
      if (!invited.has(userId) && !(calendar && (await mayRead(this.#parts, caller, calendar))))
        continue
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
