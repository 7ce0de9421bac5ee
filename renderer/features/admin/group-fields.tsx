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
        onChange={(event) => onChange({ ...draft, name: event.target.value })}
      />
      <TextArea
        label={t('admin.groups.description')}
        maxLength={2000}
        rows={2}
        value={draft.description}
        onChange={(event) => onChange({ ...draft, description: event.target.value })}
      />
    </>
  )
}
