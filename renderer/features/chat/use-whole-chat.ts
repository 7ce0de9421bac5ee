import { useEffect, useState } from 'react'
import type { Message } from '#contract/chats.ts'
import { toSentence } from '../../api/api-error.ts'
import { chatDeps, type OpenChat } from './chat-registry.ts'
import { isTemporaryId } from './chat-store.ts'

type Messages = Readonly<Record<string, Message>>

/** All messages of a chat on every branch; null while loading. */
export type WholeChat = { readonly messages: Messages } | { readonly problem: string } | null

async function readWhole(chat: OpenChat): Promise<Messages> {
  const { chatId, messages } = chat.store.getState()
  if (chatId === null || isTemporaryId(chatId)) return messages
  return (await chatDeps.api.whole(chatId)).chat.history.messages
}

/**
 * Loads all messages of a chat, and again when `mark` changes. The previous result remains
 * meanwhile.
 */
export function useWholeChat(chat: OpenChat, mark?: unknown): WholeChat {
  const [whole, setWhole] = useState<WholeChat>(null)
  useEffect(() => {
    let isWanted = true
    readWhole(chat).then(
      (messages) => isWanted && setWhole({ messages }),
      (thrown: unknown) => isWanted && setWhole({ problem: toSentence(thrown) }),
    )
    return () => {
      isWanted = false
    }
  }, [chat, mark])
  return whole
}
