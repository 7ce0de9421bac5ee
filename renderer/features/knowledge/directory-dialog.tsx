import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../api/use-action.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'

interface DirectoryDialogProps {
  /** Current name; empty for a new one. */
  readonly name: string
  readonly onSave: (name: string) => Promise<unknown>
  readonly onClose: () => void
}

/** Asks for the name of a directory. */
export function DirectoryDialog({ name: before, onSave, onClose }: DirectoryDialogProps) {
  const { t } = useTranslation()
  const [name, setName] = useState(before)
  const submission = useAction(async () => {
    await onSave(name.trim())
  }, onClose)
  return (
    <FormDialog
      title={t(before === '' ? 'knowledge.directoryTitle' : 'knowledge.directoryRename')}
      submission={submission}
      isReady={name.trim() !== ''}
      onClose={onClose}
    >
      <TextField
        label={t('knowledge.directoryName')}
        value={name}
        required
        maxLength={500}
        autoComplete="off"
        onChange={setName}
      />
    </FormDialog>
  )
}
