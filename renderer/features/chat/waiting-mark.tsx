import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChatMessage } from './chat-store.ts'
import { readStatuses } from './status/read-statuses.ts'
import { showsSkeleton } from './status/status-line.tsx'

/** So long may a model take a breath before it is said that it is waited for. */
const QUIET_AFTER = 2

/** Whole seconds since the last sign of life, which is anything new in the answer. */
function useQuietSeconds(signs: string): number {
  const latest = useRef(signs)
  const [quiet, setQuiet] = useState({ signs, seconds: 0 })
  useEffect(() => {
    latest.current = signs
  }, [signs])
  useEffect(() => {
    const count = (): void =>
      setQuiet((before) => ({
        signs: latest.current,
        seconds: before.signs === latest.current ? before.seconds + 1 : 0,
      }))
    const timer = setInterval(count, 1000)
    return () => clearInterval(timer)
  }, [])
  return quiet.signs === signs ? quiet.seconds : 0
}

/** A step that goes on, and thinking, move at a place of their own. */
function movesElsewhere(message: ChatMessage): boolean {
  const step = readStatuses(message).at(-1)
  if (step !== undefined && !step.isHidden && !step.isDone) return true
  return message.content === '' && Boolean(message.reasoning_content)
}

/**
 * Stands where the next words of an answer come: something that moves, and after a while who is
 * waited for and how long. The seconds are for the eye only, so that nobody hears each of them.
 */
export function WaitingMark({ message }: { message: ChatMessage }) {
  const { t } = useTranslation()
  const { content, reasoning_content: thought, statusHistory, model, modelName } = message
  const seconds = useQuietSeconds(
    `${content.length} ${String(thought ?? '').length} ${statusHistory?.length ?? 0}`,
  )
  if (movesElsewhere(message)) return null
  const isQuiet = seconds >= QUIET_AFTER
  return (
    <p className="flex min-h-[var(--message-line)] min-w-0 items-center gap-3 text-small text-muted">
      <span
        aria-hidden="true"
        className="size-2.5 shrink-0 animate-pulse rounded-full bg-accent motion-reduce:animate-none forced-colors:bg-[CanvasText]"
      />
      {(isQuiet || showsSkeleton(message)) && (
        <span className="min-w-0 truncate">
          {t('chat.status.waiting', { model: modelName || model || '' })}
        </span>
      )}
      {isQuiet && (
        <span aria-hidden="true" className="shrink-0 tabular-nums">
          {t('chat.usage.seconds', { seconds })}
        </span>
      )}
    </p>
  )
}
