import { useTranslation } from 'react-i18next'
import { TextArea, TextField } from '../../ui/fields/text-field.tsx'

export interface GroupDraft {
  readonly name: string
  readonly description: string
}

/** Name and description of a group. */
export function GroupFields({
  draft,
  onChange,
}: {
  draft: GroupDraft
  onChange: (draft: GroupDraft) => void
}) {
  const { t } = useTranslation()
  return (
    <>
      <TextField
        label={t('admin.groups.name')}
        required
        maxLength={200}
        value={draft.name}
        onChange={(name) => onChange({ ...draft, name })}
      />
      <TextArea
        label={t('admin.groups.description')}
        maxLength={2000}
        rows={2}
        value={draft.description}
        onChange={(description) => onChange({ ...draft, description })}
      />
    </>
  )
}
