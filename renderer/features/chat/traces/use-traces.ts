import { useCallback, useEffect, useState } from 'react'
import type { PluginTrace } from '#contract/plugins.ts'
import { toSentence } from '../../../api/api-error.ts'
import { call, endpoints } from '../../../api/client.ts'
import { useChat } from '../chat-context.ts'
import { isTemporaryId } from '../chat-store.ts'

export type Traces =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly reason: string }
  /** Traces in the order they started. */
  | { readonly state: 'ready'; readonly traces: readonly PluginTrace[] }

interface TracesControl {
  readonly traces: Traces
  readonly reload: () => void
}

/**
 * Returns the traces of a message's tools and plugins, loaded on demand; never loaded for temporary
 * chats.
 */
export function useTraces(messageId: string): TracesControl {
  const chatId = useChat((state) => state.chatId)
  const [traces, setTraces] = useState<Traces>({ state: 'loading' })
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    if (chatId === null || isTemporaryId(chatId)) return undefined
    const abort = new AbortController()
    call(
      endpoints.plugins.traces,
      { query: { chat_id: chatId, message_id: messageId } },
      { signal: abort.signal },
    ).then(
      (found) => setTraces({ state: 'ready', traces: found.toReversed() }),
      (thrown: unknown) => {
        if (!abort.signal.aborted) setTraces({ state: 'failed', reason: toSentence(thrown) })
      },
    )
    return () => abort.abort()
  }, [messageId, chatId, turn])
  const reload = useCallback(() => {
    setTraces({ state: 'loading' })
    setTurn((count) => count + 1)
  }, [])
  return { traces, reload }
}
