import { useMemo } from 'react'
import type { CodeCells } from '../../../ui/markdown/code-cells.ts'
import { useChatView } from '../chat-context.ts'
import type { ChatState } from '../chat-store.ts'
import { toFields } from '../../../lib/fields.ts'

/** Returns the stored files attached to the displayed messages, each name once. */
export function listAttachedFiles({
  order,
  messages,
}: Pick<ChatState, 'order' | 'messages'>): readonly { id: string; name: string }[] {
  const found = new Map<string, { id: string; name: string }>()
  for (const file of order.flatMap((id) => messages[id]?.files ?? [])) {
    const { type, id, name } = toFields(file)
    if ((type === 'file' || type === 'image') && typeof id === 'string' && typeof name === 'string')
      found.set(name, { id, name })
  }
  return [...found.values()]
}

/** Returns the handlers that run the code of an answer; null if that is not permitted. */
export function useCodeCells(messageId: string): CodeCells | null {
  const { chat, codeCells } = useChatView()
  return useMemo(() => {
    if (!codeCells) return null
    const { store } = chat
    return {
      ...codeCells,
      messageId,
      get chatId() {
        return store.getState().chatId ?? messageId
      },
      listFiles: () => listAttachedFiles(store.getState()),
    }
  }, [chat, codeCells, messageId])
}
