import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import failures from '../../../locales/en/failures.json' with { type: 'json' }
import { explainFault, languageOfSentence } from '../../../lib/explain-fault.ts'
import { useChatView } from '../chat-context.ts'
import type { ChatMessage } from '../chat-store.ts'
import { ContinueButton, useCanContinue } from '../continue-button.tsx'
import { describeFailure, type DescribedFailure, type FailureKind } from './describe-failure.ts'
import { FailureActions } from './failure-actions.tsx'
import { FailureDetails } from './failure-details.tsx'
import { RetryTime, useRetryTime } from './retry-time.tsx'

/** Notice below an incomplete answer. */
const EarlyEnd = ({ text, children }: { text: string; children: ReactNode }) => (
  <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 text-small text-muted">
    <p>{text}</p>
    {children}
  </div>
)

type MendableKind = {
  [Kind in FailureKind]: (typeof failures)['kinds'][Kind] extends { mend: string } ? Kind : never
}[FailureKind]

/** True for failures that are fixed in the connection's settings. */
const isMendable = (kind: FailureKind | null): kind is MendableKind =>
  kind !== null && 'mend' in failures.kinds[kind]

interface SaidProps {
  readonly failure: DescribedFailure
  readonly message: ChatMessage
  /** Error message for a failure without a translated text. */
  readonly sentence: string
  readonly hasCountdown: boolean
  readonly canContinue: boolean
}

/** Describes the failure, its origin and the remedy. */
function Said({ failure, message, sentence, hasCountdown, canContinue }: SaidProps) {
  const { t } = useTranslation()
  const { mayConnect } = useChatView()
  const { kind, connection, said } = failure
  if (kind === null)
    return (
      <p className="wrap-anywhere" dir="auto" lang={languageOfSentence(sentence)}>
        {sentence}
      </p>
    )
  const model = message.modelName || message.model || ''
  const provider =
    connection === null
      ? t('failures.providerOf', { model })
      : t('failures.provider', { name: connection })
  const advice =
    isMendable(kind) && mayConnect
      ? t(`failures.kinds.${kind}.mend`)
      : canContinue
        ? t('failures.goOn')
        : t(`failures.kinds.${kind}.next`)
  // The provider's connection errors are shown only to users who can configure the connection.
  const isForReader = mayConnect || !isMendable(kind)
  const isSentenceEnough = hasCountdown && !isMendable(kind)
  return (
    <>
      <p className="wrap-anywhere">{t(`failures.kinds.${kind}.text`, { provider, model })}</p>
      {said !== null && isForReader && (
        <p className="text-muted wrap-anywhere" dir="auto">
          {t('failures.says', { said })}
        </p>
      )}
      {!isSentenceEnough && <p>{advice}</p>}
    </>
  )
}

/** Shows in place of the answer why it is missing or incomplete, with actions for resolving it. */
function FailureBox({ message, isLast }: { message: ChatMessage; isLast: boolean }) {
  const { t } = useTranslation()
  const error = message.error!
  const failure = describeFailure(error)
  const { kind, status } = failure
  const time = useRetryTime(error)
  const canContinue = useCanContinue(message, isLast)
  const sentence = explainFault({
    detail: error.content,
    code: typeof error.code === 'string' ? error.code : null,
  })
  const title = kind === null ? t('chat.error.title') : t(`failures.kinds.${kind}.title`)
  return (
    <div
      className="mt-3 flex flex-col gap-2.5 rounded-medium border border-danger/25 bg-danger-soft/45 p-4 text-ui first:mt-0"
      data-message-error=""
    >
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium text-danger">
        <CircleAlert aria-hidden="true" className="size-4 shrink-0" />
        {message.content ? t('chat.error.titlePartial') : title}
        {status !== null && (
          <span className="text-small font-normal text-muted tabular-nums">
            {t('failures.status', { status })}
          </span>
        )}
      </p>
      <Said
        failure={failure}
        message={message}
        sentence={sentence}
        hasCountdown={time.hasWaited}
        canContinue={canContinue}
      />
      <RetryTime time={time} />
      <FailureActions
        message={message}
        isLast={isLast}
        failure={failure}
        isWaiting={time.left > 0}
        isOfConnection={isMendable(kind)}
      />
      <FailureDetails
        error={error}
        model={message.model}
        sentence={kind === null ? sentence : ''}
      />
    </div>
  )
}

/** Shows how an answer ended, unless it completed normally. */
export function MessageError({ message, isLast }: { message: ChatMessage; isLast: boolean }) {
  const { t } = useTranslation()
  const { error, finish_reason: reason } = message
  const next = <ContinueButton message={message} isLast={isLast} />
  if (!error && reason === 'length')
    return <EarlyEnd text={t('chat.continue.tooLong')}>{next}</EarlyEnd>
  if (!error && reason === 'content_filter')
    return <EarlyEnd text={t('failures.keptBack')}>{null}</EarlyEnd>
  if (!error) return null
  if (error.code === 'stopped')
    return (
      <EarlyEnd text={t(message.content ? 'chat.error.stopped' : 'chat.error.stoppedAtOnce')}>
        {next}
      </EarlyEnd>
    )
  return <FailureBox key={message.id} message={message} isLast={isLast} />
}
