import { useStore } from 'zustand'
import { isAdmin } from '../../features/auth/session-store.ts'
import { DataPage } from '../../features/import/data-page.tsx'
import { createImportStore } from '../../features/import/import-store.ts'
import { isAtGateway } from '../../lib/is-at-gateway.ts'
import { allChatsActions, reloadLists } from '../chats/all-chats-actions.ts'
import { isPermitted } from './permissions.ts'
import { sessionStore } from '../stores.ts'

/**
 * Outlives the page, so that an import continues after leaving the page and can be viewed again.
 */
const importStore = createImportStore()

/** Import, export, and actions on all chats. */
export function DataSection() {
  const canExport = useStore(sessionStore, isPermitted('chat.export'))
  const admin = useStore(sessionStore, isAdmin)
  const canDelete = useStore(sessionStore, isPermitted('chat.delete'))
  const canCreatePrompts = useStore(sessionStore, isPermitted('workspace.prompts'))
  const canImportPrompts = useStore(sessionStore, isPermitted('workspace.prompts_import'))
  return (
    <DataPage
      store={importStore}
      canExport={canExport}
      canDelete={canDelete}
      canSearch={admin && isAtGateway()}
      canAddPrompts={canCreatePrompts && canImportPrompts}
      onImported={reloadLists}
      onArchiveAll={allChatsActions.archiveAll}
      onDeleteAll={allChatsActions.removeAll}
    />
  )
}
