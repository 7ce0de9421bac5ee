import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useRef, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { useChatView } from '../chat-context.ts'
import type { ChatMessage } from '../chat-store.ts'

/** The arrow to focus once its version is rendered, since each version is a separate article. */
let awaited: { id: string; arrow: 0 | 1 } | null = null

/** "‹ 2/3 ›": the versions of a message. The arrow keys work while the focus is on either arrow. */
export function BranchArrows({ message }: { message: ChatMessage }) {
  const { t } = useTranslation()
  const { switchTo } = useChatView()
  const group = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    if (awaited?.id !== message.id) return
    group.current?.querySelectorAll('button')[awaited.arrow]?.focus()
    awaited = null
  }, [message.id])
  const total = message.siblingIds.length
  if (total < 2) return null
  const position = message.siblingIds.indexOf(message.id)
  const go = (step: number): void => {
    const sibling = message.siblingIds[position + step]
    if (!sibling) return
    awaited = { id: sibling, arrow: step < 0 ? 0 : 1 }
    switchTo(sibling)
  }
  const handleKey = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    go(document.documentElement.dir === 'rtl' ? -step : step)
  }
  const place = { position: position + 1, total }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys belong to the two buttons inside
    <fieldset
      ref={group}
      aria-label={t('chat.branch.label')}
      className="flex items-center text-small text-muted tabular-nums"
      onKeyDown={handleKey}
    >
      <IconButton
        label={t('chat.branch.previous')}
        icon={<ChevronLeft className="rtl:-scale-x-100" />}
        aria-disabled={position === 0}
        className="w-6!"
        onClick={() => go(-1)}
      />
      <span aria-hidden="true">{t('chat.branch.place', place)}</span>
      <span className="sr-only">{t('chat.branch.placeSpoken', place)}</span>
      <IconButton
        label={t('chat.branch.next')}
        icon={<ChevronRight className="rtl:-scale-x-100" />}
        aria-disabled={position === total - 1}
        className="w-6!"
        onClick={() => go(1)}
      />
    </fieldset>
  )
}
