import { type FormEvent, type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { RunningAction } from '../../api/use-action.ts'
import { Button } from '../controls/button.tsx'
import { Dialog } from './dialog.tsx'
import { FormProblem } from './form-problem.tsx'

/** Submission of a form: an action that may take a while and fail, or a handler that does neither. */
type Submission =
  | Pick<RunningAction<never>, 'busy' | 'problem' | 'handleSubmit'>
  | {
      readonly busy?: never
      readonly problem?: never
      readonly handleSubmit: (event: FormEvent) => void
    }

interface FormDialogProps {
  readonly title: ReactNode
  readonly description?: ReactNode
  readonly wide?: boolean
  readonly submission: Submission
  /** Text of the button that submits; "Save" if absent. */
  readonly submitLabel?: string
  readonly tone?: 'primary' | 'danger'
  /** False while the form cannot be submitted. */
  readonly isReady?: boolean
  /** Buttons before the usual two. */
  readonly furtherActions?: ReactNode
  /** Leaves errors of fields to the form instead of the browser. */
  readonly noValidate?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A form in a modal sheet, with the problem of the last attempt and buttons to cancel and submit. */
export function FormDialog({
  submission: { busy, problem, handleSubmit },
  submitLabel,
  tone = 'primary',
  isReady = true,
  furtherActions,
  noValidate,
  onClose,
  children,
  ...sheet
}: FormDialogProps) {
  const { t } = useTranslation()
  const formId = useId()
  return (
    <Dialog
      {...sheet}
      onClose={onClose}
      actions={
        <>
          {furtherActions}
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button tone={tone} type="submit" form={formId} busy={busy} disabled={!isReady}>
            {submitLabel ?? t('common.save')}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate={noValidate}
        onSubmit={handleSubmit}
        className="flex flex-col gap-4"
      >
        <FormProblem text={problem ?? null} />
        {children}
      </form>
    </Dialog>
  )
}
