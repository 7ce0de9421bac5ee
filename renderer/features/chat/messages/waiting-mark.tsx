import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { runCommand } from '../../../lib/commands.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { useChatView } from '../chat-context.ts'
import type { ChatMessage } from '../chat-store.ts'
import { readStatuses } from '../status/read-statuses.ts'
import { showsSkeleton } from '../status/status-line.tsx'
import { useStatusText } from '../status/use-status-text.ts'

/** Seconds without output before the waiting time is shown. */
const QUIET_AFTER = 2

/** The same after the first words of an answer, which often pauses between two of them. */
const PAUSED_AFTER = 5

/** Seconds after which a runtime of this network, which may load a model first, is said to do so. */
const LOADING_AFTER = 10

/** Maximum age of a question in seconds; an older one indicates that the clocks differ. */
const OLDEST = 3600

/** Returns the milliseconds since the answer last changed, updated every second. */
function useQuietTime(signs: string): number {
  const [quiet, setQuiet] = useState({ signs, milliseconds: 0 })
  useEffect(() => {
    const since = Date.now()
    // Timers of a hidden page are throttled, so the time is read from the clock.
    const timer = setInterval(() => setQuiet({ signs, milliseconds: Date.now() - since }), 1000)
    return () => clearInterval(timer)
  }, [signs])
  return quiet.signs === signs ? quiet.milliseconds : 0
}

/**
 * Returns the whole seconds without output. Before the first sign of an answer they count from its
 * question, which may have been sent before this page was opened.
 */
function useWaitingSeconds(message: ChatMessage): number {
  const { content, reasoning_content: thought, timestamp } = message
  const steps = readStatuses(message).length
  const signs = `${content.length} ${String(thought ?? '').length} ${steps}`
  const quiet = useQuietTime(signs)
  const [opened] = useState(() => Date.now())
  const before = signs === '0 0 0' ? Math.floor(opened / 1000) - timestamp : 0
  const seconds = Math.round(quiet / 1000)
  return before > QUIET_AFTER && before < OLDEST ? seconds + before : seconds
}

/** Formats a duration: seconds, and from a minute on minutes and seconds. */
function useDuration(seconds: number): string {
  const { t } = useTranslation()
  if (seconds < 60) return t('chat.usage.seconds', { seconds })
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** Returns the step in progress that the status line above the text names. */
const currentStep = (message: ChatMessage) => {
  const step = readStatuses(message).at(-1)
  return step !== undefined && !step.isHidden && !step.isDone ? step : null
}

interface WaitingMarkProps {
  readonly message: ChatMessage
}

/**
 * Indicator at the position of an answer's next text: an animation, and after a while the reason
 * for the wait and its duration. The seconds are visual only, so that screen readers do not
 * announce each of them. The message box has the button that stops the answer.
 */
export function WaitingMark({ message }: WaitingMarkProps) {
  const { t } = useTranslation()
  const { model: chosen, models } = useChatView()
  const { content, reasoning_content: thought, model, modelName } = message
  const seconds = useWaitingSeconds(message)
  const duration = useDuration(seconds)
  const step = currentStep(message)
  const textOf = useStatusText()
  // A step says what happens; without one, text that has begun is only said to have paused.
  const isPaused = content !== '' && step === null
  const isQuiet = seconds >= (isPaused ? PAUSED_AFTER : QUIET_AFTER)
  // The line of the reasoning shows its own animation and time.
  if (content === '' && Boolean(thought) && step === null) return null
  // The status line directly above shows the step and an animation.
  const isToldAbove = step !== null && content === ''
  if (isToldAbove && !isQuiet) return null
  const name = modelName || model || ''
  const asked = [chosen, ...models].find((each) => each?.id === model)
  const connection = asked?.connection
  const mayBeLoading =
    asked?.isLocal === true && content === '' && step === null && seconds >= LOADING_AFTER
  const reason =
    (step && textOf(step)) ||
    (connection
      ? t('chat.status.waitingFor', { connection })
      : t('chat.status.waiting', { model: name }))
  return (
    <div className="flex min-h-[var(--message-line)] min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-small text-muted">
      {!isToldAbove && (
        <span
          aria-hidden="true"
          className="size-2.5 shrink-0 animate-pulse rounded-full bg-accent motion-reduce:animate-none forced-colors:bg-[CanvasText]"
        />
      )}
      {!isToldAbove && (isQuiet || showsSkeleton(message)) && (
        <bdi className={isPaused ? 'sr-only' : 'min-w-0 truncate'}>{reason}</bdi>
      )}
      {isQuiet && (
        <span aria-hidden="true" className="shrink-0 tabular-nums">
          {isPaused ? t('chat.status.noNewText', { duration }) : duration}
        </span>
      )}
      {mayBeLoading && (
        <span className="flex w-full flex-wrap items-center gap-x-2">
          <output>{t('chat.status.mayBeLoading')}</output>
          <Button
            tone="quiet"
            className="-my-1 h-7 shrink-0 px-2! text-small text-muted"
            onClick={() => runCommand('model.choose')}
          >
            {t('chat.error.changeModel')}
          </Button>
        </span>
      )}
    </div>
  )
}
