import { useTranslation } from 'react-i18next'
import { classNames } from '../../lib/class-names.ts'
import type { Day } from '../../lib/day.ts'
import { eventsOn, startOf } from './days.ts'
import { EventChip } from './event-chip.tsx'
import type { GridProps } from './month-grid.tsx'
import { formatWeekday, formatWholeDay, keyOf } from './show-event.ts'

function DayColumn({ date, ...grid }: Omit<GridProps, 'days'> & { readonly date: Day }) {
  const { t } = useTranslation()
  const { day, today, events, colorOf, onChoose, onOpen } = grid
  const own = eventsOn(events, date)
  return (
    <li
      className={classNames(
        'min-w-0 rounded-medium border border-line p-1 sm:min-h-64',
        date === day && 'outline-2 -outline-offset-2 outline-accent',
      )}
    >
      <button
        type="button"
        aria-pressed={date === day}
        aria-current={date === today ? 'date' : undefined}
        onClick={() => onChoose(date)}
        className={classNames(
          'mb-1 flex w-full items-baseline gap-1.5 rounded-small px-1.5 py-0.5 hover:bg-hover pointer-coarse:min-h-11',
          date === today && 'font-semibold text-accent',
        )}
      >
        <span className="sr-only">
          {t('calendar.dayWithEvents', { day: formatWholeDay(date), count: own.length })}
        </span>
        <span aria-hidden="true" className="text-small text-muted">
          {formatWeekday(date, 'short')}
        </span>
        <span aria-hidden="true" className="tabular-nums">
          {startOf(date).getDate()}
        </span>
      </button>
      <ul className="flex flex-col gap-1">
        {own.map((event) => (
          <li key={keyOf(event)}>
            <EventChip event={event} color={colorOf(event)} onOpen={() => onOpen(event)} />
          </li>
        ))}
      </ul>
    </li>
  )
}

/** A week with one column per day; on phones the days are stacked. */
export function WeekGrid({ days, label, ...rest }: GridProps & { readonly label: string }) {
  return (
    <ol aria-label={label} className="grid gap-1 sm:grid-cols-7">
      {days.map((date) => (
        <DayColumn key={date} {...rest} date={date} />
      ))}
    </ol>
  )
}
