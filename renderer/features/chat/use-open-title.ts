import { useMemo } from 'react'
import { useStore } from 'zustand'
import { openChat } from './chat-registry.ts'

/** Returns the title of a stored chat as its conversation knows it; null until it is loaded. */
export function useOpenTitle(chatId: string): string | null {
  const { store } = useMemo(() => openChat(chatId), [chatId])
  return useStore(store, ({ phase, title }) => (phase === 'loading' ? null : title))
}
