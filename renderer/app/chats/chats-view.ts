import { useMemo } from 'react'
import { useStore } from 'zustand'
import type { ChatsView } from '../../features/chats/chats-view.ts'
import { chatActions } from './chat-actions.ts'
import { isPermitted, mayUseFolders } from '../person/permissions.ts'
import { chatsStore, sessionStore } from '../stores.ts'

/** Returns the chat list with the actions permitted to this user. */
export function useChatsView(): ChatsView {
  const canDelete = useStore(sessionStore, isPermitted('chat.delete'))
  const canShare = useStore(sessionStore, isPermitted('chat.share'))
  const canExport = useStore(sessionStore, isPermitted('chat.export'))
  const hasFolders = useStore(sessionStore, mayUseFolders)
  return useMemo(
    () => ({
      store: chatsStore,
      actions: chatActions,
      rights: { canDelete, canShare, canExport, hasFolders },
    }),
    [canDelete, canShare, canExport, hasFolders],
  )
}
