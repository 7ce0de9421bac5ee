import { CircleCheck, Plus, RefreshCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Connection } from '#contract/connections.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { startDraft } from './connection-draft.ts'
import { ConnectionForm } from './connection-form.tsx'
import { loadConnections, type ConnectionsStore } from './connections-store.ts'

function Ready({ connection, onUse }: { connection: Connection; onUse: () => void }) {
  const { t } = useTranslation()
  return (
    <li className="flex items-center gap-3 rounded-large border border-line bg-raised px-4 py-3">
      <CircleCheck aria-hidden="true" className="size-5 shrink-0 text-accent" />
      <div className="min-w-0 flex-1">
        <bdi className="block truncate font-medium">{connection.name}</bdi>
        <p className="flex flex-wrap gap-x-1.5 text-small text-muted">
          <span>{t('connections.state.ok', { count: connection.state.model_count })}</span>
          <span dir="ltr" className="min-w-0 truncate">
            {connection.url}
          </span>
        </p>
      </div>
      <Button onClick={onUse}>{t('connections.use')}</Button>
    </li>
  )
}

function NothingFound({ store }: { store: ConnectionsStore }) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const handleClick = (): void => {
    setBusy(true)
    void loadConnections(store).finally(() => setBusy(false))
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-large border border-dashed border-edge px-4 py-3">
      <p className="min-w-0 flex-1 basis-56 text-muted">{t('connections.noRuntime')}</p>
      <Button busy={busy} icon={<RefreshCw className="size-4" />} onClick={handleClick}>
        {t('connections.lookAgain')}
      </Button>
    </div>
  )
}

interface ConnectStepProps {
  readonly store: ConnectionsStore
  /** Hears of a new connection and of the choice to use one that was found. */
  readonly onConnected: () => void
}

/** Connecting the first model: what was found by itself, or a provider by address and key. */
export function ConnectStep({ store, onConnected }: ConnectStepProps) {
  const { t } = useTranslation()
  const [adding, setAdding] = useState(false)
  const { connections, status } = useStore(store)
  useEffect(() => void loadConnections(store), [store])
  const ready = connections.filter(
    (connection) => connection.state.status === 'ok' && connection.state.model_count > 0,
  )
  if (adding) {
    return (
      <ConnectionForm
        store={store}
        start={startDraft(connections)}
        existing={null}
        brief
        onCancel={() => setAdding(false)}
        onSaved={onConnected}
        onDone={() => setAdding(false)}
      />
    )
  }
  return (
    <div className="flex flex-col gap-3">
      {status === 'loading' && <Spinner className="mx-auto my-4" />}
      {status !== 'loading' && ready.length === 0 && <NothingFound store={store} />}
      {ready.length > 0 && (
        <ul className="flex flex-col gap-2">
          {ready.map((connection) => (
            <Ready key={connection.id} connection={connection} onUse={onConnected} />
          ))}
        </ul>
      )}
      <Button
        icon={<Plus className="size-4" />}
        onClick={() => setAdding(true)}
        className="self-start"
      >
        {t('connections.addProvider')}
      </Button>
    </div>
  )
}
