import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { TextField } from '../../ui/text-field.tsx'

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
  const { busy, problem, handleSubmit } = useAction(async () => {
    await onSave(name.trim())
  }, onClose)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t(before === '' ? 'knowledge.directoryTitle' : 'knowledge.directoryRename')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            tone="primary"
            type="submit"
            form="directory-name"
            busy={busy}
            disabled={!name.trim()}
          >
            {t('common.save')}
          </Button>
        </>
      }
    >
      <form id="directory-name" onSubmit={handleSubmit} className="flex flex-col gap-3">
        <FormProblem text={problem} />
        <TextField
          label={t('knowledge.directoryName')}
          value={name}
          required
          maxLength={500}
          autoComplete="off"
          dir="auto"
          onChange={(event) => setName(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
