import type { ChatListItem } from '#contract/chats.ts'
import type { ChatsStore } from './chats-store.ts'

export type ExportFormat = 'markdown' | 'page' | 'json'

type Chats = readonly ChatListItem[]

/** Actions on chats; each reports its own failures. */
export interface ChatActions {
  readonly startRename: (chat: ChatListItem) => void
  readonly rename: (chat: ChatListItem, title: string) => void
  readonly cancelRename: () => void
  readonly togglePin: (chat: ChatListItem) => void
  readonly toggleRead: (chat: ChatListItem) => void
  readonly clone: (chat: ChatListItem) => void
  readonly share: (chat: ChatListItem) => void
  readonly print: (chat: ChatListItem) => void
  readonly move: (chats: Chats) => void
  readonly editTags: (chats: Chats) => void
  readonly archive: (chats: Chats) => void
  readonly unarchive: (chats: Chats) => void
  readonly remove: (chats: Chats) => void
  readonly exportAs: (chats: Chats, format: ExportFormat) => void
}

/** Rights of the user; actions that are not permitted are not offered. */
export interface ChatRights {
  readonly canDelete: boolean
  readonly canShare: boolean
  readonly canExport: boolean
  readonly hasFolders: boolean
}

/**
 * Shared input of all parts of the chat list. The object stays the same while nothing in it
 * changes.
 */
export interface ChatsView {
  readonly store: ChatsStore
  readonly actions: ChatActions
  readonly rights: ChatRights
}
