import { useEffect } from 'react'
import { useStore } from 'zustand'
import { markRead } from '../features/chats/change-chat.ts'
import { isUnread, selectChat } from '../features/chats/chats-store.ts'
import { chatsStore } from './stores.ts'

/** The conversation itself tells when its chat cannot be read; a mark that was not kept is set again the next time. */
const ignore = (): undefined => undefined

const note = (chatId: string): void => {
  if (document.hasFocus()) void markRead(chatsStore, chatId).catch(ignore)
}

/** Notes that a chat was looked at: when it is opened, when something new came while it is in view, when the window is back, and when it is left. */
export function useMarkRead(chatId: string | null): void {
  const updatedAt = useStore(chatsStore, (state) => selectChat(chatId)(state)?.updated_at)
  useEffect(() => {
    if (chatId === null) return
    void markRead(chatsStore, chatId).catch(ignore)
    return () => {
      // The list may not have heard yet of the end of an answer that was read to its end.
      if (selectChat(chatId)(chatsStore.getState())?.active) note(chatId)
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
  }, [chatId, updatedAt])
}
