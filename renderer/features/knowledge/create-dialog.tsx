import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { KnowledgeRecord } from '#contract/knowledge.ts'
import { useAction } from '../../api/use-action.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { TextArea, TextField } from '../../ui/fields/text-field.tsx'
import { createCollection } from './knowledge-store.ts'

interface CreateDialogProps {
  readonly onCreated: (collection: KnowledgeRecord) => void
  readonly onClose: () => void
}

/** Asks for the name of a new collection. */
export function CreateDialog({ onCreated, onClose }: CreateDialogProps) {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const submission = useAction(
    () => createCollection({ name: name.trim(), description: description.trim() }),
    onCreated,
  )
  return (
    <FormDialog
      title={t('knowledge.createTitle')}
      description={t('knowledge.createText')}
      submission={submission}
      submitLabel={t('knowledge.create')}
      isReady={name.trim() !== ''}
      onClose={onClose}
    >
      <TextField
        label={t('knowledge.name')}
        placeholder={t('knowledge.namePlaceholder')}
        required
        maxLength={500}
        autoComplete="off"
        value={name}
        onChange={setName}
      />
      <TextArea
        label={t('knowledge.description')}
        hint={t('knowledge.descriptionHint')}
        rows={2}
        maxLength={20_000}
        value={description}
        onChange={setDescription}
      />
    </FormDialog>
  )
}
