import { useTranslation } from 'react-i18next'
import type { AttendeeStatus, ShownEvent } from '#contract/calendars.ts'
import { useAction } from '../../api/use-action.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { chatPath, workspacePath } from '../../lib/router.ts'
import { ButtonLink } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import type { PrincipalLoaders } from '../../ui/access/principal-search.tsx'
import { Select } from '../../ui/controls/select.tsx'
import { AttendeesField } from './attendees-field.tsx'
import { answerInvitation, type CalendarStore } from './calendar-store.ts'
import { daysOfEvent } from './days.ts'
import { formatSpan, formatWholeDay } from './show-event.ts'

const ANSWERS: readonly AttendeeStatus[] = ['pending', 'accepted', 'tentative', 'declined']
const RUN_STATUSES = ['running', 'success', 'error', 'cancelled', 'missed', 'skipped'] as const

interface EventDetailsProps {
  readonly store: CalendarStore
  readonly event: ShownEvent
  readonly userId: string
  readonly people: PrincipalLoaders
  readonly onClose: () => void
}

/** Links of an automation: to the chat of its run, and to its settings. */
function AutomationLinks({ event }: { readonly event: ShownEvent }) {
  const { t } = useTranslation()
  const chatId = event.meta?.['chat_id']
  return (
    <>
      {typeof chatId === 'string' && (
        <ButtonLink href={chatPath(chatId)} onClick={handleLink}>
          {t('calendar.openChat')}
        </ButtonLink>
      )}
      <ButtonLink href={workspacePath('automations')} onClick={handleLink}>
        {t('calendar.openAutomations')}
      </ButtonLink>
    </>
  )
}

/** Read-only details of an event, with a response if the user is invited. */
export function EventDetails({ store, event, userId, people, onClose }: EventDetailsProps) {
  const { t } = useTranslation()
  const answering = useAction(
    (status: AttendeeStatus) => answerInvitation(store, event.id, status),
    onClose,
  )
  const own = event.attendees.find(({ user_id }) => user_id === userId)
  const isAutomation = typeof event.meta?.['automation_id'] === 'string'
  const status = RUN_STATUSES.find((each) => each === event.meta?.['run_status'])
  const day = formatWholeDay(daysOfEvent(event).first)
  return (
    <Dialog
      onClose={onClose}
      title={event.title || t('calendar.untitled')}
      description={`${day} · ${event.all_day ? t('calendar.allDay') : formatSpan(event)}`}
      actions={isAutomation ? <AutomationLinks event={event} /> : undefined}
    >
      <div className="flex flex-col gap-4">
        <FormProblem text={answering.problem} />
        {status && <p>{t(`calendar.runStatuses.${status}`)}</p>}
        {event.user && (
          <p className="text-small text-muted">{t('calendar.madeBy', { name: event.user.name })}</p>
        )}
        {event.location && <p className="wrap-anywhere">{event.location}</p>}
        {event.description && (
          <p className="wrap-anywhere whitespace-pre-wrap" dir="auto">
            {event.description}
          </p>
        )}
        {own && (
          <Select
            label={t('calendar.answer')}
            value={own.status}
            disabled={answering.busy}
            options={ANSWERS.map((value) => ({ value, label: t(`calendar.answers.${value}`) }))}
            onChange={(value) => void answering.run(value as AttendeeStatus)}
          />
        )}
        {event.attendees.length > 0 && (
          <AttendeesField
            ids={event.attendees.map(({ user_id }) => user_id)}
            answers={event.attendees}
            people={people}
          />
        )}
      </div>
    </Dialog>
  )
}
