import { useStore } from 'zustand'
import { FolderChats } from '../features/chats/folder-chats.tsx'
import { FolderMarks } from '../features/chats/folder-marks.tsx'
import type { ChatsView } from '../features/chats/chats-view.ts'
import { FolderTree } from '../features/folders/folder-tree.tsx'
import { folderActions } from './folder-actions.ts'
import { foldersStore } from './stores.ts'

/** Whether there is any folder to show. */
export const useHasFolders = (): boolean => useStore(foldersStore, (state) => state.folders.length > 0)

/** The folders of the list with the chats in them. */
export function FoldersSection({ view, currentId }: { view: ChatsView; currentId: string | null }) {
  return (
    <FolderTree
      store={foldersStore}
      actions={folderActions}
      drawChats={(folderId) => <FolderChats view={view} folderId={folderId} currentId={currentId} />}
      drawMarks={(folderId) => <FolderMarks store={view.store} folderId={folderId} />}
    />
  )
}
