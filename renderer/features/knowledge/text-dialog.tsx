import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { useAction } from '../../api/use-action.ts'
import { toFileName } from '../../lib/download.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { TextArea, TextField } from '../../ui/text-field.tsx'
import type { CollectionSession } from './collection-session.ts'

/** Stores a typed or pasted text as a file. */
export function TextDialog({
  session,
  onClose,
}: {
  session: CollectionSession
  onClose: () => void
}) {
  const { t } = useTranslation()
  const directoryId = useStore(session.store, (state) => state.directoryId)
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  const { busy, problem, handleSubmit } = useAction(async () => {
    const file = new File([text], toFileName(name, 'md'), { type: 'text/markdown' })
    await session.into.add([{ file, folders: [] }], directoryId)
  }, onClose)
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={t('knowledge.textTitle')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            tone="primary"
            type="submit"
            form="add-text"
            busy={busy}
            disabled={!name.trim() || !text.trim()}
          >
            {t('knowledge.addIt')}
          </Button>
        </>
      }
    >
      <form id="add-text" onSubmit={handleSubmit} className="flex flex-col gap-4">
        <FormProblem text={problem} />
        <TextField
          label={t('knowledge.textName')}
          required
          maxLength={200}
          autoComplete="off"
          dir="auto"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <TextArea
          label={t('knowledge.textContent')}
          required
          rows={12}
          dir="auto"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
