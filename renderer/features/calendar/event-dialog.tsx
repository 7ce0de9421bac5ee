import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Calendar, CalendarEvent } from '#contract/calendars.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import type { PrincipalLoaders } from '../../ui/principal-search.tsx'
import { AttendeesField } from './attendees-field.tsx'
import { removeEvent, saveEvent, type CalendarStore } from './calendar-store.ts'
import { EventFields } from './event-fields.tsx'
import { endsFirst, toInput, type EventForm } from './event-form.ts'

interface EventDialogProps {
  readonly store: CalendarStore
  /** Null for a new one. */
  readonly event: CalendarEvent | null
  readonly start: EventForm
  readonly calendars: readonly Calendar[]
  readonly people: PrincipalLoaders
  readonly onClose: () => void
}

const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Makes an event, or changes one. */
export function EventDialog({ store, event, start, calendars, people, onClose }: EventDialogProps) {
  const { t } = useTranslation()
  const formId = useId()
  const [form, setForm] = useState(start)
  const [isAsking, setAsking] = useState(false)
  const change = (part: Partial<EventForm>): void => setForm((before) => ({ ...before, ...part }))
  const saving = useAction(async () => {
    if (endsFirst(form)) throw new Error(t('calendar.endFirst'))
    await saveEvent(store, event, toInput(form, event, ownZone()))
  }, onClose)
  const removing = useAction(() => removeEvent(store, event!.id), onClose)
  const title = event?.title || t('calendar.untitled')
  if (isAsking)
    return (
      <ConfirmDialog
        open
        onOpenChange={(isOpen) => !isOpen && setAsking(false)}
        title={t('calendar.removeEvent', { title })}
        description={
          removing.problem ??
          (event?.rrule ? t('calendar.removeSeriesText') : t('calendar.removeEventText'))
        }
        confirmLabel={t('common.delete')}
        danger
        busy={removing.busy}
        onConfirm={() => void removing.run()}
      />
    )
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={event ? t('calendar.editEvent', { title }) : t('calendar.newEvent')}
      actions={
        <>
          {event && (
            <Button tone="quiet" className="me-auto text-danger" onClick={() => setAsking(true)}>
              {t('common.delete')}
            </Button>
          )}
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button tone="primary" type="submit" form={formId} busy={saving.busy}>
            {t('common.save')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={saving.handleSubmit} className="flex flex-col gap-5">
        <FormProblem text={saving.problem} />
        {event?.rrule && <p className="text-small text-muted">{t('calendar.wholeSeries')}</p>}
        <EventFields form={form} calendars={calendars} onChange={change} />
        <AttendeesField
          ids={form.attendees}
          answers={event?.attendees ?? []}
          people={people}
          onChange={(attendees) => change({ attendees })}
        />
      </form>
    </Dialog>
  )
}
