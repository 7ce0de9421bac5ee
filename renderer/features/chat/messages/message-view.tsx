import { memo } from 'react'
import { classNames } from '../../../lib/class-names.ts'
import { AssistantMessage } from './assistant-message.tsx'
import { useChat } from '../chat-context.ts'
import { selectMessage } from '../chat-store.ts'
import { selectColumns } from '../branches/comparison.ts'
import { ComparisonView } from '../branches/comparison-view.tsx'
import { MessageArticle } from './message-article.tsx'
import { UserMessage } from './user-message.tsx'

interface MessageViewProps {
  readonly id: string
  readonly isLast: boolean
  /** True if space is reserved below it for a streaming answer. */
  readonly isLive: boolean
}

/**
 * One message. It subscribes to its own part of the state, so that a streaming answer does not
 * re-render other messages.
 */
export const MessageView = memo(function MessageView({ id, isLast, isLive }: MessageViewProps) {
  const message = useChat(selectMessage(id))
  const columns = useChat(selectColumns(id))
  if (!message) return null
  if (columns !== '')
    return (
      <ComparisonView message={message} ids={columns.split(' ')} isLast={isLast} isLive={isLive} />
    )
  const isUser = message.role === 'user'
  return (
    <MessageArticle
      message={message}
      className={classNames(
        isUser && '-mb-8 has-[fieldset]:-mb-4 has-[textarea]:mb-0',
        !isLast && 'message-row',
        isLive && 'min-h-[62cqh]',
      )}
    >
      {isUser ? (
        <UserMessage message={message} isLast={isLast} />
      ) : (
        <AssistantMessage message={message} isLast={isLast} />
      )}
    </MessageArticle>
  )
})
