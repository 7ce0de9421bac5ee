import { useEffect } from 'react'
import { useStore } from 'zustand'
import { markRead } from '../features/chats/change-chat.ts'
import { isUnread, selectChat } from '../features/chats/chats-store.ts'
import { chatsStore } from './stores.ts'

/**
 * The conversation itself tells when its chat cannot be read; a mark that was not kept is set again
 * the next time.
 */
const ignore = (): undefined => undefined

const note = (chatId: string): void => {
  if (document.hasFocus()) void markRead(chatsStore, chatId).catch(ignore)
}

/**
 * Whether a chat counts as read when it is left: unless somebody just marked it as unread, or it is
 * gone or out of reach.
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
 * Notes that a chat was looked at: when it is opened, when something new came while it is in view,
 * when the window is back, and when it is left.
 */
export function useMarkRead(chatId: string | null): void {
  const known = useStore(chatsStore, selectChat(chatId))
  const updatedAt = known?.updated_at
  const isActive = known?.active === true
  // While the first mark is on its way a chat does not look unread, whatever comes.
  const hasMark = known !== null && known.last_read_at !== null
  useEffect(() => {
    if (chatId === null) return
    void markRead(chatsStore, chatId).catch(ignore)
    return () => {
      // The list may not have heard yet of the last change, which was in view all the same.
      if (isReadWhenLeft(chatId)) note(chatId)
    }
  }, [chatId])
  // Follows what comes, not the mark: a chat that somebody just marked as unread stays so.
  useEffect(() => {
    const chat = selectChat(chatId)(chatsStore.getState())
    if (!chat || !isUnread(chat)) return
    note(chat.id)
    const handleFocus = (): void => note(chat.id)
    window.addEventListener('focus', handleFocus)
    return () => window.removeEventListener('focus', handleFocus)
  }, [chatId, updatedAt, isActive, hasMark])
}
