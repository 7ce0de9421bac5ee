import type { ChatListItem } from '#contract/chats.ts'
import { toSentence } from '../api/api-error.ts'
import { deleteChat, renameChat, restoreChat, togglePin } from '../features/chats/change-chat.ts'
import type { ChatRowActions } from '../features/chats/chat-row.tsx'
import type { ChatsStore } from '../features/chats/chats-store.ts'
import { translate } from '../lib/i18n.ts'
import { chatPath, currentRoute, navigate } from '../lib/router.ts'
import { toast } from '../ui/toast.tsx'
import { chatsStore } from './stores.ts'

type FailureKey = 'chats.renameFailed' | 'chats.pinFailed' | 'chats.deleteFailed' | 'chats.restoreFailed'

const tellFailure =
  (key: FailureKey) =>
  (thrown: unknown): void =>
    toast({ tone: 'danger', text: translate(key, { problem: toSentence(thrown) }) })

const titleOf = (chat: ChatListItem): string => chat.title || translate('chats.untitled')

const isShown = (id: string): boolean => {
  const route = currentRoute()
  return route.name === 'chat' && route.chatId === id
}

async function undoDelete(store: ChatsStore, chat: ChatListItem, wasShown: boolean): Promise<void> {
  await restoreChat(store, chat.id)
  toast({ text: translate('chats.restored', { title: titleOf(chat) }) })
  if (wasShown) navigate(chatPath(chat.id))
}

async function removeWithUndo(store: ChatsStore, chat: ChatListItem): Promise<void> {
  const wasShown = isShown(chat.id)
  const deleted = deleteChat(store, chat)
  if (wasShown) navigate(chatPath(null))
  await deleted
  const onSelect = (): void => {
    undoDelete(store, chat, wasShown).catch(tellFailure('chats.restoreFailed'))
  }
  toast({ text: translate('chats.deleted', { title: titleOf(chat) }), action: { label: translate('common.undo'), onSelect } })
}

/** After an edit the focus goes back to the row it came from. */
const focusRow = (id: string): void => {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`a[data-chat-id="${CSS.escape(id)}"]`)?.focus())
}

/** What can be done with a chat, each failure told in a toast. */
export const chatActions: ChatRowActions = Object.freeze({
  startRename: (chat: ChatListItem) => chatsStore.setState({ renamingId: chat.id }),
  cancelRename: () => {
    const id = chatsStore.getState().renamingId
    chatsStore.setState({ renamingId: null })
    if (id) focusRow(id)
  },
  rename: (chat: ChatListItem, title: string) => {
    if (chatsStore.getState().renamingId !== chat.id) return
    renameChat(chatsStore, chat, title).catch(tellFailure('chats.renameFailed'))
    focusRow(chat.id)
  },
  togglePin: (chat: ChatListItem) => {
    togglePin(chatsStore, chat).catch(tellFailure('chats.pinFailed'))
  },
  remove: (chat: ChatListItem) => {
    removeWithUndo(chatsStore, chat).catch(tellFailure('chats.deleteFailed'))
  },
})
