import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Calendar, CalendarEvent, EventInstance, ShownEvent } from '#contract/calendars.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import type { PrincipalLoaders } from '../../ui/access/principal-search.tsx'
import { Select } from '../../ui/controls/select.tsx'
import { AttendeesField } from './attendees-field.tsx'
import { removeEvent, saveEvent, type CalendarStore } from './calendar-store.ts'
import { EventFields } from './event-fields.tsx'
import { endsFirst, onTimeOf, toInput, type EventForm } from './event-form.ts'

interface EventDialogProps {
  readonly store: CalendarStore
  /** Event to edit; null for a new one. */
  readonly event: CalendarEvent | null
  readonly start: EventForm
  /** The occurrence of a series that was opened; null for an event that does not repeat. */
  readonly time: ShownEvent | null
  readonly calendars: readonly Calendar[]
  readonly people: PrincipalLoaders
  readonly onClose: () => void
}

const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

const SCOPES = ['this', 'following', 'all'] as const
type Scope = (typeof SCOPES)[number]

const toInstance = (scope: Scope, time: ShownEvent | null): EventInstance =>
  scope === 'all' || !time ? {} : { instance_at: time.start_at, scope }

function removeText(scope: Scope, event: CalendarEvent | null) {
  if (scope === 'this') return 'calendar.removeThisText'
  if (scope === 'following') return 'calendar.removeFollowingText'
  return event?.rrule ? 'calendar.removeSeriesText' : 'calendar.removeEventText'
}

/** Dialog that creates or edits an event. */
export function EventDialog({
  store,
  event,
  start,
  time,
  calendars,
  people,
  onClose,
}: EventDialogProps) {
  const { t } = useTranslation()
  const [scope, setScope] = useState<Scope>(time ? 'this' : 'all')
  const [form, setForm] = useState(() => onTimeOf(start, event, time))
  const [isAsking, setAsking] = useState(false)
  const change = (part: Partial<EventForm>): void => setForm((before) => ({ ...before, ...part }))
  const saving = useAction(async () => {
    if (endsFirst(form)) throw new Error(t('calendar.endFirst'))
    const instance = toInstance(scope, time)
    await saveEvent(store, event && { id: event.id, instance }, toInput(form, event, ownZone()))
  }, onClose)
  const removing = useAction(() => removeEvent(store, event!.id, toInstance(scope, time)), onClose)
  const choose = (next: Scope): void => {
    setScope(next)
    // For the whole series, the first occurrence is edited and the others follow it.
    const [before, after] = [scope, next].map((each) =>
      onTimeOf(start, event, each === 'all' ? null : time),
    ) as [EventForm, EventForm]
    const { startDay, endDay } = after
    change({
      startDay,
      endDay,
      ...(form.startTime === before.startTime && { startTime: after.startTime }),
      ...(form.endTime === before.endTime && { endTime: after.endTime }),
    })
  }
  const title = event?.title || t('calendar.untitled')
  if (isAsking)
    return (
      <ConfirmDialog
        onClose={() => setAsking(false)}
        title={t('calendar.removeEvent', { title })}
        description={removing.problem ?? t(removeText(scope, event))}
        confirmLabel={t('common.delete')}
        danger
        busy={removing.busy}
        onConfirm={() => void removing.run()}
      />
    )
  return (
    <FormDialog
      title={event ? t('calendar.editEvent', { title }) : t('calendar.newEvent')}
      submission={saving}
      furtherActions={
        event && (
          <Button tone="quiet" className="me-auto text-danger!" onClick={() => setAsking(true)}>
            {t('common.delete')}
          </Button>
        )
      }
      onClose={onClose}
    >
      {time && (
        <Select
          label={t('calendar.scope')}
          value={scope}
          options={SCOPES.map((value) => ({ value, label: t(`calendar.scopes.${value}`) }))}
          onChange={(value) => choose(value as Scope)}
        />
      )}
      {event?.rrule && scope === 'all' && (
        <p className="text-small text-muted">{t('calendar.wholeSeries')}</p>
      )}
      <EventFields
        form={form}
        calendars={calendars}
        mayRepeat={scope !== 'this'}
        onChange={change}
      />
      <AttendeesField
        ids={form.attendees}
        answers={event?.attendees ?? []}
        people={people}
        onChange={(attendees) => change({ attendees })}
      />
    </FormDialog>
  )
}
