import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { File as StoredFile } from '#contract/files.ts'
import { useAction } from '../../api/use-action.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'

interface RenameDialogProps {
  readonly file: StoredFile
  readonly onRename: (name: string) => Promise<void>
  readonly onClose: () => void
}

/** Asks for a new name. */
export function RenameDialog({ file, onRename, onClose }: RenameDialogProps) {
  const { t } = useTranslation()
  const [name, setName] = useState(file.filename)
  const submission = useAction(async () => {
    await onRename(name.trim())
  }, onClose)
  return (
    <FormDialog
      title={t('files.renameTitle')}
      submission={submission}
      submitLabel={t('files.rename')}
      isReady={name.trim() !== ''}
      onClose={onClose}
    >
      <TextField label={t('files.name')} value={name} maxLength={255} required onChange={setName} />
    </FormDialog>
  )
}
