import { useTranslation } from 'react-i18next'
import { Markdown } from '../../ui/markdown/markdown.tsx'
import { type ChatMessage, isGrowing } from './chat-store.ts'
import { AnswerActions } from './message-actions.tsx'
import { MessageError } from './message-error.tsx'
import { tokensOf } from './message-text.ts'
import { Reasoning, useSeconds } from './reasoning.tsx'
import { SourceList } from './source-list.tsx'
import { showsSkeleton, StatusLine } from './status-line.tsx'

const TELL_TIME_AFTER = 5

/** Something moves before the first word is there; after a while also how long it has been. */
function Skeleton() {
  const { t } = useTranslation()
  const seconds = useSeconds(true)
  return (
    <p className="flex min-h-[var(--message-line)] items-center gap-3 text-small text-muted">
      <span className="size-2.5 animate-pulse rounded-full bg-ink/70" aria-hidden="true" />
      <span className="sr-only">{t('chat.status.waiting')}</span>
      {seconds >= TELL_TIME_AFTER && <span className="tabular-nums">{t('chat.usage.seconds', { seconds })}</span>}
    </p>
  )
}

/** Who answered, and what it took. */
function UsageLine({ message }: { message: ChatMessage }) {
  const { t } = useTranslation()
  const tokens = tokensOf(message.usage)
  const parts = [message.modelName || message.model, tokens !== null && t('chat.usage.tokens', { tokens: tokens.toLocaleString() })]
  return (
    <span className="ms-2 flex min-w-0 items-center gap-x-2 text-small text-muted tabular-nums">
      {parts.filter(Boolean).map((part, index) => (
        <bdi key={String(part)} className={index > 0 ? 'before:me-2 before:content-["·"]' : 'truncate'}>
          {part}
        </bdi>
      ))}
    </span>
  )
}

/** An answer: no box, the whole column. */
export function AssistantMessage({ message, isLast }: { message: ChatMessage; isLast: boolean }) {
  const growing = isGrowing(message)
  return (
    <div className="min-w-0">
      <StatusLine message={message} />
      <Reasoning message={message} />
      {growing && showsSkeleton(message) && <Skeleton />}
      {message.content !== '' && <Markdown text={message.content} isGrowing={growing} />}
      <MessageError message={message} />
      {message.sources && message.sources.length > 0 && <SourceList sources={message.sources} />}
      {!growing && !message.unsent && (
        <AnswerActions message={message} isLast={isLast}>
          <UsageLine message={message} />
        </AnswerActions>
      )}
    </div>
  )
}
