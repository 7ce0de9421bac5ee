import { Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Ref } from 'react'
import type { Calendar, ShownEvent } from '#contract/calendars.ts'
import { Button } from '../../ui/controls/button.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import type { Day } from '../../lib/day.ts'
import { eventsOn } from './days.ts'
import { calendarName, colorOf, formatSpan, formatWholeDay, keyOf } from './show-event.ts'

interface DayAgendaProps {
  readonly day: Day
  /** Null until they are loaded. */
  readonly events: readonly ShownEvent[] | null
  readonly calendars: ReadonlyMap<string, Calendar>
  readonly heading: Ref<HTMLHeadingElement>
  readonly onOpen: (event: ShownEvent) => void
  readonly onCreate: () => void
}

/** All events of one day, each with its time and calendar as text. */
export function DayAgenda({ day, events, calendars, heading, onOpen, onCreate }: DayAgendaProps) {
  const { t } = useTranslation()
  const own = events && eventsOn(events, day)
  const name = formatWholeDay(day)
  return (
    <section aria-label={name} className="min-w-0">
      <div className="mb-2 flex items-center justify-between gap-3">
        <h2 ref={heading} tabIndex={-1} className="min-w-0 font-semibold outline-none">
          {name}
        </h2>
        <Button
          icon={<Plus className="size-4" />}
          aria-label={t('calendar.newEventOn', { day: name })}
          onClick={onCreate}
        >
          {t('calendar.newEvent')}
        </Button>
      </div>
      {own === null && <PageWait shape="lines" />}
      {own?.length === 0 && <p className="text-muted">{t('calendar.nothing')}</p>}
      <ul className="flex flex-col gap-1.5">
        {own?.map((event) => {
          const calendar = calendars.get(event.calendar_id)
          return (
            <li key={keyOf(event)}>
              <button
                type="button"
                onClick={() => onOpen(event)}
                style={{ borderInlineStartColor: colorOf(event, calendar) }}
                className="w-full rounded-medium border border-s-4 border-line px-3 py-2 text-start hover:bg-hover"
              >
                <bdi className="block font-medium wrap-anywhere">
                  {event.title || t('calendar.untitled')}
                </bdi>
                <span className="block text-small text-muted">
                  {event.all_day ? t('calendar.allDay') : formatSpan(event)}
                  {calendar && (
                    <>
                      {' · '}
                      <bdi>{calendarName(calendar)}</bdi>
                    </>
                  )}
                  {event.location && (
                    <>
                      {' · '}
                      <bdi className="wrap-anywhere">{event.location}</bdi>
                    </>
                  )}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
