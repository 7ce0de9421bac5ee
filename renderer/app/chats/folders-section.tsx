import { useMemo } from 'react'
import { useStore } from 'zustand'
import { FolderChats } from '../../features/chats/folder-chats.tsx'
import { FolderMarks } from '../../features/chats/folder-marks.tsx'
import type { ChatsView } from '../../features/chats/chats-view.ts'
import { FolderTree } from '../../features/folders/folder-tree.tsx'
import { selectChatCount } from '../../features/folders/folders-store.ts'
import { folderActions } from './folder-actions.ts'
import { foldersStore } from '../stores.ts'

/** True if there is any folder to show. */
export const useHasFolders = (): boolean =>
  useStore(foldersStore, (state) => state.folders.length > 0)

/** Returns the names of all folders by id. */
export function useFolderNames(): ReadonlyMap<string, string> {
  const folders = useStore(foldersStore, (state) => state.folders)
  return useMemo(() => new Map(folders.map(({ id, name }) => [id, name])), [folders])
}

/**
 * Badges of a folder: its number of chats comes from the folders store, the unread state from the
 * chats.
 */
function Marks({ view, folderId }: { view: ChatsView; folderId: string }) {
  const count = useStore(foldersStore, selectChatCount(folderId))
  return <FolderMarks store={view.store} folderId={folderId} count={count} />
}

/** The folders of the sidebar with their chats. */
export function FoldersSection({ view, currentId }: { view: ChatsView; currentId: string | null }) {
  return (
    <FolderTree
      store={foldersStore}
      actions={folderActions}
      drawChats={(folderId) => (
        <FolderChats view={view} folderId={folderId} currentId={currentId} />
      )}
      drawMarks={(folderId) => <Marks view={view} folderId={folderId} />}
    />
  )
}
