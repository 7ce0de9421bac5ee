import { type CSSProperties, useEffect, useId, useRef, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { ShownEvent } from '#contract/calendars.ts'
import { classNames } from '../../lib/class-names.ts'
import { useMedia } from '../../lib/use-media.ts'
import type { Day } from '../../lib/day.ts'
import { addDays, addMonths, eventsOn, isSameMonth, startOf } from './days.ts'
import { EventChip } from './event-chip.tsx'
import { formatWeekday, formatWholeDay, keyOf } from './show-event.ts'

const DAYS_OF_WEEK = 7
const MOST_CHIPS = 3

export interface GridProps {
  readonly days: readonly Day[]
  readonly day: Day
  readonly today: Day
  readonly events: readonly ShownEvent[]
  readonly colorOf: (event: ShownEvent) => string
  readonly onChoose: (day: Day) => void
  readonly onOpen: (event: ShownEvent) => void
  /** Scrolls to the events of the chosen day. */
  readonly onShowDay: (day: Day) => void
}

const MOVES: Readonly<Record<string, (day: Day) => Day>> = {
  ArrowUp: (day) => addDays(day, -DAYS_OF_WEEK),
  ArrowDown: (day) => addDays(day, DAYS_OF_WEEK),
  PageUp: (day) => addMonths(day, -1),
  PageDown: (day) => addMonths(day, 1),
}

/** Returns the day a key moves to; null for other keys. */
function moveBy(event: KeyboardEvent, day: Day): Day | null {
  const isLeftwards = getComputedStyle(event.currentTarget).direction === 'rtl'
  if (event.key === 'ArrowLeft') return addDays(day, isLeftwards ? 1 : -1)
  if (event.key === 'ArrowRight') return addDays(day, isLeftwards ? -1 : 1)
  return MOVES[event.key]?.(day) ?? null
}

function DayCell({
  date,
  isNarrow,
  ...grid
}: GridProps & { readonly date: Day; readonly isNarrow: boolean }) {
  const { t } = useTranslation()
  const { day, today, events, colorOf, onChoose, onOpen, onShowDay } = grid
  const own = eventsOn(events, date)
  const shown = own.slice(0, own.length > MOST_CHIPS ? MOST_CHIPS - 1 : MOST_CHIPS)
  const rest = own.length - shown.length
  return (
    <td
      className={classNames(
        'h-12 border border-line align-top sm:h-[clamp(4.5rem,(100dvh-13rem)/var(--weeks),9rem)] sm:p-0.5',
        !isSameMonth(date, day) && 'bg-sunken',
        date === day && 'bg-accent-soft',
      )}
    >
      <button
        type="button"
        data-day={date}
        tabIndex={date === day ? 0 : -1}
        aria-pressed={date === day}
        aria-current={date === today ? 'date' : undefined}
        aria-label={t('calendar.dayWithEvents', { day: formatWholeDay(date), count: own.length })}
        onClick={() => (date === day ? onShowDay(date) : onChoose(date))}
        className={classNames(
          'flex min-h-7 w-full items-center justify-center rounded-small tabular-nums hover:bg-hover max-sm:min-h-11 max-sm:flex-col pointer-coarse:min-h-11 sm:justify-start',
          !isSameMonth(date, day) && 'text-muted',
        )}
      >
        <span
          className={classNames(
            'grid size-6 place-items-center rounded-full',
            date === today && 'bg-accent font-semibold text-on-accent forced-colors:outline',
          )}
        >
          {startOf(date).getDate()}
        </span>
        {isNarrow && (
          <span aria-hidden="true" className="flex h-1.5 gap-0.5">
            {own.slice(0, MOST_CHIPS).map((event) => (
              <span
                key={keyOf(event)}
                className="size-1.5 rounded-full"
                style={{ backgroundColor: colorOf(event) }}
              />
            ))}
          </span>
        )}
      </button>
      {!isNarrow && (
        <div className="@container mt-0.5 flex flex-col gap-0.5">
          {shown.map((event) => (
            <EventChip
              key={keyOf(event)}
              event={event}
              color={colorOf(event)}
              isSkipped
              onOpen={() => onOpen(event)}
            />
          ))}
          {rest > 0 && (
            <button
              type="button"
              tabIndex={-1}
              onClick={() => onShowDay(date)}
              className="rounded-small px-1.5 text-start text-small text-muted hover:bg-hover hover:text-ink"
            >
              {t('calendar.more', { count: rest })}
            </button>
          )}
        </div>
      )}
    </td>
  )
}

/** A month in weeks. The days are a single Tab stop; arrows move between them. */
export function MonthGrid(props: GridProps & { readonly label: string }) {
  const { t } = useTranslation()
  const { days, day, label, onChoose } = props
  const isNarrow = useMedia('(max-width: 639px)')
  const hintId = useId()
  const table = useRef<HTMLTableElement>(null)
  const isMoved = useRef(false)
  useEffect(() => {
    if (!isMoved.current) return
    isMoved.current = false
    table.current?.querySelector<HTMLElement>(`[data-day="${day}"]`)?.focus()
  }, [day])
  const handleKey = (event: KeyboardEvent): void => {
    const next = (event.target as HTMLElement).dataset['day'] ? moveBy(event, day) : null
    if (next === null) return
    event.preventDefault()
    isMoved.current = true
    onChoose(next)
  }
  const weeks = Array.from({ length: days.length / DAYS_OF_WEEK }, (_, index) =>
    days.slice(index * DAYS_OF_WEEK, (index + 1) * DAYS_OF_WEEK),
  )
  return (
    <>
      <p id={hintId} className="sr-only">
        {t('calendar.keys')}
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of its buttons are handled in one place */}
      <table
        ref={table}
        aria-label={label}
        aria-describedby={hintId}
        onKeyDown={handleKey}
        style={{ '--weeks': weeks.length } as CSSProperties}
        className="w-full table-fixed border-collapse text-ui"
      >
        <thead>
          <tr>
            {days.slice(0, DAYS_OF_WEEK).map((date) => (
              <th
                key={date}
                scope="col"
                abbr={formatWeekday(date, 'long')}
                className="pb-1 text-center text-small font-medium text-muted sm:ps-1.5 sm:text-start"
              >
                {formatWeekday(date, 'short')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((date) => (
                <DayCell key={date} {...props} date={date} isNarrow={isNarrow} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
