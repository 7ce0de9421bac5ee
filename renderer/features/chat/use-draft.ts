import { useCallback, useEffect, useRef, useState } from 'react'
import { type Draft, emptyDraft, keepDraft, readDraft } from './draft.ts'

const KEEP_AFTER_MS = 250

export interface DraftControl {
  readonly draft: Draft
  readonly change: (next: Draft) => void
  /** Empties the box. What is kept stays until the message has arrived. */
  readonly clear: () => void
}

/** The draft of a chat, kept as it grows and once more when the page goes. */
export function useDraft(chatId: string | null): DraftControl {
  const [draft, setDraft] = useState(() => readDraft(chatId))
  const shown = useRef(draft)
  const waiting = useRef<Draft | null>(null)
  const keptFor = useRef(chatId)

  useEffect(() => {
    // A new chat got its id. What was written since its first message goes with it.
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
