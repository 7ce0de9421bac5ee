import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/controls/button.tsx'
import { SaveButton } from '../../ui/controls/save-button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { EmptyLine } from '../../ui/lists/empty-line.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { TextArea, TextField } from '../../ui/fields/text-field.tsx'
import { fieldsOf } from '../../ui/fields/fields-of.ts'
import { toast } from '../../ui/floating/toast.tsx'
import { saveSuggestions, type SuggestionDraft } from './announcements-store.ts'
import { EntryList } from './entry-list.tsx'

const EMPTY: SuggestionDraft = Object.freeze({ title: '', subtitle: '', content: '' })

interface FieldsProps {
  readonly suggestion: SuggestionDraft
  readonly change: (part: Partial<SuggestionDraft>) => void
}

function SuggestionFields({ suggestion, change }: FieldsProps) {
  const { t } = useTranslation()
  const field = fieldsOf(suggestion, change)
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t('admin.announcements.suggestionTitle')}
          required
          maxLength={500}
          {...field('title')}
        />
        <TextField
          label={t('admin.announcements.suggestionSubtitle')}
          maxLength={500}
          {...field('subtitle')}
        />
      </div>
      <TextArea
        label={t('admin.announcements.suggestionContent')}
        required
        maxLength={10_000}
        rows={2}
        {...field('content')}
      />
    </div>
  )
}

/** Editor of the suggestions below the empty message box. */
export function SuggestionsForm({
  start,
  onSaved,
}: {
  start: readonly SuggestionDraft[]
  onSaved: () => void
}) {
  const { t } = useTranslation()
  const [stored, setStored] = useState(start)
  const [suggestions, setSuggestions] = useState(start)
  const isChanged = JSON.stringify(suggestions) !== JSON.stringify(stored)
  const { busy, problem, handleSubmit } = useAction(async () => {
    await saveSuggestions(suggestions)
    setStored(suggestions)
    toast({ text: t('common.saved') })
    onSaved()
  })
  return (
    <PageSection
      title={t('admin.announcements.suggestions')}
      text={t('admin.announcements.suggestionsText')}
      action={
        <Button
          icon={<Plus className="size-4" />}
          onClick={() => setSuggestions([...suggestions, EMPTY])}
        >
          {t('admin.announcements.addSuggestion')}
        </Button>
      }
    >
      <form onSubmit={handleSubmit} className="flex flex-col gap-3">
        <FormProblem text={problem} />
        {suggestions.length === 0 && (
          <EmptyLine>{t('admin.announcements.noSuggestions')}</EmptyLine>
        )}
        <EntryList
          entries={suggestions}
          onChange={setSuggestions}
          nameOf={(place) => t('admin.announcements.suggestion', { place })}
        >
          {(suggestion, change) => <SuggestionFields suggestion={suggestion} change={change} />}
        </EntryList>
        {(isChanged || suggestions.length > 0) && (
          <SaveButton busy={busy} disabled={!isChanged}>
            {t('admin.announcements.saveSuggestions')}
          </SaveButton>
        )}
      </form>
    </PageSection>
  )
}
