import { ChevronRight } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Markdown } from '../../ui/markdown/markdown.tsx'
import type { ChatMessage } from './chat-store.ts'

/** Seconds since a component appeared, counted while it is active. */
export function useSeconds(isActive: boolean): number {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    if (!isActive) return
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000)
    return () => clearInterval(timer)
  }, [isActive])
  return seconds
}

/** The model's way to its answer: one folded line, read on demand, never part of the answer. */
export function Reasoning({ message }: { message: ChatMessage }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const isActive = message.done === false && message.content === ''
  const seconds = useSeconds(isActive)
  const text = message.reasoning_content
  if (!text) return null
  const total = message.reasoning_seconds ?? (isActive ? undefined : seconds || undefined)
  const label = isActive
    ? t('chat.reasoning.during', { seconds })
    : total === undefined
      ? t('chat.reasoning.unknown')
      : t('chat.reasoning.label', { seconds: Math.max(1, Math.round(total)) })
  return (
    <details className="group/thought mb-3" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex min-h-6 w-fit list-none items-center gap-1.5 rounded-small text-ui text-muted hover:text-ink">
        <span className={isActive ? 'animate-pulse' : undefined}>{label}</span>
        <ChevronRight aria-hidden="true" className="size-3.5 transition-transform group-open/thought:rotate-90 rtl:-scale-x-100" />
      </summary>
      {isOpen && (
        <div className="mt-2 border-s-2 border-line ps-4 text-muted [--message-line:1.375rem] [--message-size:0.875rem]">
          <Markdown text={text} isGrowing={isActive} />
        </div>
      )}
    </details>
  )
}
