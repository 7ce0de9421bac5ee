import { Blocks, Plus, Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { toSentence } from '../../api/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toast.tsx'
import { PackageOffer } from './package-offer.tsx'
import {
  type PluginCalls,
  type PluginEntry,
  recoverPlugin,
  toggleFunction,
  toggleGlobal,
} from './plugin-kinds.ts'
import { PluginRow } from './plugin-row.tsx'
import { findPlugins, loadPlugins, type PluginsStore } from './plugins-store.ts'
import { PythonNote } from './python-note.tsx'
import { ValvesForm } from './valves-form.tsx'

interface PluginsPageProps {
  readonly store: PluginsStore
  readonly calls: PluginCalls
  readonly admin: boolean
  readonly mayCreate: boolean
  readonly onOpen: (id: string) => void
  /** Hears that models or tools may have come or gone. */
  readonly onChanged: () => void
}

type Sheet = { readonly kind: 'valves' | 'userValves' | 'remove'; readonly plugin: PluginEntry }

const tell = (thrown: unknown): void => toast({ tone: 'danger', text: toSentence(thrown) })

function List({
  props,
  onSheet,
  act,
}: {
  props: PluginsPageProps
  onSheet: (sheet: Sheet) => void
  act: (work: Promise<unknown>) => void
}) {
  const { t } = useTranslation()
  const { store, calls, onOpen } = props
  const plugins = useStore(store, (state) => state.plugins)
  const [query, setQuery] = useState('')
  const shown = findPlugins(plugins, query)
  return (
    <div className="flex flex-col gap-3">
      <SearchBox label={t('plugins.search')} value={query} onChange={setQuery} />
      {shown.length === 0 ? (
        <EmptyState icon={<Search />} title={t('plugins.noMatch')} />
      ) : (
        <ul
          aria-label={t(calls.store === 'tool' ? 'plugins.tools' : 'plugins.functions')}
          className="divide-y divide-line rounded-large border border-line bg-raised"
        >
          {shown.map((plugin) => (
            <PluginRow
              key={plugin.id}
              plugin={plugin}
              onEdit={() => onOpen(plugin.id)}
              onValves={() => onSheet({ kind: 'valves', plugin })}
              onUserValves={() => onSheet({ kind: 'userValves', plugin })}
              onToggle={() => act(toggleFunction(plugin.id))}
              onToggleGlobal={() => act(toggleGlobal(plugin.id))}
              onRemove={() => onSheet({ kind: 'remove', plugin })}
              offer={
                props.mayCreate &&
                plugin.mayChange &&
                plugin.missingPackage !== null && (
                  <PackageOffer
                    store={calls.store}
                    packages={[plugin.missingPackage]}
                    read={() => calls.read(plugin.id)}
                    onInstalled={(requirements) =>
                      act(
                        calls
                          .read(plugin.id)
                          .then((stored) => calls.update({ ...stored, requirements })),
                      )
                    }
                  />
                )
              }
              onRecover={
                props.admin
                  ? () =>
                      act(
                        recoverPlugin(calls.store, plugin.id).then(() =>
                          toast({ text: t('plugins.recovered', { name: plugin.name }) }),
                        ),
                      )
                  : undefined
              }
            />
          ))}
        </ul>
      )}
    </div>
  )
}

/** The tools people wrote, or the functions of the gateway. */
export function PluginsPage(props: PluginsPageProps) {
  const { store, calls, admin, mayCreate, onOpen, onChanged } = props
  const { t } = useTranslation()
  const { plugins, status, problem } = useStore(store)
  const [sheet, setSheet] = useState<Sheet | null>(null)
  useEffect(() => void loadPlugins(store, calls), [store, calls])
  const act = (work: Promise<unknown>): void =>
    void work.then(onChanged, tell).finally(() => void loadPlugins(store, calls))
  const isTool = calls.store === 'tool'
  const isEmpty = status === 'ready' && plugins.length === 0
  const create = (): void => onOpen('')
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <p className="max-w-prose min-w-0 flex-1 basis-64 text-pretty text-muted">
          {t(isTool ? 'plugins.toolsText' : 'plugins.functionsText')}
        </p>
        {mayCreate && !isEmpty && (
          <Button
            tone="primary"
            className="h-control!"
            icon={<Plus className="size-4" />}
            onClick={create}
          >
            {t(isTool ? 'plugins.newTool' : 'plugins.newFunction')}
          </Button>
        )}
      </div>
      {admin && <PythonNote />}
      {status === 'loading' && <Spinner className="mx-auto my-8" />}
      {status === 'failed' && (
        <EmptyState
          title={t('plugins.loadFailed')}
          action={
            <Button onClick={() => void loadPlugins(store, calls)}>{t('common.retry')}</Button>
          }
        >
          {problem}
        </EmptyState>
      )}
      {isEmpty && (
        <div className="rounded-large border border-line">
          <EmptyState
            icon={<Blocks />}
            title={t(isTool ? 'plugins.noTool' : 'plugins.noFunction')}
            action={
              mayCreate && (
                <Button
                  tone="primary"
                  className="h-control!"
                  icon={<Plus className="size-4" />}
                  onClick={create}
                >
                  {t(isTool ? 'plugins.newTool' : 'plugins.newFunction')}
                </Button>
              )
            }
          >
            {t(isTool ? 'plugins.noToolHint' : 'plugins.noFunctionHint')}
          </EmptyState>
        </div>
      )}
      {plugins.length > 0 && <List props={props} onSheet={setSheet} act={act} />}
      {sheet && sheet.kind !== 'remove' && (
        <ValvesForm
          key={`${sheet.kind} ${sheet.plugin.id}`}
          pluginId={sheet.plugin.id}
          name={sheet.plugin.name}
          calls={sheet.kind === 'valves' ? calls.valves : calls.userValves}
          onClose={() => setSheet(null)}
        />
      )}
      {sheet?.kind === 'remove' && (
        <ConfirmDialog
          open
          danger
          onOpenChange={() => setSheet(null)}
          title={t('plugins.removeTitle', { name: sheet.plugin.name })}
          description={t('plugins.removeText')}
          confirmLabel={t('common.delete')}
          onConfirm={() => {
            act(calls.remove(sheet.plugin.id))
            setSheet(null)
          }}
        />
      )}
    </div>
  )
}
