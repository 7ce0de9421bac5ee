import { CalendarCheck, Pencil, Plus, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Calendar } from '#contract/calendars.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import { MenuItem } from '../../ui/floating/menu.tsx'
import { MoreMenu, RemovalItem } from '../../ui/floating/more-menu.tsx'
import type { PrincipalLoaders } from '../../ui/access/principal-search.tsx'
import { toastError } from '../../ui/floating/toast.tsx'
import { CalendarEditor, RemoveCalendar, ShareCalendar } from './calendar-dialogs.tsx'
import { makeDefault, toggleShown, type CalendarStore } from './calendar-store.ts'
import { calendarName, colorOf } from './show-event.ts'

interface CalendarsPanelProps {
  readonly store: CalendarStore
  readonly userId: string
  readonly people: PrincipalLoaders
  readonly mayOpenToAll: boolean
}

type Sheet =
  | { readonly kind: 'edit'; readonly calendar: Calendar | null }
  | { readonly kind: 'share' | 'remove'; readonly calendar: Calendar }

interface CalendarMenuProps {
  readonly store: CalendarStore
  readonly calendar: Calendar
  readonly isOwn: boolean
  readonly onSheet: (sheet: Sheet) => void
}

function CalendarMenu({ store, calendar, isOwn, onSheet }: CalendarMenuProps) {
  const { t } = useTranslation()
  const name = calendarName(calendar)
  return (
    <MoreMenu label={t('calendar.actionsOf', { name })}>
      <MenuItem icon={<Pencil />} onSelect={() => onSheet({ kind: 'edit', calendar })}>
        {t('common.edit')}
      </MenuItem>
      {isOwn && (
        <MenuItem icon={<UsersRound />} onSelect={() => onSheet({ kind: 'share', calendar })}>
          {t('calendar.share')}
        </MenuItem>
      )}
      {isOwn && !calendar.is_default && (
        <>
          <MenuItem
            icon={<CalendarCheck />}
            onSelect={() => void makeDefault(store, calendar).catch(toastError)}
          >
            {t('calendar.makeDefault')}
          </MenuItem>
          <RemovalItem onSelect={() => onSheet({ kind: 'remove', calendar })} />
        </>
      )}
    </MoreMenu>
  )
}

/** The user's calendars, with controls to show, hide, create and edit them. */
export function CalendarsPanel({ store, userId, people, mayOpenToAll }: CalendarsPanelProps) {
  const { t } = useTranslation()
  const { calendars, hidden, status } = useStore(store)
  const [sheet, setSheet] = useState<Sheet | null>(null)
  const close = (): void => setSheet(null)
  return (
    <section aria-label={t('calendar.calendars')} className="min-w-0">
      <div className="mb-2 flex items-center justify-between gap-3">
        <h2 className="font-semibold">{t('calendar.calendars')}</h2>
        <Button
          icon={<Plus className="size-4" />}
          onClick={() => setSheet({ kind: 'edit', calendar: null })}
        >
          {t('calendar.newCalendar')}
        </Button>
      </div>
      {(status === 'idle' || status === 'loading') && <PageWait shape="lines" />}
      <ul>
        {calendars.map((calendar) => {
          const isOwn = calendar.user_id === userId && !calendar.is_system
          const name = calendarName(calendar)
          return (
            <li key={calendar.id} className="flex min-h-11 items-center gap-2">
              <Checkbox
                label={t('calendar.show', { name })}
                checked={!hidden.has(calendar.id)}
                onChange={() => toggleShown(store, calendar.id)}
              />
              <span
                aria-hidden="true"
                className="size-3 shrink-0 rounded-full"
                style={{ backgroundColor: colorOf(null, calendar) }}
              />
              <bdi className="min-w-0 truncate">{name}</bdi>
              <span className="flex-1 text-small text-muted">
                {calendar.is_default && t('calendar.isDefault')}
                {!isOwn && !calendar.is_system && t('calendar.isShared')}
              </span>
              {calendar.write_access && (
                <CalendarMenu store={store} calendar={calendar} isOwn={isOwn} onSheet={setSheet} />
              )}
            </li>
          )
        })}
      </ul>
      {sheet?.kind === 'edit' && (
        <CalendarEditor store={store} calendar={sheet.calendar} onClose={close} />
      )}
      {sheet?.kind === 'share' && (
        <ShareCalendar
          store={store}
          calendar={sheet.calendar}
          people={people}
          mayOpenToAll={mayOpenToAll}
          onClose={close}
        />
      )}
      {sheet?.kind === 'remove' && (
        <RemoveCalendar store={store} calendar={sheet.calendar} onClose={close} />
      )}
    </section>
  )
}
