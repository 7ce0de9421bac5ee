import '../../lib/strings/connections.ts'
import { CircleCheck, RefreshCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Connection } from '#contract/connections.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Spinner } from '../../ui/marks/spinner.tsx'
import { FoldOut } from '../../ui/layout/fold-out.tsx'
import { AddConnection } from './add-connection.tsx'
import { findLocalRuntimes, type ConnectionsStore } from './connections-store.ts'
import { FoundRuntimes } from './found-runtimes.tsx'
import { isAtGateway } from '../../lib/is-at-gateway.ts'

function Ready({ connection }: { connection: Connection }) {
  const { t } = useTranslation()
  return (
    <li className="flex items-center gap-3 rounded-large border border-line bg-raised px-4 py-3">
      <CircleCheck className="size-5 shrink-0 text-accent" />
      <div className="min-w-0 flex-1">
        <bdi className="block truncate font-medium">{connection.name}</bdi>
        <p className="flex flex-wrap gap-x-1.5 text-small text-muted">
          <span className="font-medium text-accent-strong dark:text-accent">
            {t('connections.connected')}
          </span>
          <span>{t('connections.state.ok', { count: connection.state.model_count })}</span>
          <span dir="ltr" className="min-w-0 truncate">
            {connection.url}
          </span>
        </p>
      </div>
    </li>
  )
}

function NothingFound({ store }: { store: ConnectionsStore }) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const handleClick = (): void => {
    setBusy(true)
    void Promise.all([store.load(), findLocalRuntimes(store)]).finally(() => setBusy(false))
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-large border border-dashed border-edge px-4 py-3">
      <p className="min-w-0 flex-1 basis-56 text-muted">
        {t(isAtGateway() ? 'connections.noRuntime' : 'connections.noRuntimeAtGateway')}
      </p>
      <Button busy={busy} icon={<RefreshCw className="size-4" />} onClick={handleClick}>
        {t('connections.lookAgain')}
      </Button>
    </div>
  )
}

interface ConnectStepProps {
  readonly store: ConnectionsStore
  /** Called when a connection was added, or a found runtime was connected. */
  readonly onConnected: () => void
  /** Tells if a model is connected and no form is open, so that the button below leads on. */
  readonly onReady: (isReady: boolean) => void
}

/** Connects the first model: a runtime found on the computer, or a provider by its key. */
export function ConnectStep({ store, onConnected, onReady }: ConnectStepProps) {
  const { t } = useTranslation()
  const [isFormShown, setFormShown] = useState(false)
  const { items: connections, status, local, drafts } = useStore(store)
  useEffect(() => void store.load(), [store])
  const ready = connections.filter(
    (connection) => connection.state.status === 'ok' && connection.state.model_count > 0,
  )
  const isReady = ready.length > 0 && !isFormShown
  useEffect(() => onReady(isReady), [isReady, onReady])
  // Until then it is not known whether the form is what is needed.
  const isLoading = connections.length === 0 && (status === 'idle' || status === 'loading')
  const isSearching = isLoading || local === null
  const form = (
    <AddConnection
      store={store}
      brief
      onSaved={onConnected}
      onDone={() => setFormShown(false)}
      onForm={setFormShown}
    />
  )
  return (
    <div className="flex flex-col gap-3">
      {!isFormShown && (
        <>
          {isSearching && (
            <output className="flex items-center justify-center gap-3 py-4 text-muted">
              <Spinner /> {t('connections.searching')}
            </output>
          )}
          {!isSearching && ready.length === 0 && local.length === 0 && (
            <NothingFound store={store} />
          )}
          {ready.length > 0 && (
            <ul className="flex flex-col gap-2">
              {ready.map((connection) => (
                <Ready key={connection.id} connection={connection} />
              ))}
            </ul>
          )}
          <FoundRuntimes store={store} isMain={ready.length === 0} onConnected={onConnected} />
        </>
      )}
      {isLoading ? null : ready.length > 0 ? (
        <FoldOut title={t('connections.addProvider')} isOpen={drafts.size > 0}>
          <div className="mt-2">{form}</div>
        </FoldOut>
      ) : (
        <>
          {!isFormShown && <h2 className="font-medium">{t('connections.addProvider')}</h2>}
          {form}
        </>
      )}
    </div>
  )
}
