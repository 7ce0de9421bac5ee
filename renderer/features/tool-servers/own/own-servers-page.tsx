import { Hammer, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { Button } from '../../../ui/button.tsx'
import { EmptyList } from '../../../ui/lists/empty-list.tsx'
import { Rows } from '../../../ui/lists/list-row.tsx'
import { announce } from '../../../ui/live-region.tsx'
import { PageSection } from '../../../ui/page-section.tsx'
import { toast, toastError } from '../../../ui/toast.tsx'
import { PageWait } from '../../../ui/page-wait.tsx'
import { keepKey, readKey } from './keys.ts'
import type { OwnServer } from './own-server.ts'
import { OwnServerCard } from './own-server-card.tsx'
import { OwnServerForm } from './own-server-form.tsx'
import type { OwnServers } from './own-servers.ts'

interface OwnServersPageProps {
  readonly servers: OwnServers
  /** False until the user's settings are loaded. */
  readonly isLoaded: boolean
  /** Replaces or adds a server; removes it for null. */
  readonly onChange: (id: string, next: OwnServer | null) => Promise<void>
}

/** Returns the actions of the page on the list. */
function useChanges({ servers, onChange }: OwnServersPageProps) {
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

/** The user's own tool servers, called by their window wherever it can reach them. */
export function OwnServersPage(props: OwnServersPageProps) {
  const { t } = useTranslation()
  const { servers, isLoaded } = props
  const { servers: list, states } = useStore(servers.store)
  const [editing, setEditing] = useState<OwnServer | 'new' | null>(null)
  const { check, save, toggle, remove } = useChanges(props)
  useEffect(() => void (isLoaded && servers.checkNew()), [servers, isLoaded])
  const addButton = (
    <Button tone="primary" icon={<Plus className="size-4" />} onClick={() => setEditing('new')}>
      {t('toolServers.add')}
    </Button>
  )
  return (
    <PageSection
      title={t('toolServers.own.title')}
      text={t('toolServers.own.text')}
      action={list.length > 0 && addButton}
    >
      {!isLoaded && <PageWait />}
      {isLoaded && list.length === 0 && (
        <EmptyList icon={<Hammer />} title={t('toolServers.own.none')} action={addButton}>
          {t('toolServers.own.noneHint')}
        </EmptyList>
      )}
      {list.length > 0 && (
        <Rows label={t('toolServers.own.title')}>
          {list.map((server) => (
            <OwnServerCard
              key={server.id}
              server={server}
              state={states[server.id] ?? null}
              onEdit={() => setEditing(server)}
              onToggle={() => toggle(server)}
              onCheck={() => void check(server.id)}
              onRemove={() => void remove(server)}
            />
          ))}
        </Rows>
      )}
      {editing && (
        <OwnServerForm
          server={editing === 'new' ? null : editing}
          onSave={save}
          onClose={() => setEditing(null)}
        />
      )}
    </PageSection>
  )
}
