import { Blocks } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ListPage } from '../../ui/lists/list-page.tsx'
import { Rows } from '../../ui/lists/list-row.tsx'
import { OrderBox } from '../../ui/lists/order-box.tsx'
import { byText, useListView } from '../../ui/lists/use-list-view.ts'
import { toast, toastError } from '../../ui/toast.tsx'
import { PackageOffer } from './package-offer.tsx'
import {
  type PluginCalls,
  type PluginEntry,
  recoverPlugin,
  toggleFunction,
  toggleGlobal,
} from './plugin-kinds.ts'
import { PluginRow } from './plugin-row.tsx'
import { type PluginsStore, textOf } from './plugins-store.ts'
import { PythonNote } from './python-note.tsx'
import { ValvesForm } from './valves-form.tsx'

interface PluginsPageProps {
  readonly store: PluginsStore
  readonly calls: PluginCalls
  readonly admin: boolean
  readonly mayCreate: boolean
  readonly onOpen: (id: string) => void
  /** Called when models or tools may have been added or removed. */
  readonly onChanged: () => void
}

type Sheet = { readonly kind: 'valves' | 'userValves' | 'remove'; readonly plugin: PluginEntry }

interface ListProps {
  readonly props: PluginsPageProps
  readonly shown: readonly PluginEntry[]
  readonly onSheet: (sheet: Sheet) => void
  readonly act: (work: Promise<unknown>) => void
}

function List({ props, shown, onSheet, act }: ListProps) {
  const { t } = useTranslation()
  const { calls, onOpen } = props
  const recover = ({ id, name }: PluginEntry): void =>
    act(
      recoverPlugin(calls.store, id).then(() => toast({ text: t('plugins.recovered', { name }) })),
    )
  return (
    <Rows label={t(calls.store === 'tool' ? 'plugins.tools' : 'plugins.functions')}>
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
          onRecover={props.admin ? () => recover(plugin) : undefined}
        />
      ))}
    </Rows>
  )
}

interface SheetsProps {
  readonly calls: PluginCalls
  readonly sheet: Sheet
  readonly onRemove: (plugin: PluginEntry) => void
  readonly onClose: () => void
}

function Sheets({ calls, sheet, onRemove, onClose }: SheetsProps) {
  const { t } = useTranslation()
  const { kind, plugin } = sheet
  if (kind !== 'remove')
    return (
      <ValvesForm
        key={`${kind} ${plugin.id}`}
        pluginId={plugin.id}
        name={plugin.name}
        calls={kind === 'valves' ? calls.valves : calls.userValves}
        onClose={onClose}
      />
    )
  return (
    <ConfirmDialog
      open
      danger
      onOpenChange={onClose}
      title={t('plugins.removeTitle', { name: plugin.name })}
      description={t('plugins.removeText')}
      confirmLabel={t('common.delete')}
      onConfirm={() => onRemove(plugin)}
    />
  )
}

const byName = byText(({ name }: PluginEntry) => name)
const ORDERS = {
  name: byName,
  kind: (left: PluginEntry, right: PluginEntry) =>
    left.type.localeCompare(right.type) || byName(left, right),
  state: (left: PluginEntry, right: PluginEntry) =>
    Number(left.fault === null) - Number(right.fault === null) || byName(left, right),
}

/** The tools written by users, or the functions of the gateway. */
export function PluginsPage(props: PluginsPageProps) {
  const { store, calls, admin, mayCreate, onOpen, onChanged } = props
  const { t } = useTranslation()
  const { items, status, problem } = useStore(store)
  const [sheet, setSheet] = useState<Sheet | null>(null)
  const view = useListView({ items, textOf, orders: ORDERS })
  useEffect(() => void store.load(), [store])
  const act = (work: Promise<unknown>): void =>
    void work.then(onChanged, toastError).finally(() => void store.load())
  const isTool = calls.store === 'tool'
  return (
    <>
      <ListPage
        text={t(isTool ? 'plugins.toolsText' : 'plugins.functionsText')}
        load={{
          status,
          problem,
          failedTitle: t('plugins.loadFailed'),
          onRetry: () => void store.load(),
        }}
        total={items.length}
        shown={view.shown.length}
        isNarrowed={view.isNarrowed}
        primary={
          mayCreate
            ? {
                label: t(isTool ? 'plugins.newTool' : 'plugins.newFunction'),
                onSelect: () => onOpen(''),
              }
            : null
        }
        note={admin && <PythonNote />}
        search={{ label: t('plugins.search'), value: view.query, onChange: view.setQuery }}
        choices={<OrderBox {...view.order} />}
        empty={{
          icon: <Blocks />,
          title: t(isTool ? 'plugins.noTool' : 'plugins.noFunction'),
          text: t(isTool ? 'plugins.noToolHint' : 'plugins.noFunctionHint'),
        }}
        noMatch={t('plugins.noMatch')}
      >
        <List props={props} shown={view.shown} onSheet={setSheet} act={act} />
      </ListPage>
      {sheet && (
        <Sheets
          calls={calls}
          sheet={sheet}
          onRemove={({ id }) => {
            act(calls.remove(id))
            setSheet(null)
          }}
          onClose={() => setSheet(null)}
        />
      )}
    </>
  )
}
