import { FileJson, RefreshCw, Wrench } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { ToolServer } from '#contract/tool-servers.ts'
import type { PrincipalLoaders } from '../../ui/access-picker.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ListPage } from '../../ui/lists/list-page.tsx'
import { Rows } from '../../ui/lists/list-row.tsx'
import { byText, useListView } from '../../ui/lists/use-list-view.ts'
import { MenuItem } from '../../ui/menu.tsx'
import { toastError } from '../../ui/toast.tsx'
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

const nameOf = ({ info }: ToolServer): string => info.name || info.id

interface ListProps {
  readonly store: ServersStore
  readonly shown: readonly ToolServer[]
  readonly onSheet: (sheet: Sheet) => void
}

function List({ store, shown, onSheet }: ListProps) {
  const { t } = useTranslation()
  const { states } = useStore(store)
  return (
    <Rows label={t('toolServers.title')}>
      {shown.map((server) => {
        const { id } = server.info
        const state = states[id] ?? null
        return (
          <ServerCard
            key={id}
            server={server}
            state={state}
            onEdit={() => onSheet({ kind: 'form', id })}
            onToggle={() => void changeServers(store, toggleServer(id)).catch(toastError)}
            onCheck={() => void loadServers(store, true)}
            onLog={() => onSheet({ kind: 'log', id })}
            onApprove={() => {
              if (state) approveServer(store, state).catch(toastError)
            }}
            onRemove={() => onSheet({ kind: 'remove', id })}
          />
        )
      })}
    </Rows>
  )
}

function Sheets({
  store,
  principals,
  sheet,
  onClose,
}: ServersPageProps & { sheet: Sheet; onClose: () => void }) {
  const { t } = useTranslation()
  const { items: servers } = useStore(store)
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
        changeServers(store, withoutServer(server.info.id)).catch(toastError)
        onClose()
      }}
    />
  )
}

function MoreItems({
  hasServers,
  onCheck,
  onImport,
}: {
  hasServers: boolean
  onCheck: () => void
  onImport: () => void
}) {
  const { t } = useTranslation()
  return (
    <>
      {hasServers && (
        <MenuItem icon={<RefreshCw />} onSelect={onCheck}>
          {t('toolServers.checkAll')}
        </MenuItem>
      )}
      <MenuItem icon={<FileJson />} onSelect={onImport}>
        {t('toolServers.import.open')}
      </MenuItem>
    </>
  )
}

const textOf = (server: ToolServer): string =>
  `${nameOf(server)} ${server.url} ${server.command} ${server.args.join(' ')}`
const ORDERS = { name: byText(nameOf) }

/**
 * Servers whose tools models can use: OpenAPI, MCP over HTTP, and programs on this computer that
 * speak MCP.
 */
export function ServersPage({ store, principals }: ServersPageProps) {
  const { t } = useTranslation()
  const { items, status, problem } = useStore(store)
  const [sheet, setSheet] = useState<Sheet | null>(null)
  const view = useListView({ items, textOf, orders: ORDERS })
  useEffect(() => void loadServers(store), [store])
  return (
    <>
      <ListPage
        text={t('toolServers.text')}
        load={{
          status,
          problem,
          failedTitle: t('toolServers.loadFailed'),
          onRetry: () => void loadServers(store),
        }}
        total={items.length}
        shown={view.shown.length}
        isNarrowed={view.isNarrowed}
        primary={{
          label: t('toolServers.add'),
          onSelect: () => setSheet({ kind: 'form', id: null }),
        }}
        more={
          <MoreItems
            hasServers={items.length > 0}
            onCheck={() => void loadServers(store, true)}
            onImport={() => setSheet({ kind: 'import' })}
          />
        }
        search={{ label: t('toolServers.search'), value: view.query, onChange: view.setQuery }}
        empty={{ icon: <Wrench />, title: t('toolServers.none'), text: t('toolServers.noneHint') }}
        noMatch={t('toolServers.noMatch')}
      >
        <List store={store} shown={view.shown} onSheet={setSheet} />
      </ListPage>
      {sheet && (
        <Sheets
          store={store}
          principals={principals}
          sheet={sheet}
          onClose={() => setSheet(null)}
        />
      )}
    </>
  )
}
