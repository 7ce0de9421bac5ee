import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { KnowledgeRecord } from '#contract/knowledge.ts'
import { useAction } from '../../api/use-action.ts'
import { AccessPicker, type PrincipalLoaders } from '../../ui/access/access-picker.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { TextArea, TextField } from '../../ui/fields/text-field.tsx'
import { fieldsOf } from '../../ui/fields/fields-of.ts'
import { toast } from '../../ui/floating/toast.tsx'
import { type CollectionStore, type Details, toDetails, updateDetails } from './collection-store.ts'

interface DetailsTabProps {
  readonly store: CollectionStore
  readonly collection: KnowledgeRecord
  readonly principals: PrincipalLoaders
  readonly mayOpenToAll: boolean
}

/** Name, description and access of a collection. */
export function DetailsTab({ store, collection, principals, mayOpenToAll }: DetailsTabProps) {
  const { t } = useTranslation()
  const [known, setKnown] = useState(collection)
  const [draft, setDraft] = useState<Details>(() => toDetails(collection))
  const { busy, problem, handleSubmit } = useAction(
    () => updateDetails(store, known, { ...draft, name: draft.name.trim() }),
    ({ newest, isMine }) => {
      setKnown(newest)
      setDraft((now) => (now === draft ? toDetails(newest) : now))
      if (isMine) toast({ text: t('common.saved') })
    },
  )
  const change = (part: Partial<typeof draft>): void => setDraft({ ...draft, ...part })
  const field = fieldsOf(draft, change)
  const isChanged = JSON.stringify(draft) !== JSON.stringify(toDetails(known))
  return (
    <form onSubmit={handleSubmit} className="flex max-w-2xl flex-col gap-5">
      <FormProblem text={problem} />
      <TextField
        label={t('knowledge.name')}
        required
        maxLength={500}
        autoComplete="off"
        {...field('name')}
      />
      <TextArea
        label={t('knowledge.description')}
        hint={t('knowledge.descriptionHint')}
        maxLength={20_000}
        {...field('description')}
      />
      <PageSection title={t('access.title')}>
        <AccessPicker
          grants={draft.access_grants}
          loaders={principals}
          mayOpenToAll={mayOpenToAll}
          onChange={(grants) => change({ access_grants: grants })}
        />
      </PageSection>
      <div>
        <Button
          tone="primary"
          type="submit"
          busy={busy}
          disabled={!isChanged || !draft.name.trim()}
        >
          {t('common.save')}
        </Button>
      </div>
    </form>
  )
}
