import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../lib/class-names.ts'
import type { ChatMessage } from './chat-store.ts'
import { toTimeText } from './message-text.ts'

interface MessageArticleProps {
  readonly message: ChatMessage
  readonly className?: string
  readonly children: ReactNode
}

/** The frame of one message: an article labelled with author and time. */
export function MessageArticle({ message, className, children }: MessageArticleProps) {
  const { t, i18n } = useTranslation()
  const { id, role } = message
  const name =
    role === 'user'
      ? t('chat.message.you')
      : message.modelName || message.model || t('chat.message.assistant')
  return (
    <article
      data-message-id={id}
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
