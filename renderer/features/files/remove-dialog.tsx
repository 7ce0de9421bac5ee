import { useTranslation } from 'react-i18next'
import type { File as StoredFile } from '#contract/files.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { UsesList } from './uses-list.tsx'

interface RemoveDialogProps {
  readonly files: readonly StoredFile[]
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks for confirmation before deleting files; for a single one it shows where it is used. */
export function RemoveDialog({ files, onConfirm, onClose }: RemoveDialogProps) {
  const { t } = useTranslation()
  const [first] = files
  return (
    <Dialog
      onClose={onClose}
      title={t('files.removeTitle', { count: files.length, name: first?.filename ?? '' })}
      description={t('files.removeText')}
      actions={
        <>
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog that just opened; the safe answer comes first */}
          <Button autoFocus onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button tone="danger" onClick={onConfirm}>
            {t('common.delete')}
          </Button>
        </>
      }
    >
      {files.length === 1 && first && <UsesList fileId={first.id} />}
    </Dialog>
  )
}
