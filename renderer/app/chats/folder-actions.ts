import type { FolderItem } from '#contract/folders.ts'
import { chatViewStore } from '../../features/chat/chat-view-store.ts'
import { selectChat } from '../../features/chats/chats-store.ts'
import { loadChats } from '../../features/chats/load-chats.ts'
import { forgetFolderChats } from '../../features/chats/load-folder-chats.ts'
import {
  deleteFolder,
  moveFolder,
  renameFolder,
  restoreFolder,
  setExpanded,
} from '../../features/folders/change-folder.ts'
import type { FolderActions } from '../../features/folders/folder-tree.tsx'
import { withDescendants } from '../../features/folders/folders-store.ts'
import type { Dragged } from '../../lib/drag-rows.ts'
import { translate } from '../../lib/i18n.ts'
import { toast } from '../../ui/floating/toast.tsx'
import { beginChat } from './begin-chat.ts'
import { moveChats } from './chat-actions.ts'
import { openDialog } from './dialogs-store.ts'
import { chatsStore, foldersStore } from '../stores.ts'
import { tellFailure } from '../../ui/floating/tell-failure.ts'

const focusFolder = (id: string): void => {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[data-folder-id="${CSS.escape(id)}"]`)?.focus(),
  )
}

async function newChat(folder: FolderItem): Promise<void> {
  beginChat(folder.id)
  if (!folder.is_expanded) await setExpanded(foldersStore, folder, true)
}

/** Moves a folder unless the target is inside it. */
export async function moveFolderTo(folder: FolderItem, parentId: string | null): Promise<void> {
  const { folders } = foldersStore.getState()
  if (
    withDescendants(folders, folder.id).some(({ id }) => id === parentId) ||
    folder.parent_id === parentId
  )
    return
  await moveFolder(foldersStore, folder, parentId)
  const back = (): void => {
    moveFolder(foldersStore, { ...folder, parent_id: parentId }, folder.parent_id).catch(
      tellFailure('folders.moveFailed'),
    )
  }
  const target = folders.find(({ id }) => id === parentId)
  const place = target?.name ?? translate('folders.top')
  toast({
    text: translate('chats.moved', { title: folder.name, folder: place }),
    action: { label: translate('common.undo'), onSelect: back },
  })
}

/**
 * Restores a folder from the trash with everything that was deleted with it, and shows a notice.
 */
export async function bringBackFolder(folderId: string): Promise<void> {
  const { name } = await restoreFolder(foldersStore, folderId)
  toast({ text: translate('folders.restored', { name }) })
  await loadChats(chatsStore)
}

/** Deletes a folder with or without its chats, and offers to undo it. */
export async function removeFolder(folder: FolderItem, withChats: boolean): Promise<void> {
  const inside = withDescendants(foldersStore.getState().folders, folder.id)
  await deleteFolder(foldersStore, folder, withChats)
  if (inside.some(({ id }) => id === chatViewStore.getState().folderId))
    chatViewStore.setState({ folderId: null })
  for (const { id } of inside) forgetFolderChats(chatsStore, id)
  await loadChats(chatsStore)
  const onSelect = (): void => {
    bringBackFolder(folder.id).catch(tellFailure('folders.restoreFailed'))
  }
  toast({
    text: translate('folders.deleted', { name: folder.name }),
    action: { label: translate('common.undo'), onSelect },
  })
}

function drop({ chats, folder: folderId }: Dragged, target: string | null): void {
  const folder = foldersStore.getState().folders.find(({ id }) => id === folderId)
  if (folder) moveFolderTo(folder, target).catch(tellFailure('folders.moveFailed'))
  const dropped = (chats ?? [])
    .map((id) => selectChat(id)(chatsStore.getState()))
    .filter((chat) => chat !== null)
  if (dropped.length > 0) void moveChats(dropped, target)
}

/** Actions on folders; each failure is shown in a toast. */
export const folderActions: FolderActions = Object.freeze({
  create: (parentId: string | null) => openDialog({ kind: 'new-folder', parentId }),
  newChat: (folder: FolderItem) => {
    newChat(folder).catch(tellFailure('folders.saveFailed'))
  },
  setExpanded: (folder: FolderItem, expanded: boolean) => {
    if (folder.is_expanded !== expanded)
      setExpanded(foldersStore, folder, expanded).catch(tellFailure('folders.saveFailed'))
  },
  startRename: (folder: FolderItem) => foldersStore.setState({ renamingId: folder.id }),
  rename: (folder: FolderItem, name: string) => {
    if (foldersStore.getState().renamingId !== folder.id) return
    renameFolder(foldersStore, folder, name).catch(tellFailure('folders.saveFailed'))
    focusFolder(folder.id)
  },
  cancelRename: (folder: FolderItem) => {
    foldersStore.setState({ renamingId: null })
    focusFolder(folder.id)
  },
  edit: (folder: FolderItem) => openDialog({ kind: 'folder', folder }),
  move: (folder: FolderItem) => openDialog({ kind: 'move-folder', folder }),
  remove: (folder: FolderItem) => openDialog({ kind: 'delete-folder', folder }),
  drop,
})
