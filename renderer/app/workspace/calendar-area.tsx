import { useStore } from 'zustand'
import { CalendarPage } from '../../features/calendar/calendar-page.tsx'
import { createCalendarStore } from '../../features/calendar/calendar-store.ts'
import { isPermitted } from '../person/permissions.ts'
import { principals } from '../person/principals.ts'
import { sessionStore } from '../stores.ts'

const calendarStore = createCalendarStore()

/** The calendars of the workspace. */
export function CalendarArea() {
  const userId = useStore(sessionStore, ({ user }) => user?.id ?? '')
  const mayOpenToAll = useStore(sessionStore, isPermitted('sharing.public_calendars'))
  return (
    <CalendarPage
      store={calendarStore}
      userId={userId}
      people={principals}
      mayOpenToAll={mayOpenToAll}
    />
  )
}
