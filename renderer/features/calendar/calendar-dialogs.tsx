import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccessGrant } from '#contract/access.ts'
import type { Calendar } from '#contract/calendars.ts'
import { useAction } from '../../api/use-action.ts'
import { AccessPicker } from '../../ui/access/access-picker.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import type { PrincipalLoaders } from '../../ui/access/principal-search.tsx'
import { PickerField } from '../../ui/fields/picker-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import {
  removeCalendar,
  saveCalendar,
  shareCalendar,
  type CalendarStore,
} from './calendar-store.ts'
import { calendarName, colorOf } from './show-event.ts'

interface CalendarDialogProps {
  readonly store: CalendarStore
  readonly onClose: () => void
}

/** Form for the name and colour of a calendar. */
export function CalendarEditor({
  store,
  calendar,
  onClose,
}: CalendarDialogProps & { readonly calendar: Calendar | null }) {
  const { t } = useTranslation()
  const [name, setName] = useState(calendar?.name ?? '')
  const [color, setColor] = useState(calendar ? colorOf(null, calendar) : '#3b82f6')
  const submission = useAction(
    () => saveCalendar(store, calendar, { name: name.trim(), color }),
    onClose,
  )
  return (
    <FormDialog
      title={
        calendar
          ? t('calendar.editCalendar', { name: calendarName(calendar) })
          : t('calendar.newCalendar')
      }
      submission={submission}
      onClose={onClose}
    >
      <TextField
        label={t('calendar.name')}
        data-first-focus=""
        required
        maxLength={200}
        autoComplete="off"
        value={name}
        onChange={setName}
      />
      <PickerField label={t('calendar.color')} type="color" value={color} onChange={setColor} />
    </FormDialog>
  )
}

interface ShareProps extends CalendarDialogProps {
  readonly calendar: Calendar
  readonly people: PrincipalLoaders
  readonly mayOpenToAll: boolean
}

/** Dialog for the users who can view or change a calendar. */
export function ShareCalendar({ store, calendar, people, mayOpenToAll, onClose }: ShareProps) {
  const { t } = useTranslation()
  const [grants, setGrants] = useState<AccessGrant[]>(calendar.access_grants)
  const saving = useAction(() => shareCalendar(store, calendar, grants), onClose)
  return (
    <Dialog
      onClose={onClose}
      title={t('calendar.shareTitle', { name: calendarName(calendar) })}
      description={t('calendar.shareText')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button tone="primary" busy={saving.busy} onClick={() => void saving.run()}>
            {t('common.save')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <FormProblem text={saving.problem} />
        <AccessPicker
          grants={grants}
          loaders={people}
          mayOpenToAll={mayOpenToAll}
          labels={{ read: t('calendar.rights.read'), write: t('calendar.rights.write') }}
          onChange={setGrants}
        />
      </div>
    </Dialog>
  )
}

/** Asks for confirmation before deleting a calendar with all its events. */
export function RemoveCalendar({
  store,
  calendar,
  onClose,
}: CalendarDialogProps & { readonly calendar: Calendar }) {
  const { t } = useTranslation()
  const { busy, problem, run } = useAction(() => removeCalendar(store, calendar), onClose)
  return (
    <ConfirmDialog
      onClose={onClose}
      title={t('calendar.removeCalendar', { name: calendarName(calendar) })}
      description={problem ?? t('calendar.removeCalendarText')}
      confirmLabel={t('common.delete')}
      danger
      busy={busy}
      onConfirm={() => void run()}
    />
  )
}
