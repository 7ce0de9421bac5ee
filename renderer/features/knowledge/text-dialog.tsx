import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { useAction } from '../../api/use-action.ts'
import { toFileName } from '../../lib/download.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { TextArea, TextField } from '../../ui/fields/text-field.tsx'
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
  const submission = useAction(async () => {
    const file = new File([text], toFileName(name, 'md'), { type: 'text/markdown' })
    await session.into.add([{ file, folders: [] }], directoryId)
  }, onClose)
  return (
    <FormDialog
      wide
      title={t('knowledge.textTitle')}
      submission={submission}
      submitLabel={t('knowledge.addIt')}
      isReady={!(!name.trim() || !text.trim())}
      onClose={onClose}
    >
      <TextField
        label={t('knowledge.textName')}
        required
        maxLength={200}
        autoComplete="off"
        value={name}
        onChange={setName}
      />
      <TextArea
        label={t('knowledge.textContent')}
        required
        rows={12}
        value={text}
        onChange={setText}
      />
    </FormDialog>
  )
}
