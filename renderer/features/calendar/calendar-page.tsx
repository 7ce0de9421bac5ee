import { ChevronLeft, ChevronRight, Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { CalendarEvent, ShownEvent } from '#contract/calendars.ts'
import { classNames } from '../../lib/class-names.ts'
import { useToday } from '../../lib/use-today.ts'
import { Button } from '../../ui/controls/button.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { FailedLine } from '../../ui/lists/failed-line.tsx'
import { HeadTools } from '../../ui/lists/page-head.tsx'
import type { PrincipalLoaders } from '../../ui/access/principal-search.tsx'
import { SelectBox } from '../../ui/controls/select.tsx'
import { toastError } from '../../ui/floating/toast.tsx'
import {
  loadCalendars,
  lookAt,
  readEvent,
  shownDays,
  type CalendarStore,
} from './calendar-store.ts'
import { CalendarsPanel } from './calendars-panel.tsx'
import { DayAgenda } from './day-agenda.tsx'
import { type Day, toDay } from '../../lib/day.ts'
import { isSameMonth, step, type View } from './days.ts'
import { EventDetails } from './event-details.tsx'
import { EventDialog } from './event-dialog.tsx'
import { newForm, toForm } from './event-form.ts'
import { MonthGrid } from './month-grid.tsx'
import { colorOf, formatMonth } from './show-event.ts'
import { WeekGrid } from './week-grid.tsx'
import './strings.ts'

export interface CalendarPageProps {
  readonly store: CalendarStore
  readonly userId: string
  readonly people: PrincipalLoaders
  readonly mayOpenToAll: boolean
}

type Sheet =
  | { readonly kind: 'new' }
  | { readonly kind: 'edit'; readonly event: CalendarEvent; readonly time: ShownEvent | null }
  | { readonly kind: 'details'; readonly event: ShownEvent }

const VIEWS: readonly View[] = ['month', 'week']

/**
 * Loads the calendars initially and whenever the window becomes visible, since others may have
 * changed something.
 */
function useCalendars(store: CalendarStore): void {
  useEffect(() => {
    const load = (): void => {
      if (document.visibilityState === 'visible') void loadCalendars(store)
    }
    load()
    document.addEventListener('visibilitychange', load)
    window.addEventListener('focus', load)
    return () => {
      document.removeEventListener('visibilitychange', load)
      window.removeEventListener('focus', load)
    }
  }, [store])
}

function Toolbar({ store, today }: { store: CalendarStore; today: Day }) {
  const { t } = useTranslation()
  const { view, day } = useStore(store)
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <IconButton
        label={t(`calendar.earlier.${view}`)}
        icon={<ChevronLeft className="rtl:-scale-x-100" />}
        onClick={() => lookAt(store, { day: step(view, day, -1) })}
      />
      <IconButton
        label={t(`calendar.later.${view}`)}
        icon={<ChevronRight className="rtl:-scale-x-100" />}
        onClick={() => lookAt(store, { day: step(view, day, 1) })}
      />
      <h2 aria-live="polite" className="text-head-1 font-semibold">
        {formatMonth(day)}
      </h2>
      <div className="ms-auto flex items-center gap-2">
        {/* A phone has room for it only where it leads somewhere. */}
        <Button
          className={classNames(isSameMonth(day, today) && 'max-sm:hidden')}
          onClick={() => lookAt(store, { day: toDay(new Date()) })}
        >
          {t('calendar.today')}
        </Button>
        <SelectBox
          isNarrow
          aria-label={t('calendar.view')}
          value={view}
          className="h-control!"
          options={VIEWS.map((value) => ({ value, label: t(`calendar.views.${value}`) }))}
          onChange={(value) => lookAt(store, { view: value as View })}
        />
      </div>
    </div>
  )
}

interface SheetsProps extends CalendarPageProps {
  readonly sheet: Sheet
  readonly onClose: () => void
}

function Sheets({ store, userId, people, sheet, onClose }: SheetsProps) {
  const { calendars, day } = useStore(store)
  if (sheet.kind === 'details')
    return <EventDetails {...{ store, userId, people, onClose }} event={sheet.event} />
  const writable = calendars.filter(({ write_access }) => write_access)
  const first = writable.find(({ is_default }) => is_default) ?? writable[0]
  const event = sheet.kind === 'edit' ? sheet.event : null
  return (
    <EventDialog
      store={store}
      event={event}
      time={sheet.kind === 'edit' ? sheet.time : null}
      start={event ? toForm(event) : newForm(day, first?.id ?? '')}
      calendars={writable}
      people={people}
      onClose={onClose}
    />
  )
}

/** Calendars by month and week, with everything on the chosen day below. */
export function CalendarPage(props: CalendarPageProps) {
  const { store } = props
  const { t } = useTranslation()
  const state = useStore(store)
  const { view, day, hidden, status, problem } = state
  const today = toDay(new Date(useToday()))
  const heading = useRef<HTMLHeadingElement>(null)
  const [sheet, setSheet] = useState<Sheet | null>(null)
  useCalendars(store)
  const byId = new Map(state.calendars.map((each) => [each.id, each]))
  const events = state.events.filter(({ calendar_id }) => !hidden.has(calendar_id))
  const open = async (event: ShownEvent): Promise<void> => {
    if (byId.get(event.calendar_id)?.write_access !== true)
      return setSheet({ kind: 'details', event })
    try {
      const time = event.instance_id === null ? null : event
      setSheet({ kind: 'edit', event: await readEvent(event.id), time })
    } catch (thrown) {
      toastError(thrown)
    }
  }
  const Grid = view === 'month' ? MonthGrid : WeekGrid
  return (
    <>
      <HeadTools count={null}>
        <Button
          tone="primary"
          icon={<Plus className="size-4" />}
          onClick={() => setSheet({ kind: 'new' })}
        >
          {t('calendar.newEvent')}
        </Button>
      </HeadTools>
      <p className="mb-4 text-pretty text-muted md:-mt-2">{t('calendar.text')}</p>
      {status === 'failed' && (
        <FailedLine
          title={t('calendar.loadFailed')}
          problem={problem}
          onRetry={() => void loadCalendars(store)}
        />
      )}
      <Toolbar store={store} today={today} />
      <Grid
        label={formatMonth(day)}
        days={shownDays(state)}
        day={day}
        today={today}
        events={events}
        colorOf={(event) => colorOf(event, byId.get(event.calendar_id))}
        onChoose={(chosen) => lookAt(store, { day: chosen })}
        onOpen={(event) => void open(event)}
        onShowDay={(chosen) => {
          lookAt(store, { day: chosen })
          heading.current?.focus()
        }}
      />
      <div className="mt-6 grid gap-8 sm:grid-cols-2">
        <DayAgenda
          day={day}
          events={status === 'idle' || status === 'loading' ? null : events}
          calendars={byId}
          heading={heading}
          onOpen={(event) => void open(event)}
          onCreate={() => setSheet({ kind: 'new' })}
        />
        <CalendarsPanel {...props} />
      </div>
      {sheet && <Sheets {...props} sheet={sheet} onClose={() => setSheet(null)} />}
    </>
  )
}
