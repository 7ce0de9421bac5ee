import { Download, Upload } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Model } from '#contract/models.ts'
import { downloadText } from '../../lib/download.ts'
import { useFileImport } from '../../ui/fields/file-import.ts'
import { EmptyLine } from '../../ui/lists/empty-line.tsx'
import { ModelsPicture } from '../../ui/lists/empty-pictures.tsx'
import { ListPage } from '../../ui/lists/list-page.tsx'
import { Rows } from '../../ui/lists/list-row.tsx'
import { MenuItem } from '../../ui/floating/menu.tsx'
import { TagFilter } from '../../ui/fields/tag-filter.tsx'
import { toastError } from '../../ui/floating/toast.tsx'
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
import { type ModelActions, useModelActions } from './use-model-actions.ts'

/** The signed-in user's rights on models. */
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
  /** Models available to the user. */
  readonly available: readonly Model[]
  readonly onOpen: (id: string) => void
  readonly onCreate: () => void
  readonly onCopy: (entry: ModelEntry) => void
  /** Called on every change, to update the pickers. */
  readonly onChanged: () => void
}

const exportAll = async (): Promise<void> =>
  downloadText('models.json', await exportModels(), 'application/json')

function MoreItems({ rights, onImport }: { rights: ModelRights; onImport: () => void }) {
  const { t } = useTranslation()
  return (
    <>
      {rights.import && (
        <MenuItem icon={<Upload />} onSelect={onImport}>
          {t('models.import')}
        </MenuItem>
      )}
      {rights.export && (
        <MenuItem icon={<Download />} onSelect={() => void exportAll().catch(toastError)}>
          {t('models.export')}
        </MenuItem>
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
    <section aria-label={title} className="not-first:mt-4">
      <h2 className="text-head-1 font-semibold">{title}</h2>
      <p className="mt-0.5 mb-3 text-pretty text-muted">{text}</p>
      {entries.length === 0 ? (
        <EmptyLine>{empty}</EmptyLine>
      ) : (
        <Rows label={title}>
          {entries.map((entry) => (
            <ModelEntryRow key={entry.id} entry={entry} actions={actions} />
          ))}
        </Rows>
      )}
    </section>
  )
}

/** Returns the matching entries, and the current filters. */
function useEntries({ store, available }: ModelsPageProps) {
  const state = useStore(store)
  const [query, setQuery] = useState('')
  const [tag, setTag] = useState<string | null>(null)
  const own = toOwnEntries(state.rows, [...state.bases, ...available])
  const bases = toBaseEntries(state)
  const tags = tagsOfEntries([...own, ...bases])
  const chosen = tag !== null && tags.includes(tag) ? tag : null
  return {
    state,
    query,
    setQuery,
    tags,
    chosen,
    setTag,
    total: own.length + bases.length,
    own: filterEntries(own, query, chosen),
    bases: filterEntries(bases, query, chosen),
    isNarrowed: query.trim() !== '' || chosen !== null,
  }
}

function Lists({ props, view }: { props: ModelsPageProps; view: ReturnType<typeof useEntries> }) {
  const { t } = useTranslation()
  const { rights } = props
  const actions = useModelActions(props)
  const { own, bases, isNarrowed } = view
  return (
    <>
      {(!isNarrowed || own.length > 0) && (
        <Section
          title={t('models.own')}
          text={t('models.ownText')}
          entries={own}
          actions={actions}
          empty={rights.create ? t('models.ownNone') : t('models.sharedNone')}
        />
      )}
      {rights.admin && (!isNarrowed || bases.length > 0) && (
        <Section
          title={t('models.ofConnections')}
          text={t('models.ofConnectionsText')}
          entries={bases}
          actions={actions}
          empty={t('models.none')}
        />
      )}
    </>
  )
}

/** Every model, created here or of a connection, with actions to find, edit, hide and share it. */
export function ModelsPage(props: ModelsPageProps) {
  const { store, rights, onCreate } = props
  const { t } = useTranslation()
  const view = useEntries(props)
  const importing = useFileImport(async (file) => {
    const count = await importModels(await file.text())
    await loadCatalogue(store, rights)
    props.onChanged()
    return t('models.imported', { count })
  })
  const { admin } = rights
  useEffect(() => void loadCatalogue(store, { admin }), [store, admin])
  const { status, problem } = view.state
  return (
    <>
      {importing.input}
      <ListPage
        text={t('models.text')}
        load={{
          status,
          problem,
          failedTitle: t('models.loadFailed'),
          onRetry: () => void loadCatalogue(store, rights),
        }}
        total={view.total}
        shown={view.own.length + view.bases.length}
        isNarrowed={view.isNarrowed}
        primary={rights.create ? { label: t('models.create'), onSelect: onCreate } : null}
        more={
          (rights.import || rights.export) && (
            <MoreItems rights={rights} onImport={importing.open} />
          )
        }
        isMoreBusy={importing.isBusy}
        search={{ label: t('models.search'), value: view.query, onChange: view.setQuery }}
        tags={
          <TagFilter
            label={t('models.tags')}
            tags={view.tags}
            value={view.chosen}
            onChange={view.setTag}
          />
        }
        empty={{
          picture: <ModelsPicture />,
          title: rights.create ? t('models.ownNone') : t('models.sharedNone'),
          text: t('models.ownText'),
        }}
        noMatch={t('models.noMatch', { query: view.query })}
      >
        <Lists props={props} view={view} />
      </ListPage>
    </>
  )
}
