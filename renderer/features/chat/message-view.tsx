import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../lib/class-names.ts'
import { AssistantMessage } from './assistant-message.tsx'
import { useChat } from './chat-context.ts'
import { selectMessage } from './chat-store.ts'
import { toTimeText } from './message-text.ts'
import { UserMessage } from './user-message.tsx'

interface MessageViewProps {
  readonly id: string
  readonly isLast: boolean
  /** Gets the room below it in which a fresh answer grows. */
  readonly isLive: boolean
}

/** One message. It follows its own part of the state, so that a growing answer draws no other message again. */
export const MessageView = memo(function MessageView({ id, isLast, isLive }: MessageViewProps) {
  const { t, i18n } = useTranslation()
  const message = useChat(selectMessage(id))
  if (!message) return null
  const isUser = message.role === 'user'
  const name = isUser ? t('chat.message.you') : message.modelName || message.model || t('chat.message.assistant')
  const heading = t('chat.message.heading', { who: name, when: toTimeText(message.timestamp, i18n.language) })
  return (
    <article
      data-message-id={id}
      data-role={message.role}
      aria-labelledby={`heading-${id}`}
      tabIndex={-1}
      className={classNames(
        'group/message -mx-2 rounded-medium px-2 outline-none focus-visible:outline-2',
        isUser && '-mb-8 has-[fieldset]:-mb-4 has-[textarea]:mb-0',
        !isLast && 'message-row',
        isLive && 'min-h-[62cqh]',
      )}
    >
      <h2 id={`heading-${id}`} className="sr-only">
        {heading}
      </h2>
      {isUser ? <UserMessage message={message} isLast={isLast} /> : <AssistantMessage message={message} isLast={isLast} />}
    </article>
  )
})
