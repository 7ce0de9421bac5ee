import { useCallback, useEffect, useRef, useState } from 'react'
import { useKept } from '../../../lib/use-kept.ts'
import { type Draft, emptyDraft, keepDraft, readDraft } from './draft.ts'

export interface DraftControl {
  readonly draft: Draft
  readonly change: (next: Draft) => void
  /** Empties the box. The stored draft remains until the message has arrived. */
  readonly clear: () => void
}

/** Returns the draft of a chat, stored on changes and once more when the page closes. */
export function useDraft(chatId: string | null): DraftControl {
  const [draft, setDraft] = useState(() => readDraft(chatId))
  const shown = useRef(draft)
  const keepLater = useKept(chatId, keepDraft)
  const keptFor = useRef(chatId)

  useEffect(() => {
    // A new chat received its id. The draft written since its first message moves to that id.
    if (keptFor.current !== chatId) {
      keepDraft(keptFor.current, emptyDraft)
      keepDraft(chatId, shown.current)
      keptFor.current = chatId
    }
  }, [chatId])

  const change = useCallback(
    (next: Draft) => {
      keepLater(next)
      shown.current = next
      setDraft(next)
    },
    [keepLater],
  )
  const clear = useCallback(() => {
    keepLater(null)
    shown.current = emptyDraft
    setDraft(emptyDraft)
  }, [keepLater])
  return { draft, change, clear }
}
