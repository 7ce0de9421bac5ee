import { Box, Download, Plus, Search, Upload } from 'lucide-react'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Model } from '#contract/models.ts'
import { toSentence } from '../../api/api-error.ts'
import { downloadText } from '../../lib/download.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { TagFilter } from '../../ui/tag-filter.tsx'
import { toast } from '../../ui/toast.tsx'
import { type CatalogueStore, loadCatalogue } from './catalogue-store.ts'
import {
  filterEntries,
  type ModelEntry,
  tagsOfEntries,
  toBaseEntries,
  toOwnEntries,
} from './list-entries.ts'
import { ModelEntryRow } from './model-entry-row.tsx'
import { exportModels, importModels } from './transfer-models.ts'
import type { ModelActions } from './use-model-actions.ts'
import { useModelActions } from './use-model-actions.ts'

/** What the signed-in person may do with models. */
export interface ModelRights {
  readonly admin: boolean
  readonly create: boolean
  readonly import: boolean
  readonly export: boolean
  readonly openToAll: boolean
}

interface ModelsPageProps {
  readonly store: CatalogueStore
  readonly rights: ModelRights
  /** Models the person may use. */
  readonly available: readonly Model[]
  readonly onOpen: (id: string) => void
  readonly onCreate: () => void
  readonly onCopy: (entry: ModelEntry) => void
  /** Hears of every change, so that pickers follow. */
  readonly onChanged: () => void
}

const tell = (thrown: unknown): void => toast({ tone: 'danger', text: toSentence(thrown) })

function Transfer({
  store,
  rights,
  onChanged,
}: Pick<ModelsPageProps, 'store' | 'rights' | 'onChanged'>) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const read = async (event: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const file = event.target.files?.[0]
    event.target.value = ''
    if (!file) return
    setBusy(true)
    try {
      const count = await importModels(await file.text())
      await loadCatalogue(store, rights)
      onChanged()
      toast({ text: t('models.imported', { count }) })
    } catch (thrown) {
      tell(thrown)
    } finally {
      setBusy(false)
    }
  }
  const write = async (): Promise<void> =>
    downloadText('models.json', await exportModels(), 'application/json')
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        hidden
        onChange={(event) => void read(event)}
      />
      {rights.import && (
        <Button
          icon={<Upload className="size-4" />}
          busy={busy}
          onClick={() => input.current?.click()}
        >
          {t('models.import')}
        </Button>
      )}
      {rights.export && (
        <Button icon={<Download className="size-4" />} onClick={() => void write().catch(tell)}>
          {t('models.export')}
        </Button>
      )}
    </>
  )
}

interface SectionProps {
  readonly title: string
  readonly text: string
  readonly entries: readonly ModelEntry[]
  readonly actions: ModelActions
  readonly empty: string
}

function Section({ title, text, entries, actions, empty }: SectionProps) {
  return (
    <section aria-label={title} className="mt-8">
      <h2 className="text-head-1 font-semibold">{title}</h2>
      <p className="mt-0.5 mb-3 text-pretty text-muted">{text}</p>
      {entries.length === 0 ? (
        <p className="rounded-large border border-line px-4 py-6 text-center text-small text-muted">
          {empty}
        </p>
      ) : (
        <ul
          aria-label={title}
          className="divide-y divide-line rounded-large border border-line bg-raised"
        >
          {entries.map((entry) => (
            <ModelEntryRow key={entry.id} entry={entry} actions={actions} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Lists(props: ModelsPageProps) {
  const { store, rights, available } = props
  const { t } = useTranslation()
  const state = useStore(store)
  const actions = useModelActions(props)
  const [query, setQuery] = useState('')
  const [tag, setTag] = useState<string | null>(null)
  const own = toOwnEntries(state.rows, [...state.bases, ...available])
  const bases = toBaseEntries(state)
  const tags = tagsOfEntries([...own, ...bases])
  const chosen = tag !== null && tags.includes(tag) ? tag : null
  const shownOwn = filterEntries(own, query, chosen)
  const shownBases = filterEntries(bases, query, chosen)
  const isSearching = query.trim() !== '' || chosen !== null
  return (
    <>
      <div className="flex flex-col gap-3">
        <SearchBox label={t('models.search')} value={query} onChange={setQuery} />
        <TagFilter label={t('models.tags')} tags={tags} value={chosen} onChange={setTag} />
      </div>
      {isSearching && shownOwn.length + shownBases.length === 0 && (
        <EmptyState icon={<Search />} title={t('models.noMatch', { query })} />
      )}
      {(!isSearching || shownOwn.length > 0) && (
        <Section
          title={t('models.own')}
          text={t('models.ownText')}
          entries={shownOwn}
          actions={actions}
          empty={rights.create ? t('models.ownNone') : t('models.sharedNone')}
        />
      )}
      {rights.admin && (!isSearching || shownBases.length > 0) && (
        <Section
          title={t('models.ofConnections')}
          text={t('models.ofConnectionsText')}
          entries={shownBases}
          actions={actions}
          empty={t('models.none')}
        />
      )}
    </>
  )
}

/** Every model: made here or of a connection, to be found, changed, hidden and shared. */
export function ModelsPage(props: ModelsPageProps) {
  const { store, rights, onCreate } = props
  const { t } = useTranslation()
  const { status, problem } = useStore(store)
  const { admin } = rights
  useEffect(() => void loadCatalogue(store, { admin }), [store, admin])
  return (
    <>
      <div className="mb-5 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <p className="max-w-prose min-w-0 flex-1 basis-64 text-pretty text-muted">
          {t('models.text')}
        </p>
        <div className="flex flex-wrap gap-2">
          <Transfer {...props} />
          {rights.create && (
            <Button
              tone="primary"
              className="h-control!"
              icon={<Plus className="size-4" />}
              onClick={onCreate}
            >
              {t('models.create')}
            </Button>
          )}
        </div>
      </div>
      {status === 'loading' && <Spinner className="mx-auto my-8" />}
      {status === 'failed' && (
        <EmptyState
          icon={<Box />}
          title={t('models.loadFailed')}
          action={
            <Button onClick={() => void loadCatalogue(store, rights)}>{t('common.retry')}</Button>
          }
        >
          {problem}
        </EmptyState>
      )}
      {status === 'ready' && <Lists {...props} />}
    </>
  )
}
