import { createContext, useContext } from 'react'
import { useStore } from 'zustand'
import type { OpenChat } from './chat-registry.ts'
import type { ChatModel, ChatState } from './chat-store.ts'

/** What the parts of a conversation on the screen share. */
export interface ChatView {
  readonly chat: OpenChat
  /** The model the next message goes to; null while there is none. */
  readonly model: ChatModel | null
  readonly regenerate: (answerId: string) => void
  readonly retry: (answerId: string) => void
  readonly edit: (messageId: string, text: string) => void
  readonly switchTo: (siblingId: string) => void
  readonly askToDelete: (messageId: string) => void
}

export const ChatContext = createContext<ChatView | null>(null)

/** The conversation this component belongs to. */
export function useChatView(): ChatView {
  const view = useContext(ChatContext)
  if (!view) throw new Error('This component only works inside a conversation.')
  return view
}

/** A part of the conversation's state. */
export const useChat = <Part>(select: (state: ChatState) => Part): Part => useStore(useChatView().chat.store, select)
