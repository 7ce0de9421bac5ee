import { useTranslation } from 'react-i18next'
import type { ReactNode } from 'react'
import { Button } from '../controls/button.tsx'
import { Dialog } from './dialog.tsx'

interface ConfirmDialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
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
  open,
  onOpenChange,
  title,
  description,
  confirmLabel,
  danger,
  busy,
  onConfirm,
}: ConfirmDialogProps) {
  const { t } = useTranslation()
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={description}
      actions={
        <>
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog that just opened; the safe answer comes first */}
          <Button autoFocus onClick={() => onOpenChange(false)}>
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
