import { ChevronRight } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../lib/class-names.ts'
import { Markdown } from '../../../ui/markdown/markdown.tsx'
import type { ChatMessage } from '../chat-store.ts'

/** Returns the seconds since the component was mounted, counted while it is active. */
function useSeconds(isActive: boolean): number {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    if (!isActive) return
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000)
    return () => clearInterval(timer)
  }, [isActive])
  return seconds
}

/** "Thinking for 3 s", then "Thought for 8 s". */
function useLabel(message: ChatMessage, isActive: boolean): string {
  const { t } = useTranslation()
  const seconds = useSeconds(isActive)
  if (isActive) return t('chat.reasoning.during', { seconds })
  const total = message.reasoning_seconds ?? seconds
  return total > 0
    ? t('chat.reasoning.label', { seconds: Math.max(1, Math.round(total)) })
    : t('chat.reasoning.unknown')
}

/** The model's reasoning, collapsed into one line and separate from the answer. */
function FoldedReasoning({ message, text }: { message: ChatMessage; text: string }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const isActive = message.done === false && message.content === ''
  const label = useLabel(message, isActive)
  return (
    <div className="mb-3">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        className="-ms-1 flex min-h-6 items-center gap-1.5 rounded-small px-1 text-ui text-muted hover:text-ink pointer-coarse:min-h-11"
        onClick={() => setOpen(!isOpen)}
      >
        <span className={classNames('tabular-nums', isActive && 'animate-pulse')}>{label}</span>
        <ChevronRight
          className={classNames(
            'size-3.5 transition-transform',
            isOpen ? 'rotate-90' : 'rtl:-scale-x-100',
          )}
        />
      </button>
      <div
        id={id}
        hidden={!isOpen}
        className="mt-2 border-s-2 border-line ps-4 text-muted [--message-line:1.375rem] [--message-size:0.875rem]"
      >
        {isOpen && <Markdown text={text} isGrowing={isActive} />}
      </div>
    </div>
  )
}

/** The collapsed reasoning of a message, if it has any. */
export function Reasoning({ message }: { message: ChatMessage }) {
  return message.reasoning_content ? (
    <FoldedReasoning message={message} text={message.reasoning_content} />
  ) : null
}
