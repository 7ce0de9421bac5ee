import '../../lib/strings/import.ts'
import type { ChatListItem } from '#contract/chats.ts'
import { call, endpoints } from '../../api/client.ts'
import { loadChats } from '../../features/chats/load-chats.ts'
import { loadFolders } from '../../features/folders/folders-store.ts'
import { eachLimited } from '../../lib/each-limited.ts'
import { translate } from '../../lib/i18n.ts'
import { toast } from '../../ui/floating/toast.tsx'
import { mayUseFolders } from '../person/permissions.ts'
import { chatsStore, foldersStore, sessionStore } from '../stores.ts'
import { tellFailure, tellFailures } from '../../ui/floating/tell-failure.ts'

/** Reloads the lists after extensive changes. */
export function reloadLists(): void {
  void loadChats(chatsStore)
  if (mayUseFolders(sessionStore.getState())) void loadFolders(foldersStore)
}

/** Resolves with all chats, including archived ones. */
async function listEverything(): Promise<readonly ChatListItem[]> {
  const chats = [
    ...(await call(endpoints.chats.list, {
      query: { include_pinned: true, include_folders: true },
    })),
  ]
  for (let page = 1; ; page += 1) {
    const rows = await call(endpoints.chats.archived, { query: { page } })
    if (rows.length === 0) return chats
    chats.push(...rows)
  }
}

async function bringBack(chats: readonly ChatListItem[]): Promise<void> {
  tellFailures(
    'chats.restoreFailed',
    await eachLimited(chats, ({ id }) =>
      call(endpoints.chats.restore, { params: { chat_id: id } }),
    ),
  )
  reloadLists()
}

async function removeAll(): Promise<void> {
  const chats = await listEverything()
  await call(endpoints.chats.removeAll, {})
  reloadLists()
  toast({
    text: translate('import.allDeleted', { count: chats.length }),
    action: { label: translate('common.undo'), onSelect: () => void bringBack(chats) },
  })
}

async function archiveAll(): Promise<void> {
  await call(endpoints.chats.archiveAll, {})
  reloadLists()
  const undo = async (): Promise<void> => {
    await call(endpoints.chats.unarchiveAll, {})
    reloadLists()
  }
  toast({
    text: translate('import.allArchived'),
    action: {
      label: translate('common.undo'),
      onSelect: () => void undo().catch(tellFailure('chats.archiveFailed')),
    },
  })
}

/** Actions on all chats at once. */
export const allChatsActions = Object.freeze({
  removeAll: () => void removeAll().catch(tellFailure('chats.deleteFailed')),
  archiveAll: () => void archiveAll().catch(tellFailure('chats.archiveFailed')),
})
