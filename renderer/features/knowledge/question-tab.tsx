import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, endpoints } from '../../api/client.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { announce } from '../../ui/layout/live-region.tsx'
import type { OpenDocument } from '../../ui/passages/open-document.ts'
import { PassageList } from '../../ui/passages/passage-list.tsx'
import { type FoundPassage, readPassages } from '../../ui/passages/read-passages.ts'
import { useQuestion } from '../../ui/passages/use-question.ts'
import { TextField } from '../../ui/fields/text-field.tsx'

const MOST = 10

interface QuestionTabProps {
  readonly collectionId: string
  readonly isEmpty: boolean
  readonly onOpenDocument: OpenDocument
}

/** Searches a collection and shows the passages a model would receive. */
export function QuestionTab({ collectionId, isEmpty, onOpenDocument }: QuestionTabProps) {
  const { t } = useTranslation()
  const [query, setQuery] = useState('')
  const { state, busy, problem, ask, stop } = useQuestion<readonly FoundPassage[]>()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    void ask(async (signal) => {
      const body = { collection_name: collectionId, query, k: MOST }
      const passages = readPassages(
        await call(endpoints.retrieval.queryDocument, { body }, { signal }),
      )
      announce(
        passages.length === 0
          ? t('passages.none')
          : t('passages.found', { count: passages.length }),
      )
      return passages
    })
  }
  if (isEmpty) return <p className="text-muted">{t('knowledge.question.empty')}</p>
  return (
    <div className="flex flex-col gap-4">
      <p className="text-pretty text-muted">{t('knowledge.question.text')}</p>
      <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-64">
          <TextField
            label={t('knowledge.question.label')}
            required
            maxLength={20_000}
            autoComplete="off"
            value={query}
            onChange={setQuery}
          />
        </div>
        <Button
          tone="primary"
          className="h-primary"
          type="submit"
          busy={busy}
          disabled={!query.trim()}
        >
          {t('knowledge.question.ask')}
        </Button>
        {busy && (
          <Button tone="quiet" className="h-primary" onClick={stop}>
            {t('common.cancel')}
          </Button>
        )}
      </form>
      <FormProblem text={problem} />
      {state && (
        <PassageList
          passages={state.found}
          milliseconds={state.milliseconds}
          onOpen={onOpenDocument}
        />
      )}
    </div>
  )
}
