import { useTranslation } from 'react-i18next'
import type { ReactNode } from 'react'
import { Button } from '../controls/button.tsx'
import { Dialog } from './dialog.tsx'

interface ConfirmDialogProps {
  /** False while a dialog that stays mounted is not shown. */
  readonly open?: boolean
  readonly onClose: () => void
  readonly title: string
  readonly description: ReactNode
  /** Label of the confirm button, a verb. */
  readonly confirmLabel: string
  readonly danger?: boolean
  readonly busy?: boolean
  readonly onConfirm: () => void
}

/** Asks for confirmation of an irreversible action. The safe answer has the focus. */
export function ConfirmDialog({
  confirmLabel,
  danger,
  busy,
  onConfirm,
  ...sheet
}: ConfirmDialogProps) {
  const { t } = useTranslation()
  return (
    <Dialog
      {...sheet}
      actions={
        <>
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog that just opened; the safe answer comes first */}
          <Button autoFocus onClick={sheet.onClose}>
            {t('common.cancel')}
          </Button>
          <Button tone={danger ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    />
  )
}
