import { useCallback, useEffect, useRef, useState } from 'react'
import { type Draft, emptyDraft, keepDraft, readDraft } from './draft.ts'

const KEEP_AFTER_MS = 250

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
  const waiting = useRef<Draft | null>(null)
  const keptFor = useRef(chatId)

  useEffect(() => {
    // A new chat received its id. The draft written since its first message moves to that id.
    if (keptFor.current !== chatId) {
      keepDraft(keptFor.current, emptyDraft)
      keepDraft(chatId, shown.current)
      keptFor.current = chatId
    }
    const keep = (): void => {
      if (waiting.current) keepDraft(chatId, waiting.current)
      waiting.current = null
    }
    const timer = setInterval(keep, KEEP_AFTER_MS)
    window.addEventListener('pagehide', keep)
    return () => {
      clearInterval(timer)
      window.removeEventListener('pagehide', keep)
      keep()
    }
  }, [chatId])

  const change = useCallback((next: Draft) => {
    waiting.current = next
    shown.current = next
    setDraft(next)
  }, [])
  const clear = useCallback(() => {
    waiting.current = null
    shown.current = emptyDraft
    setDraft(emptyDraft)
  }, [])
  return { draft, change, clear }
}
