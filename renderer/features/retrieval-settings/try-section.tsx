import '../../lib/strings/knowledge.ts'
import { type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { KnowledgeRecord } from '#contract/knowledge.ts'
import type { Setting } from '#contract/settings.ts'
import { call, endpoints } from '../../api/client.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { announce } from '../../ui/layout/live-region.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import type { OpenDocument } from '../../ui/passages/open-document.ts'
import { PassageList } from '../../ui/passages/passage-list.tsx'
import { type FoundPassage, readPassages } from '../../ui/passages/read-passages.ts'
import { useQuestion } from '../../ui/passages/use-question.ts'
import { Select } from '../../ui/controls/select.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'

interface Parameters {
  readonly collection: string
  readonly query: string
  readonly count: number
  readonly threshold: number
  readonly mode: 'hybrid' | 'vector'
}

const MOST = 50
/** Delay in ms, since dragging a slider changes the value many times. */
const WAIT = 250

const numberOf = (settings: readonly Setting[], key: string, otherwise: number): number => {
  const value = settings.find((setting) => setting.key === key)?.value
  return typeof value === 'number' ? value : otherwise
}

const toStart = (settings: readonly Setting[]): Parameters => ({
  collection: '',
  query: '',
  count: numberOf(settings, 'TOP_K', 3),
  threshold: numberOf(settings, 'RELEVANCE_THRESHOLD', 0),
  mode:
    settings.find(({ key }) => key === 'ENABLE_RAG_HYBRID_SEARCH')?.value === false
      ? 'vector'
      : 'hybrid',
})

function useCollections() {
  const { value, problem } = useLoaded(() => call(endpoints.knowledge.list, { query: {} }), [])
  return {
    collections: value && value.items.filter(({ file_count: count }) => count > 0),
    problem,
  }
}

interface FieldsProps {
  readonly parameters: Parameters
  readonly collections: readonly KnowledgeRecord[]
  readonly onChange: (part: Partial<Parameters>) => void
}

function Fields({ parameters, collections, onChange }: FieldsProps) {
  const { t } = useTranslation()
  const { collection, count, threshold, mode } = parameters
  return (
    <div className="grid gap-3 sm:grid-cols-4">
      <Select
        label={t('retrieval.try.collection')}
        value={collection}
        options={collections.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(collection) => onChange({ collection })}
      />
      <Select
        label={t('retrieval.try.mode')}
        value={mode}
        options={[
          { value: 'hybrid', label: t('retrieval.try.hybrid') },
          { value: 'vector', label: t('retrieval.try.vector') },
        ]}
        onChange={(value) => onChange({ mode: value as Parameters['mode'] })}
      />
      <TextField
        label={t('retrieval.try.count')}
        type="number"
        min={1}
        max={MOST}
        required
        value={count}
        onChange={(text) =>
          onChange({ count: Math.min(MOST, Math.max(1, Math.round(Number(text)) || 1)) })
        }
      />
      <TextField
        label={t('retrieval.try.threshold')}
        type="number"
        min={0}
        max={1}
        step={0.05}
        required
        value={threshold}
        onChange={(text) => onChange({ threshold: Math.min(1, Math.max(0, Number(text) || 0)) })}
      />
    </div>
  )
}

interface TrySectionProps {
  readonly settings: readonly Setting[]
  readonly onOpenDocument: OpenDocument
}

function TryForm({
  settings,
  collections,
  onOpenDocument,
}: TrySectionProps & { collections: readonly KnowledgeRecord[] }) {
  const { t } = useTranslation()
  const [parameters, setParameters] = useState(() => ({
    ...toStart(settings),
    collection: collections[0]?.id ?? '',
  }))
  const [asked, setAsked] = useState<Parameters | null>(null)
  const { state, busy, problem, ask } = useQuestion<readonly FoundPassage[]>()
  useEffect(() => {
    if (!asked) return
    const { collection, query, count, threshold, mode } = asked
    const search = async (signal: AbortSignal): Promise<readonly FoundPassage[]> => {
      const body = {
        collection_name: collection,
        query,
        k: count,
        r: threshold,
        hybrid: mode === 'hybrid',
      }
      const passages = readPassages(
        await call(endpoints.retrieval.queryDocument, { body }, { signal }),
      )
      announce(
        passages.length === 0
          ? t('passages.none')
          : t('passages.found', { count: passages.length }),
      )
      return passages
    }
    const timer = setTimeout(() => void ask(search), WAIT)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react/exhaustive-deps -- reloaded only when the request changes
  }, [asked])
  // After the first question, every changed value updates the results immediately.
  const change = (part: Partial<Parameters>): void => {
    const next = { ...parameters, ...part }
    setParameters(next)
    if (asked && part.query === undefined && next.query.trim()) setAsked(next)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setAsked({ ...parameters })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-64">
          <TextField
            label={t('knowledge.question.label')}
            required
            autoComplete="off"
            maxLength={20_000}
            value={parameters.query}
            onChange={(query) => change({ query })}
          />
        </div>
        <Button
          tone="primary"
          className="h-primary"
          type="submit"
          busy={busy}
          disabled={!parameters.query.trim()}
        >
          {t('knowledge.question.ask')}
        </Button>
      </div>
      <Fields parameters={parameters} collections={collections} onChange={change} />
      <FormProblem text={problem} />
      {state && (
        <PassageList
          passages={state.found}
          milliseconds={state.milliseconds}
          onOpen={onOpenDocument}
        />
      )}
    </form>
  )
}

/** Runs a question on a collection with the displayed search settings. */
export function TrySection({ settings, onOpenDocument }: TrySectionProps) {
  const { t } = useTranslation()
  const { collections, problem } = useCollections()
  return (
    <PageSection title={t('retrieval.try.title')} text={t('retrieval.try.text')}>
      <FormProblem text={problem} />
      {collections?.length === 0 && <p className="text-muted">{t('retrieval.try.none')}</p>}
      {collections !== null && collections.length > 0 && (
        <TryForm settings={settings} collections={collections} onOpenDocument={onOpenDocument} />
      )}
    </PageSection>
  )
}
