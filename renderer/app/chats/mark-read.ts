import { useEffect } from 'react'
import { useStore } from 'zustand'
import { markRead } from '../../features/chats/change-chat.ts'
import { isUnread, selectChat } from '../../features/chats/chats-store.ts'
import { chatsStore } from '../stores.ts'

/**
 * The conversation itself reports when its chat cannot be loaded; a read mark that was not stored
 * is set again next time.
 */
const ignore = (): undefined => undefined

const note = (chatId: string): void => {
  if (document.hasFocus()) void markRead(chatsStore, chatId).catch(ignore)
}

/**
 * True if a chat counts as read when it is left: unless the user just marked it as unread, or it is
 * gone or inaccessible.
 */
function isReadWhenLeft(chatId: string): boolean {
  const state = chatsStore.getState()
  return (
    state.status === 'ready' &&
    !state.leaving.has(chatId) &&
    selectChat(chatId)(state)?.last_read_at !== 0
  )
}

/**
 * Marks a chat as read: when it is opened, when something new arrives while it is visible, when the
 * window becomes visible again, and when it is left.
 */
export function useMarkRead(chatId: string | null): void {
  const known = useStore(chatsStore, selectChat(chatId))
  const updatedAt = known?.updated_at
  const isActive = known?.active === true
  // While the first mark is being sent, the chat is not shown as unread, regardless of new events.
  const hasMark = known !== null && known.last_read_at !== null
  useEffect(() => {
    if (chatId === null) return
    void markRead(chatsStore, chatId).catch(ignore)
    return () => {
      // The list may not contain the last change yet, although it was visible.
      if (isReadWhenLeft(chatId)) note(chatId)
    }
  }, [chatId])
  // Depends on new events, not on the mark: a chat that the user just marked as unread stays
  // unread.
  useEffect(() => {
    const chat = selectChat(chatId)(chatsStore.getState())
    if (!chat || !isUnread(chat)) return
    note(chat.id)
    const handleFocus = (): void => note(chat.id)
    window.addEventListener('focus', handleFocus)
    return () => window.removeEventListener('focus', handleFocus)
  }, [chatId, updatedAt, isActive, hasMark])
}
