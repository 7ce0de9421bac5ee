import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { Rows } from '../../ui/lists/list-row.tsx'
import { toast, toastError } from '../../ui/floating/toast.tsx'
import { PackageOffer } from './package-offer.tsx'
import {
  type PluginCalls,
  type PluginEntry,
  recoverPlugin,
  toggleFunction,
  toggleGlobal,
} from './plugin-kinds.ts'
import { PluginRow } from './plugin-row.tsx'
import type { PluginsStore } from './plugins-store.ts'
import { ValvesForm } from './valves-form.tsx'

export interface PluginsPageProps {
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
  readonly label: string
  readonly onSheet: (sheet: Sheet) => void
  readonly act: (work: Promise<unknown>) => void
}

function List({ props, shown, label, onSheet, act }: ListProps) {
  const { t } = useTranslation()
  const { calls, onOpen } = props
  const recover = ({ id, name }: PluginEntry): void =>
    act(
      recoverPlugin(calls.store, id).then(() => toast({ text: t('plugins.recovered', { name }) })),
    )
  return (
    <Rows label={label}>
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
                      .then((stored) =>
                        calls.update({ ...stored, requirements }, stored.updatedAt),
                      ),
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
      danger
      onClose={onClose}
      title={t('plugins.removeTitle', { name: plugin.name })}
      description={t('plugins.removeText')}
      confirmLabel={t('common.delete')}
      onConfirm={() => onRemove(plugin)}
    />
  )
}

interface PluginListProps {
  readonly props: PluginsPageProps
  readonly shown: readonly PluginEntry[]
  /** Accessible name of the list. */
  readonly label: string
}

/** Rows of plugins, with the dialogs that belong to them. */
export function PluginList({ props, shown, label }: PluginListProps) {
  const { store, calls, onChanged } = props
  const [sheet, setSheet] = useState<Sheet | null>(null)
  const act = (work: Promise<unknown>): void =>
    void work.then(onChanged, toastError).finally(() => void store.load())
  return (
    <>
      <List props={props} shown={shown} label={label} onSheet={setSheet} act={act} />
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
