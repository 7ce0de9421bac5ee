import { createStore } from 'zustand/vanilla'
import type { ChatListItem } from '#contract/chats.ts'
import type { FolderItem } from '#contract/folders.ts'

/** Dialogs about chats and folders; one at a time. */
export type OpenDialog =
  | { readonly kind: 'rename' | 'share'; readonly chat: ChatListItem }
  | { readonly kind: 'move' | 'tags'; readonly chats: readonly ChatListItem[] }
  | { readonly kind: 'new-folder'; readonly parentId: string | null }
  | { readonly kind: 'folder' | 'move-folder' | 'delete-folder'; readonly folder: FolderItem }

export const dialogsStore = createStore<{ readonly open: OpenDialog | null }>(() => ({
  open: null,
}))

export const openDialog = (open: OpenDialog): void => dialogsStore.setState({ open })
export const closeDialog = (): void => dialogsStore.setState({ open: null })
