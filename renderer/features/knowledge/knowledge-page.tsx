import '../../lib/strings/knowledge.ts'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { KnowledgeRecord } from '#contract/knowledge.ts'
import { Button } from '../../ui/controls/button.tsx'
import { KnowledgePicture } from '../../ui/lists/empty-pictures.tsx'
import { ListPage } from '../../ui/lists/list-page.tsx'
import { Rows } from '../../ui/lists/list-row.tsx'
import { SelectBox } from '../../ui/controls/select.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import { CreateDialog } from './create-dialog.tsx'
import { KnowledgeRow } from './knowledge-row.tsx'
import {
  type KnowledgeFilter,
  type KnowledgeStore,
  type KnowledgeView,
  removeCollection,
} from './knowledge-store.ts'
import { RemoveDialog } from './remove-dialog.tsx'

interface KnowledgePageProps {
  readonly store: KnowledgeStore
  readonly mayCreate: boolean
  readonly onOpen: (id: string) => void
}

const WAIT = 180
/** Interval in ms between reloads of the state while files are being processed. */
const POLL = 3000
/** Size of the first page; polling longer lists would discard the pages loaded after it. */
const MOST_POLLED = 30
const VIEWS = ['', 'created', 'shared'] as const

function List({
  store,
  onRemove,
}: {
  store: KnowledgeStore
  onRemove: (collection: KnowledgeRecord) => void
}) {
  const { t } = useTranslation()
  const { items, total } = useStore(store)
  return (
    <>
      <Rows label={t('knowledge.title')}>
        {items.map((collection) => (
          <KnowledgeRow
            key={collection.id}
            collection={collection}
            onRemove={() => onRemove(collection)}
          />
        ))}
      </Rows>
      {items.length < total && (
        <Button className="self-center" onClick={() => void store.loadMore()}>
          {t('knowledge.more')}
        </Button>
      )}
    </>
  )
}

function usePolling(store: KnowledgeStore): void {
  const isReading = useStore(
    store,
    ({ items }) =>
      items.length <= MOST_POLLED && items.some(({ status }) => status === 'processing'),
  )
  useEffect(() => {
    if (!isReading) return
    const timer = setInterval(() => void store.load(), POLL)
    return () => clearInterval(timer)
  }, [store, isReading])
}

function ViewBox({
  value,
  onChange,
}: {
  value: KnowledgeView
  onChange: (view: KnowledgeView) => void
}) {
  const { t } = useTranslation()
  return (
    <SelectBox
      isNarrow
      aria-label={t('knowledge.view')}
      value={value}
      options={VIEWS.map((each) => ({
        value: each,
        label: t(`knowledge.views.${each || 'all'}`),
      }))}
      onChange={(value) => onChange(value as KnowledgeView)}
    />
  )
}

/**
 * Loads the filtered list shortly after the last keystroke, and returns whether the filter excludes
 * entries.
 */
function useFilter(store: KnowledgeStore) {
  const shown = useStore(store)
  const [wanted, setWanted] = useState<KnowledgeFilter>({ query: '', view: '' })
  useEffect(() => {
    const timer = setTimeout(() => void store.load(wanted), wanted.query ? WAIT : 0)
    return () => clearTimeout(timer)
  }, [store, wanted])
  usePolling(store)
  const isNarrowed = [wanted, shown].some(({ query, view }) => query !== '' || view !== '')
  return { wanted, setWanted, isNarrowed }
}

/** The document collections available to the user. */
export function KnowledgePage({ store, mayCreate, onOpen }: KnowledgePageProps) {
  const { t } = useTranslation()
  const { items, total, status, problem } = useStore(store)
  const { wanted, setWanted, isNarrowed } = useFilter(store)
  const [isCreating, setCreating] = useState(false)
  const [removing, setRemoving] = useState<KnowledgeRecord | null>(null)
  const remove = async ({ id, name }: KnowledgeRecord, deletesFiles: boolean): Promise<void> => {
    await removeCollection(store, id, deletesFiles)
    toast({ text: t('knowledge.removed', { name }) })
  }
  return (
    <>
      <ListPage
        text={t('knowledge.text')}
        load={{
          status,
          problem,
          failedTitle: t('knowledge.loadFailed'),
          onRetry: () => void store.load(wanted),
        }}
        total={total}
        shown={items.length}
        isNarrowed={isNarrowed}
        primary={
          mayCreate ? { label: t('knowledge.create'), onSelect: () => setCreating(true) } : null
        }
        search={{
          label: t('knowledge.search'),
          value: wanted.query,
          onChange: (query) => setWanted({ ...wanted, query }),
        }}
        choices={
          <ViewBox value={wanted.view} onChange={(view) => setWanted({ ...wanted, view })} />
        }
        empty={{
          picture: <KnowledgePicture />,
          title: t('knowledge.none'),
          text: mayCreate ? t('knowledge.noneHint') : t('knowledge.noneShared'),
        }}
        noMatch={t('knowledge.noMatch')}
      >
        <List store={store} onRemove={setRemoving} />
      </ListPage>
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
    </>
  )
}
