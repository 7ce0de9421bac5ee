import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { useChat, useChatView } from '../chat-context.ts'
import { type ChatMessage, selectIsAnswering } from '../chat-store.ts'
import { chatViewStore } from '../chat-view-store.ts'
import type { DescribedFailure } from './describe-failure.ts'
import type { TimeToRetry } from './retry-time.tsx'

/** Maximum waiting time in seconds; after a longer one the user has turned to something else. */
const LONGEST_WAIT = 300

/** Maximum delay in milliseconds; a later end means that the computer slept. */
const LATEST = 60_000

/** Number of questions remembered as retried. */
const KEPT = 100

/** Questions that were retried automatically, or whose retry was cancelled. */
const settled = new Set<string>()

function settle(question: string): void {
  settled.add(question)
  const [oldest] = settled
  if (settled.size > KEPT && oldest !== undefined) settled.delete(oldest)
}

interface Situation {
  readonly message: ChatMessage
  readonly failure: DescribedFailure
  readonly time: TimeToRetry
  /** True if the failure is the last message and not one of several answers side by side. */
  readonly isAlone: boolean
}

/**
 * Retries once when the waiting time of a busy provider ends. Only the window that asked does so,
 * while the failure stays on its screen: leaving the chat, choosing another model, editing a
 * message or cancelling ends it. Returns the function that cancels it; null if none is planned.
 */
export function useAutomaticRetry({
  message,
  failure,
  time,
  isAlone,
}: Situation): (() => void) | null {
  const { retry, model } = useChatView()
  const isLive = useChat((state) => state.liveTurn === message.id)
  const isAnswering = useChat(selectIsAnswering)
  const isEditing = useStore(chatViewStore, ({ editingId }) => editingId !== null)
  const question = message.parentId ?? message.id
  const [isMeant, setMeant] = useState(
    () =>
      isAlone &&
      isLive &&
      message.content === '' &&
      time.hasWaited &&
      time.left <= LONGEST_WAIT &&
      (failure.kind === 'limited' || failure.kind === 'busy') &&
      !settled.has(question),
  )
  const isPlanned =
    isMeant && isAlone && isLive && !isAnswering && !isEditing && model?.id === message.model
  const isDue = isPlanned && time.left === 0
  useEffect(() => {
    if (!isMeant) return
    // Marks the question when the failure leaves the screen, so that returning does not resume.
    return () => settle(question)
  }, [isMeant, question])
  useEffect(() => {
    if (!isDue || settled.has(question)) return
    settle(question)
    if (Date.now() - time.endsAt < LATEST) retry(message.id)
  }, [isDue, question, retry, message.id, time.endsAt])
  return isPlanned && time.left > 0 ? () => setMeant(false) : null
}
