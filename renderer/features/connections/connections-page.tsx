import '../../lib/strings/connections.ts'
import { Plug } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Connection } from '#contract/connections.ts'
import { connectionPath, navigate } from '../../lib/router.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { ListPage } from '../../ui/lists/list-page.tsx'
import { Rows } from '../../ui/lists/list-row.tsx'
import { byText } from '../../ui/lists/by-text.ts'
import { useListPage } from '../../ui/lists/use-list-page.tsx'
import { toast, toastError } from '../../ui/floating/toast.tsx'
import { AddConnection } from './add-connection.tsx'
import { nameOfConnection } from './connection-name.ts'
import { ConnectionCard } from './connection-card.tsx'
import { EditConnection } from './edit-connection.tsx'
import {
  isEditable,
  removeConnection,
  resetConnection,
  toInput,
  verifyConnection,
  type ConnectionsStore,
} from './connections-store.ts'
import { FoundRuntimes } from './found-runtimes.tsx'
import { PresetGroup } from './preset-picker.tsx'
import { presetOf, PROVIDER_PRESETS, type ProviderPreset } from './presets.ts'

interface ConnectionsPageProps {
  readonly store: ConnectionsStore
  /** Called on every change, to update the model list. */
  readonly onChanged: () => void
  /** Id or name of the connection whose form a link opens. */
  readonly about?: string | null
}

interface ListProps extends Omit<ConnectionsPageProps, 'about'> {
  readonly shown: readonly Connection[]
  readonly onEdit: (connection: Connection) => void
}

function List({ store, shown, onChanged, onEdit }: ListProps) {
  const { t } = useTranslation()
  const [checking, setChecking] = useState<string | null>(null)
  const [removing, setRemoving] = useState<Connection | null>(null)

  const isReset = removing?.origin === 'environment'

  async function check(connection: Connection): Promise<void> {
    setChecking(connection.id)
    try {
      await verifyConnection(toInput(connection), connection.id)
      await store.load()
      onChanged()
    } catch (thrown) {
      toastError(thrown)
    } finally {
      setChecking(null)
    }
  }
  async function remove(connection: Connection): Promise<void> {
    setRemoving(null)
    try {
      const isStored = connection.origin === 'stored'
      await (isStored ? removeConnection : resetConnection)(store, connection.id)
      onChanged()
      toast({
        text: t(isStored ? 'connections.removed' : 'connections.wasReset', {
          name: nameOfConnection(connection),
        }),
      })
    } catch (thrown) {
      toastError(thrown)
    }
  }
  return (
    <>
      <Rows label={t('settings.pages.connections')}>
        {shown.map((connection) => (
          <ConnectionCard
            key={connection.id}
            connection={connection}
            busy={checking === connection.id}
            onEdit={() => onEdit(connection)}
            onRemove={() => setRemoving(connection)}
            onCheck={() => void check(connection)}
          />
        ))}
      </Rows>
      <ConfirmDialog
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title={t(isReset ? 'connections.resetTitle' : 'connections.removeTitle', {
          name: removing ? nameOfConnection(removing) : '',
        })}
        description={t(isReset ? 'connections.resetText' : 'connections.removeText')}
        confirmLabel={t(isReset ? 'connections.reset' : 'common.remove')}
        danger
        onConfirm={() => removing && void remove(removing)}
      />
    </>
  )
}

const byName = byText(nameOfConnection)
const ORDERS = {
  name: byName,
  state: (left: Connection, right: Connection) =>
    Number(left.state.status !== 'failed') - Number(right.state.status !== 'failed') ||
    byName(left, right),
}
const textOf = (connection: Connection): string =>
  `${nameOfConnection(connection)} ${connection.url}`

/** Number of connections from which a list needs no suggestions. */
const FEW = 4
const SUGGESTED = 6

interface SuggestionsProps {
  readonly connections: readonly Connection[]
  readonly onChoose: (preset: ProviderPreset) => void
}

/** Well-known providers below a short list, except those that are connected. */
function Suggestions({ connections, onChoose }: SuggestionsProps) {
  const { t } = useTranslation()
  if (connections.length >= FEW) return null
  const names = new Set(connections.map(nameOfConnection))
  const known = new Set(connections.map(({ url }) => presetOf(url)))
  const presets = PROVIDER_PRESETS.filter((each) => !known.has(each) && !names.has(each.name))
  return (
    <div className="mt-6 mb-10">
      <PresetGroup
        title={t('connections.suggested')}
        level={2}
        presets={presets.slice(0, SUGGESTED)}
        onChoose={onChoose}
      />
    </div>
  )
}

/** Runtimes and providers with their state, and actions to add, edit, test and remove them. */
export function ConnectionsPage({ store, onChanged, about = null }: ConnectionsPageProps) {
  const { t } = useTranslation()
  const { items, status } = useStore(store)
  const [editing, setEditing] = useState<Connection | 'new' | null>(null)
  const [chosen, setChosen] = useState<ProviderPreset | null>(null)
  const list = useListPage({
    store,
    textOf,
    orders: ORDERS,
    labels: { failed: t('connections.loadFailed'), search: t('connections.search') },
  })
  const asked = items.find(({ id, name }) => id === about || name === about)
  const existing =
    editing === 'new' ? null : (editing ?? (asked && isEditable(asked) ? asked : null))
  const add = (preset: ProviderPreset | null): void => {
    setChosen(preset)
    setEditing('new')
  }
  const close = (): void => {
    setEditing(null)
    if (about !== null) navigate(connectionPath(null), { replace: true })
  }
  return (
    <>
      <ListPage
        {...list.page}
        text={t('connections.text')}
        primary={{ label: t('connections.addTitle'), onSelect: () => add(null) }}
        note={status === 'ready' && <FoundRuntimes store={store} onConnected={onChanged} />}
        empty={{ icon: <Plug />, title: t('connections.none'), text: t('connections.noneHint') }}
        noMatch={t('connections.noMatch')}
      >
        <List store={store} shown={list.shown} onChanged={onChanged} onEdit={setEditing} />
      </ListPage>
      {status === 'ready' && items.length > 0 && !list.isNarrowed && (
        <Suggestions connections={items} onChoose={add} />
      )}
      {existing && (
        <EditConnection
          key={existing.id}
          store={store}
          existing={existing}
          isLinked={existing === asked}
          onSaved={onChanged}
          onClose={close}
        />
      )}
      <Dialog
        open={editing === 'new'}
        wide
        onClose={() => setEditing(null)}
        title={t('connections.addTitle')}
      >
        <AddConnection
          store={store}
          chosen={chosen}
          onSaved={onChanged}
          onDone={() => setEditing(null)}
        />
      </Dialog>
    </>
  )
}
