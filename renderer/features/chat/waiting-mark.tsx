import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChatMessage } from './chat-store.ts'
import { readStatuses } from './status/read-statuses.ts'
import { showsSkeleton } from './status/status-line.tsx'

/** Seconds without output before the waiting time is shown. */
const QUIET_AFTER = 2

/** Returns the whole seconds since the answer last changed. */
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

/** True if a step in progress or the reasoning already shows an animation elsewhere. */
function movesElsewhere(message: ChatMessage): boolean {
  const step = readStatuses(message).at(-1)
  if (step !== undefined && !step.isHidden && !step.isDone) return true
  return message.content === '' && Boolean(message.reasoning_content)
}

/**
 * Indicator at the position of an answer's next text: an animation, and after a while the name of
 * the model and the waiting time. The seconds are visual only, so that screen readers do not
 * announce each of them.
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
