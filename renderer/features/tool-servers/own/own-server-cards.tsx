import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { announce } from '../../../ui/layout/live-region.tsx'
import { toast, toastError } from '../../../ui/floating/toast.tsx'
import { keepKey, readKey } from './keys.ts'
import type { OwnServer } from './own-server.ts'
import { OwnServerCard } from './own-server-card.tsx'
import { OwnServerForm } from './own-server-form.tsx'
import type { OwnServers } from './own-servers.ts'

/** The user's own servers, and how a change of one is stored. */
export interface OwnServerChanges {
  readonly servers: OwnServers
  /** Replaces or adds a server; removes it for null. */
  readonly onChange: (id: string, next: OwnServer | null) => Promise<void>
}

/** Returns the actions of the page on the list. */
function useChanges({ servers, onChange }: OwnServerChanges) {
  const { t } = useTranslation()
  /** Checks a server and reports its tools or the error. */
  const check = async (id: string): Promise<void> => {
    await servers.checks.check(id)
    const state = servers.store.getState().states[id]
    if (state)
      announce(
        state.problem ??
          t('toolServers.found', { count: state.description?.operations.length ?? 0 }),
      )
  }
  /** Resolves after storing; the server's state is shown in its row. */
  const save = async (server: OwnServer, key: string): Promise<void> => {
    await onChange(server.id, server)
    keepKey(server.id, key)
    void check(server.id)
  }
  return {
    check,
    save,
    toggle: (server: OwnServer): void => {
      const next = { ...server, isEnabled: !server.isEnabled }
      onChange(server.id, next)
        .then(() => (next.isEnabled ? check(server.id) : undefined))
        .catch(toastError)
    },
    remove: async (server: OwnServer): Promise<void> => {
      const key = readKey(server.id)
      try {
        await onChange(server.id, null)
        keepKey(server.id, '')
        const action = {
          label: t('common.undo'),
          onSelect: () => void save(server, key).catch(toastError),
        }
        toast({ text: t('toolServers.own.removed', { name: server.name }), action })
      } catch (thrown) {
        toastError(thrown)
      }
    },
  }
}

interface OwnServerCardsProps extends OwnServerChanges {
  readonly shown: readonly OwnServer[]
  readonly onEdit: (server: OwnServer) => void
  readonly onEnterKey: (server: OwnServer) => void
}

/** Rows of the user's own servers, called by their window wherever it can reach them. */
export function OwnServerCards(props: OwnServerCardsProps) {
  const { servers, shown, onEdit, onEnterKey } = props
  const { states } = useStore(servers.store)
  const { check, toggle, remove } = useChanges(props)
  return shown.map((server) => (
    <OwnServerCard
      key={server.id}
      server={server}
      state={states[server.id] ?? null}
      onEdit={() => onEdit(server)}
      onEnterKey={() => onEnterKey(server)}
      onToggle={() => toggle(server)}
      onCheck={() => void check(server.id)}
      onRemove={() => void remove(server)}
    />
  ))
}

interface OwnServerSheetProps extends OwnServerChanges {
  /** Server to edit; null for a new one. */
  readonly server: OwnServer | null
  /** True if the form opens at its key. */
  readonly atKey: boolean
  readonly onClose: () => void
}

/** Form of a new or existing own server. */
export function OwnServerSheet(props: OwnServerSheetProps) {
  const { save } = useChanges(props)
  const { server, atKey, onClose } = props
  return <OwnServerForm server={server} atKey={atKey} onSave={save} onClose={onClose} />
}
