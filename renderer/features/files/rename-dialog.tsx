import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { File as StoredFile } from '#contract/files.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { TextField } from '../../ui/text-field.tsx'

interface RenameDialogProps {
  readonly file: StoredFile
  readonly onRename: (name: string) => Promise<void>
  readonly onClose: () => void
}

/** Asks for a new name. */
export function RenameDialog({ file, onRename, onClose }: RenameDialogProps) {
  const { t } = useTranslation()
  const [name, setName] = useState(file.filename)
  const { busy, problem, handleSubmit } = useAction(async () => {
    await onRename(name.trim())
  }, onClose)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('files.renameTitle')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            tone="primary"
            type="submit"
            form="rename-file"
            busy={busy}
            disabled={name.trim() === ''}
          >
            {t('files.rename')}
          </Button>
        </>
      }
    >
      <form id="rename-file" onSubmit={handleSubmit} className="flex flex-col gap-3">
        <TextField
          label={t('files.name')}
          value={name}
          maxLength={255}
          required
          dir="auto"
          onChange={(event) => setName(event.target.value)}
        />
        <FormProblem text={problem} />
      </form>
    </Dialog>
  )
}
