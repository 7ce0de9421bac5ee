import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChatMessage } from '../chat-store.ts'
import { ContinueButton } from '../messages/continue-button.tsx'
import { hasFailed, isSuperseded } from './describe-failure.ts'
import { FailureBox, FoldedFailure } from './failure-box.tsx'

/** Notice below an incomplete answer. */
const EarlyEnd = ({ text, children }: { text: string; children: ReactNode }) => (
  <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 text-small text-muted">
    <p>{text}</p>
    {children}
  </div>
)

interface MessageErrorProps {
  readonly message: ChatMessage
  readonly isLast: boolean
  /** True for one of several answers side by side. */
  readonly isColumn?: boolean
}

/** Shows how an answer ended, unless it completed normally. */
export function MessageError({ message, isLast, isColumn = false }: MessageErrorProps) {
  const { t } = useTranslation()
  const { error, finish_reason: reason } = message
  const next = <ContinueButton message={message} isLast={isLast} />
  if (!error && reason === 'length')
    return <EarlyEnd text={t('chat.continue.tooLong')}>{next}</EarlyEnd>
  if (!error && reason === 'content_filter')
    return <EarlyEnd text={t('failures.keptBack')}>{null}</EarlyEnd>
  if (!error) return null
  if (!hasFailed(message))
    return (
      <EarlyEnd text={t(message.content ? 'chat.error.stopped' : 'chat.error.stoppedAtOnce')}>
        {next}
      </EarlyEnd>
    )
  const props = { message, isLast, isColumn }
  return isSuperseded(message, isLast) ? (
    <FoldedFailure key={message.id} {...props} />
  ) : (
    <FailureBox key={message.id} {...props} />
  )
}
