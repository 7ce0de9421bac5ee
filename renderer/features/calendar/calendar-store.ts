import { createStore, type StoreApi } from 'zustand/vanilla'
import type { AccessGrant } from '#contract/access.ts'
import type {
  AttendeeStatus,
  Calendar,
  CalendarEvent,
  EventInput,
  EventInstance,
  ShownEvent,
} from '#contract/calendars.ts'
import { isAborted, toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { formatLocale } from '../../lib/i18n.ts'
import { toDay, type Day } from '../../lib/day.ts'
import { daysOf, firstWeekday, toRange, type View } from './days.ts'

const table = endpoints.calendars

export interface CalendarState {
  readonly view: View
  /** Selected day. */
  readonly day: Day
  readonly calendars: readonly Calendar[]
  /** Events of all calendars in the displayed days. */
  readonly events: readonly ShownEvent[]
  /** Ids of hidden calendars. */
  readonly hidden: ReadonlySet<string>
  readonly status: 'idle' | 'loading' | 'ready' | 'failed'
  readonly problem: string | null
}

export type CalendarStore = StoreApi<CalendarState>

/** Creates the store of the calendar view. */
export const createCalendarStore = (): CalendarStore =>
  createStore(() => ({
    view: 'month',
    day: toDay(new Date()),
    calendars: [],
    events: [],
    hidden: new Set<string>(),
    status: 'idle',
    problem: null,
  }))

export const shownDays = ({ view, day }: Pick<CalendarState, 'view' | 'day'>): Day[] =>
  daysOf(view, day, firstWeekday(formatLocale()))

const loads = new WeakMap<CalendarStore, AbortController>()

/** Loads the calendars and the events of the displayed days; a later call aborts this one. */
export async function loadCalendars(store: CalendarStore): Promise<void> {
  loads.get(store)?.abort()
  const abort = new AbortController()
  loads.set(store, abort)
  const { signal } = abort
  if (store.getState().status !== 'ready') store.setState({ status: 'loading' })
  try {
    const [calendars, events] = await Promise.all([
      call(table.list, {}, { signal }),
      call(table.events, { query: toRange(shownDays(store.getState())) }, { signal }),
    ])
    store.setState({ calendars, events, status: 'ready', problem: null })
  } catch (thrown) {
    if (!isAborted(thrown)) store.setState({ status: 'failed', problem: toSentence(thrown) })
  }
}

/** Changes the displayed days. */
export function lookAt(
  store: CalendarStore,
  place: Partial<Pick<CalendarState, 'view' | 'day'>>,
): void {
  const before = shownDays(store.getState())[0]
  const { view } = store.getState()
  store.setState(place)
  if (
    shownDays(store.getState())[0] !== before ||
    (place.view !== undefined && place.view !== view)
  )
    void loadCalendars(store)
}

export function toggleShown(store: CalendarStore, id: string): void {
  const hidden = new Set(store.getState().hidden)
  if (!hidden.delete(id)) hidden.add(id)
  store.setState({ hidden })
}

/** Resolves with an event as stored; for a recurring one, its first occurrence. */
export const readEvent = (id: string): Promise<CalendarEvent> =>
  call(table.getEvent, { params: { event_id: id } })

/**
 * Saves an event. `instance` selects one occurrence of a series; without it, the whole series is
 * saved.
 */
export async function saveEvent(
  store: CalendarStore,
  before: { readonly id: string; readonly instance: EventInstance } | null,
  body: EventInput,
): Promise<void> {
  await (before
    ? call(table.updateEvent, {
        params: { event_id: before.id },
        body: { ...body, ...before.instance },
      })
    : call(table.createEvent, { body }))
  await loadCalendars(store)
}

export async function removeEvent(
  store: CalendarStore,
  id: string,
  instance: EventInstance,
): Promise<void> {
  await call(table.removeEvent, { params: { event_id: id }, query: instance })
  await loadCalendars(store)
}

export async function answerInvitation(
  store: CalendarStore,
  id: string,
  status: AttendeeStatus,
): Promise<void> {
  await call(table.answer, { params: { event_id: id }, body: { status } })
  await loadCalendars(store)
}

export async function saveCalendar(
  store: CalendarStore,
  before: Calendar | null,
  body: { readonly name: string; readonly color: string },
): Promise<void> {
  await (before
    ? call(table.update, { params: { calendar_id: before.id }, body })
    : call(table.create, { body }))
  await loadCalendars(store)
}

export async function shareCalendar(
  store: CalendarStore,
  { id }: Calendar,
  grants: readonly AccessGrant[],
): Promise<void> {
  await call(table.update, { params: { calendar_id: id }, body: { access_grants: [...grants] } })
  await loadCalendars(store)
}

export async function makeDefault(store: CalendarStore, { id }: Calendar): Promise<void> {
  await call(table.makeDefault, { params: { calendar_id: id } })
  await loadCalendars(store)
}

export async function removeCalendar(store: CalendarStore, { id }: Calendar): Promise<void> {
  await call(table.remove, { params: { calendar_id: id } })
  await loadCalendars(store)
}
