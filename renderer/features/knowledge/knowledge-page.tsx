import { BookOpenText, Plus, Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { KnowledgeRecord } from '#contract/knowledge.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { SelectBox } from '../../ui/select.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toast.tsx'
import { CreateDialog } from './create-dialog.tsx'
import { KnowledgeRow } from './knowledge-row.tsx'
import {
  type KnowledgeStore,
  type KnowledgeView,
  loadKnowledge,
  loadMoreKnowledge,
  removeCollection,
} from './knowledge-store.ts'
import { RemoveDialog } from './remove-dialog.tsx'

interface KnowledgePageProps {
  readonly store: KnowledgeStore
  readonly mayCreate: boolean
  readonly onOpen: (id: string) => void
}

const WAIT = 180
/** While files of a collection are read, its state is asked for again. */
const POLL = 3000
const VIEWS = ['', 'created', 'shared'] as const

function List({
  store,
  onRemove,
}: {
  store: KnowledgeStore
  onRemove: (collection: KnowledgeRecord) => void
}) {
  const { t } = useTranslation()
  const { collections, total } = useStore(store)
  if (collections.length === 0)
    return <EmptyState icon={<Search />} title={t('knowledge.noMatch')} />
  return (
    <>
      <ul
        aria-label={t('knowledge.title')}
        className="divide-y divide-line overflow-hidden rounded-large border border-line bg-raised"
      >
        {collections.map((collection) => (
          <KnowledgeRow
            key={collection.id}
            collection={collection}
            onRemove={() => onRemove(collection)}
          />
        ))}
      </ul>
      {collections.length < total && (
        <Button className="self-center" onClick={() => void loadMoreKnowledge(store)}>
          {t('knowledge.more')}
        </Button>
      )}
    </>
  )
}

function usePolling(store: KnowledgeStore): void {
  const isReading = useStore(
    store,
    ({ collections, page }) =>
      page === 1 && collections.some(({ status }) => status === 'processing'),
  )
  useEffect(() => {
    if (!isReading) return
    const timer = setInterval(() => {
      const { query, view } = store.getState()
      void loadKnowledge(store, query, view)
    }, POLL)
    return () => clearInterval(timer)
  }, [store, isReading])
}

function Narrowing({
  query,
  view,
  onChange,
}: {
  query: string
  view: KnowledgeView
  onChange: (query: string, view: KnowledgeView) => void
}) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-wrap gap-2">
      <div className="min-w-0 flex-1 basis-56">
        <SearchBox
          label={t('knowledge.search')}
          value={query}
          onChange={(text) => onChange(text, view)}
        />
      </div>
      <SelectBox
        isNarrow
        aria-label={t('knowledge.view')}
        value={view}
        options={VIEWS.map((each) => ({
          value: each,
          label: t(`knowledge.views.${each || 'all'}`),
        }))}
        onChange={(event) => onChange(query, event.target.value as KnowledgeView)}
      />
    </div>
  )
}

/** The collections of documents a person may use. */
export function KnowledgePage({ store, mayCreate, onOpen }: KnowledgePageProps) {
  const { t } = useTranslation()
  const { collections, status, problem, query: shownQuery, view: shownView } = useStore(store)
  const [wanted, setWanted] = useState<{ query: string; view: KnowledgeView }>({
    query: '',
    view: '',
  })
  const [isCreating, setCreating] = useState(false)
  const [removing, setRemoving] = useState<KnowledgeRecord | null>(null)
  const { query, view } = wanted
  useEffect(() => {
    const timer = setTimeout(() => void loadKnowledge(store, query, view), query ? WAIT : 0)
    return () => clearTimeout(timer)
  }, [store, query, view])
  usePolling(store)
  const isNarrowed = query !== '' || shownQuery !== '' || view !== '' || shownView !== ''
  const isEmpty = status === 'ready' && collections.length === 0 && !isNarrowed
  const remove = async ({ id, name }: KnowledgeRecord, deletesFiles: boolean): Promise<void> => {
    await removeCollection(store, id, deletesFiles)
    toast({ text: t('knowledge.removed', { name }) })
  }
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <p className="max-w-prose min-w-0 flex-1 basis-64 text-pretty text-muted">
          {t('knowledge.text')}
        </p>
        {mayCreate && !isEmpty && (
          <Button
            tone="primary"
            className="h-control!"
            icon={<Plus className="size-4" />}
            onClick={() => setCreating(true)}
          >
            {t('knowledge.create')}
          </Button>
        )}
      </div>
      {!isEmpty && (
        <Narrowing
          query={query}
          view={view}
          onChange={(text, next) => setWanted({ query: text, view: next })}
        />
      )}
      {status === 'loading' && <Spinner className="mx-auto my-8" />}
      {status === 'failed' && (
        <EmptyState
          title={t('knowledge.loadFailed')}
          action={
            <Button onClick={() => void loadKnowledge(store, query, view)}>
              {t('common.retry')}
            </Button>
          }
        >
          {problem}
        </EmptyState>
      )}
      {isEmpty && (
        <div className="rounded-large border border-line">
          <EmptyState
            icon={<BookOpenText />}
            title={t('knowledge.none')}
            action={
              mayCreate && (
                <Button tone="primary" className="h-control!" onClick={() => setCreating(true)}>
                  {t('knowledge.createFirst')}
                </Button>
              )
            }
          >
            {mayCreate ? t('knowledge.noneHint') : t('knowledge.noneShared')}
          </EmptyState>
        </div>
      )}
      {status === 'ready' && !isEmpty && <List store={store} onRemove={setRemoving} />}
      {isCreating && (
        <CreateDialog onCreated={({ id }) => onOpen(id)} onClose={() => setCreating(false)} />
      )}
      {removing && (
        <RemoveDialog
          collection={removing}
          onRemove={(files) => remove(removing, files)}
          onClose={() => setRemoving(null)}
        />
      )}
    </div>
  )
}
