import { useTranslation } from 'react-i18next'
import type { File as StoredFile } from '#contract/files.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { UsesList } from './uses-list.tsx'

/** Shows where a file is used. */
export function UsesDialog({ file, onClose }: { file: StoredFile; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog
      onClose={onClose}
      title={t('files.uses.of', { name: file.filename })}
      actions={<Button onClick={onClose}>{t('common.close')}</Button>}
    >
      <UsesList fileId={file.id} />
    </Dialog>
  )
}
