import type { MouseEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { chatViewStore } from '../chat-view-store.ts'
import { classNames } from '../../../lib/class-names.ts'
import type { ChatMessage } from '../chat-store.ts'
import { toTimeText } from './message-text.ts'

interface MessageArticleProps {
  readonly message: ChatMessage
  readonly className?: string
  readonly children: ReactNode
}

/** Elements that use a tap themselves. */
const TAKES_TAPS =
  'a, button, summary, input, textarea, select, label, video, audio, [role="button"]'

/** Shows the actions of the tapped message, or hides them again; a selection is left alone. */
function handleTap({ target, currentTarget }: MouseEvent<HTMLElement>): void {
  // Events of menus reach the message as well, though they are elsewhere in the page.
  const isInside = target instanceof Element && currentTarget.contains(target)
  if (!isInside || target.closest(TAKES_TAPS) || getSelection()?.isCollapsed === false) return
  const id = currentTarget.dataset['messageId'] ?? null
  chatViewStore.setState(({ tappedId }) => ({ tappedId: tappedId === id ? null : id }))
}

/** The frame of one message: an article labelled with author and time. */
export function MessageArticle({ message, className, children }: MessageArticleProps) {
  const { t, i18n } = useTranslation()
  const { id, role } = message
  const isTapped = useStore(chatViewStore, ({ tappedId }) => tappedId === id)
  const name =
    role === 'user'
      ? t('chat.message.you')
      : message.modelName || message.model || t('chat.message.assistant')
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the actions are reached by keyboard without this
    <article
      data-message-id={id}
      data-tapped={isTapped || undefined}
      onClick={handleTap}
      data-role={role}
      aria-labelledby={`heading-${id}`}
      tabIndex={-1}
      className={classNames(
        'group/message -mx-2 rounded-medium px-2 outline-none focus-visible:outline-2',
        className,
      )}
    >
      <h2 id={`heading-${id}`} className="sr-only">
        {t('chat.message.heading', {
          who: name,
          when: toTimeText(message.timestamp, i18n.language),
        })}
      </h2>
      {children}
    </article>
  )
}
