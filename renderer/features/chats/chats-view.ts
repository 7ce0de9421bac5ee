import type { ChatListItem } from '#contract/chats.ts'
import type { ChatsStore } from './chats-store.ts'

export type ExportFormat = 'markdown' | 'page' | 'json'

type Chats = readonly ChatListItem[]

/** What can be done with chats; failures are told where they happen. */
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

/** What this person may do; what is not permitted is not offered. */
export interface ChatRights {
  readonly canDelete: boolean
  readonly canShare: boolean
  readonly canExport: boolean
  readonly hasFolders: boolean
}

/** What every part of the chat list needs. One object while nothing of it changes. */
export interface ChatsView {
  readonly store: ChatsStore
  readonly actions: ChatActions
  readonly rights: ChatRights
}
