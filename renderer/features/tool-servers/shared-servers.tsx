import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { ToolServer } from '#contract/tool-servers.ts'
import type { PrincipalLoaders } from '../../ui/access/access-picker.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { toastError } from '../../ui/floating/toast.tsx'
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

/** Open dialog about the shared servers; the form with the id null is for a new one. */
export type SharedServerSheet =
  | { readonly kind: 'form'; readonly id: string | null; readonly atKey?: boolean }
  | { readonly kind: 'log' | 'remove'; readonly id: string }
  | { readonly kind: 'import' }

export const nameOfShared = ({ info }: ToolServer): string => info.name || info.id

interface SharedServerCardsProps {
  readonly store: ServersStore
  readonly shown: readonly ToolServer[]
  readonly onSheet: (sheet: SharedServerSheet) => void
}

/** Rows of the servers that the gateway calls: OpenAPI, MCP over HTTP and MCP programs. */
export function SharedServerCards({ store, shown, onSheet }: SharedServerCardsProps) {
  const { states } = useStore(store)
  return shown.map((server) => {
    const { id } = server.info
    const state = states[id] ?? null
    return (
      <ServerCard
        key={id}
        server={server}
        state={state}
        onEdit={() => onSheet({ kind: 'form', id })}
        onEnterKey={() => onSheet({ kind: 'form', id, atKey: true })}
        onToggle={() => void changeServers(store, toggleServer(id)).catch(toastError)}
        onCheck={() => void loadServers(store, true)}
        onLog={() => onSheet({ kind: 'log', id })}
        onApprove={() => {
          if (state) approveServer(store, state).catch(toastError)
        }}
        onRemove={() => onSheet({ kind: 'remove', id })}
      />
    )
  })
}

interface SharedServerSheetsProps {
  readonly store: ServersStore
  readonly principals: PrincipalLoaders
  readonly sheet: SharedServerSheet
  readonly onClose: () => void
}

/** Dialogs that add, change, remove or describe a shared server. */
export function SharedServerSheets({ store, principals, sheet, onClose }: SharedServerSheetsProps) {
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
        atKey={sheet.atKey === true}
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
    return <LogDialog id={server.info.id} name={nameOfShared(server)} onClose={onClose} />
  return (
    <ConfirmDialog
      danger
      onClose={onClose}
      title={t('toolServers.removeTitle', { name: nameOfShared(server) })}
      description={t('toolServers.removeText')}
      confirmLabel={t('common.remove')}
      onConfirm={() => {
        changeServers(store, withoutServer(server.info.id)).catch(toastError)
        onClose()
      }}
    />
  )
}
