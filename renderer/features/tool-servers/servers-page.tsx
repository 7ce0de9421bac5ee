import { FileJson, Plus, RefreshCw, Wrench } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { ToolServer } from '#contract/tool-servers.ts'
import { toSentence } from '../../api/api-error.ts'
import type { PrincipalLoaders } from '../../ui/access-picker.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toast.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { LogDialog } from './log-dialog.tsx'
import { ServerCard } from './server-card.tsx'
import { NEW_SERVER, toDraft, toInput, toRegistration } from './server-draft.ts'
import { ServerForm } from './server-form.tsx'
import {
  approveServer,
  changeServers,
  loadServers,
  putServer,
  registerClient,
  type ServersStore,
  toggleServer,
  withoutServer,
} from './servers-store.ts'

interface ServersPageProps {
  readonly store: ServersStore
  readonly principals: PrincipalLoaders
}

type Sheet =
  | { readonly kind: 'form'; readonly id: string | null }
  | { readonly kind: 'log' | 'remove'; readonly id: string }
  | { readonly kind: 'import' }

const tell = (thrown: unknown): void => toast({ tone: 'danger', text: toSentence(thrown) })
const nameOf = ({ info }: ToolServer): string => info.name || info.id

function List({ store, onSheet }: { store: ServersStore; onSheet: (sheet: Sheet) => void }) {
  const { t } = useTranslation()
  const { servers, states } = useStore(store)
  return (
    <ul
      aria-label={t('toolServers.title')}
      className="divide-y divide-line rounded-large border border-line bg-raised"
    >
      {servers.map((server) => {
        const { id } = server.info
        const state = states[id] ?? null
        return (
          <ServerCard
            key={id}
            server={server}
            state={state}
            onEdit={() => onSheet({ kind: 'form', id })}
            onToggle={() => void changeServers(store, toggleServer(id)).catch(tell)}
            onCheck={() => void loadServers(store, true)}
            onLog={() => onSheet({ kind: 'log', id })}
            onApprove={() => {
              if (state) approveServer(store, state).catch(tell)
            }}
            onRemove={() => onSheet({ kind: 'remove', id })}
          />
        )
      })}
    </ul>
  )
}

function Sheets({
  store,
  principals,
  sheet,
  onClose,
}: ServersPageProps & { sheet: Sheet; onClose: () => void }) {
  const { t } = useTranslation()
  const { servers } = useStore(store)
  if (sheet.kind === 'import') {
    return (
      <ImportDialog
        onAdd={(added) =>
          changeServers(store, (list) => [
            ...list,
            ...added.map((server) => toInput(toDraft(server))),
          ])
        }
        onClose={onClose}
      />
    )
  }
  const { id } = sheet
  const server = servers.find(({ info }) => info.id === id)
  if (sheet.kind === 'form') {
    return (
      <ServerForm
        draft={server ? toDraft(server) : NEW_SERVER}
        principals={principals}
        onSave={async (draft, grants) => {
          const input = toInput(draft)
          const registration = toRegistration(draft)
          const client = registration
            ? await registerClient(registration)
            : input.info.oauth_client_info
          const config = { ...input.config, access_grants: grants }
          const saved = { ...input, config, info: { ...input.info, oauth_client_info: client } }
          await changeServers(store, putServer(id, saved))
        }}
        onClose={onClose}
      />
    )
  }
  if (!server) return null
  if (sheet.kind === 'log')
    return <LogDialog id={server.info.id} name={nameOf(server)} onClose={onClose} />
  return (
    <ConfirmDialog
      open
      danger
      onOpenChange={onClose}
      title={t('toolServers.removeTitle', { name: nameOf(server) })}
      description={t('toolServers.removeText')}
      confirmLabel={t('common.remove')}
      onConfirm={() => {
        changeServers(store, withoutServer(server.info.id)).catch(tell)
        onClose()
      }}
    />
  )
}

/**
 * Servers whose tools models can use: OpenAPI, MCP over HTTP, and programs on this computer that
 * speak MCP.
 */
export function ServersPage({ store, principals }: ServersPageProps) {
  const { t } = useTranslation()
  const { servers, status, problem } = useStore(store)
  const [sheet, setSheet] = useState<Sheet | null>(null)
  useEffect(() => void loadServers(store), [store])
  const add = (): void => setSheet({ kind: 'form', id: null })
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <p className="max-w-prose min-w-0 flex-1 basis-64 text-pretty text-muted">
          {t('toolServers.text')}
        </p>
        <div className="flex flex-wrap gap-2">
          {servers.length > 0 && (
            <Button
              icon={<RefreshCw className="size-4" />}
              onClick={() => void loadServers(store, true)}
            >
              {t('toolServers.checkAll')}
            </Button>
          )}
          <Button
            icon={<FileJson className="size-4" />}
            onClick={() => setSheet({ kind: 'import' })}
          >
            {t('toolServers.import.open')}
          </Button>
          {servers.length > 0 && (
            <Button
              tone="primary"
              className="h-control!"
              icon={<Plus className="size-4" />}
              onClick={add}
            >
              {t('toolServers.add')}
            </Button>
          )}
        </div>
      </div>
      {status === 'loading' && <Spinner className="mx-auto my-8" />}
      {status === 'failed' && (
        <EmptyState
          title={t('toolServers.loadFailed')}
          action={<Button onClick={() => void loadServers(store)}>{t('common.retry')}</Button>}
        >
          {problem}
        </EmptyState>
      )}
      {status === 'ready' && servers.length === 0 && (
        <div className="rounded-large border border-line">
          <EmptyState
            icon={<Wrench />}
            title={t('toolServers.none')}
            action={<Button onClick={add}>{t('toolServers.add')}</Button>}
          >
            {t('toolServers.noneHint')}
          </EmptyState>
        </div>
      )}
      {servers.length > 0 && <List store={store} onSheet={setSheet} />}
      {sheet && (
        <Sheets
          store={store}
          principals={principals}
          sheet={sheet}
          onClose={() => setSheet(null)}
        />
      )}
    </div>
  )
}
