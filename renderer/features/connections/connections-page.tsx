import { Plug, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Connection } from '#contract/connections.ts'
import { toSentence } from '../../api/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageSection } from '../../ui/page-section.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toast.tsx'
import { AddConnection } from './add-connection.tsx'
import { ConnectionCard } from './connection-card.tsx'
import { toDraft } from './connection-draft.ts'
import { ConnectionForm } from './connection-form.tsx'
import {
  loadConnections,
  removeConnection,
  resetConnection,
  toInput,
  verifyConnection,
  type ConnectionsStore,
} from './connections-store.ts'
import { FoundRuntimes } from './found-runtimes.tsx'

interface ConnectionsPageProps {
  readonly store: ConnectionsStore
  /** Hears of every change, so that the model list follows. */
  readonly onChanged: () => void
}

function List({
  store,
  onChanged,
  onEdit,
}: ConnectionsPageProps & { onEdit: (connection: Connection) => void }) {
  const { t } = useTranslation()
  const connections = useStore(store, (state) => state.connections)
  const [checking, setChecking] = useState<string | null>(null)
  const [removing, setRemoving] = useState<Connection | null>(null)

  const isReset = removing?.origin === 'environment'

  async function check(connection: Connection): Promise<void> {
    setChecking(connection.id)
    try {
      await verifyConnection(toInput(connection), connection.id)
      await loadConnections(store)
      onChanged()
    } catch (thrown) {
      toast({ tone: 'danger', text: toSentence(thrown) })
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
          name: connection.name,
        }),
      })
    } catch (thrown) {
      toast({ tone: 'danger', text: toSentence(thrown) })
    }
  }
  return (
    <>
      <ul className="divide-y divide-line rounded-large border border-line bg-raised">
        {connections.map((connection) => (
          <ConnectionCard
            key={connection.id}
            connection={connection}
            busy={checking === connection.id}
            onEdit={() => onEdit(connection)}
            onRemove={() => setRemoving(connection)}
            onCheck={() => void check(connection)}
          />
        ))}
      </ul>
      <ConfirmDialog
        open={removing !== null}
        onOpenChange={() => setRemoving(null)}
        title={t(isReset ? 'connections.resetTitle' : 'connections.removeTitle', {
          name: removing?.name ?? '',
        })}
        description={t(isReset ? 'connections.resetText' : 'connections.removeText')}
        confirmLabel={t(isReset ? 'connections.reset' : 'common.remove')}
        danger
        onConfirm={() => removing && void remove(removing)}
      />
    </>
  )
}

/** Runtimes and providers with their state; adding, changing, trying and removing them. */
export function ConnectionsPage({ store, onChanged }: ConnectionsPageProps) {
  const { t } = useTranslation()
  const { connections, status, problem } = useStore(store)
  const [editing, setEditing] = useState<Connection | 'new' | null>(null)
  useEffect(() => void loadConnections(store), [store])
  const existing = editing === 'new' ? null : editing
  const add = (
    <Button
      tone="primary"
      className="h-control"
      icon={<Plus className="size-4" />}
      onClick={() => setEditing('new')}
    >
      {t('connections.addTitle')}
    </Button>
  )
  return (
    <PageSection text={t('connections.text')} action={connections.length > 0 && add}>
      {status === 'loading' && <Spinner className="mx-auto my-8" />}
      {status === 'failed' && (
        <EmptyState
          title={t('connections.loadFailed')}
          action={<Button onClick={() => void loadConnections(store)}>{t('common.retry')}</Button>}
        >
          {problem}
        </EmptyState>
      )}
      {status === 'ready' && <FoundRuntimes store={store} onConnected={onChanged} />}
      {status === 'ready' && connections.length === 0 && (
        <div className="rounded-large border border-line">
          <EmptyState icon={<Plug />} title={t('connections.none')} action={add}>
            {t('connections.noneHint')}
          </EmptyState>
        </div>
      )}
      {connections.length > 0 && <List store={store} onChanged={onChanged} onEdit={setEditing} />}
      <Dialog
        open={existing !== null}
        onOpenChange={() => setEditing(null)}
        title={t('connections.editTitle', { name: existing?.name ?? '' })}
      >
        {existing && (
          <ConnectionForm
            store={store}
            draftKey={existing.id}
            existing={existing}
            start={toDraft(existing)}
            onSaved={onChanged}
            onDone={() => setEditing(null)}
          />
        )}
      </Dialog>
      <Dialog
        open={editing === 'new'}
        wide
        onOpenChange={() => setEditing(null)}
        title={t('connections.addTitle')}
      >
        <AddConnection store={store} onSaved={onChanged} onDone={() => setEditing(null)} />
      </Dialog>
    </PageSection>
  )
}
