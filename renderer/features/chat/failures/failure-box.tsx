import { CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import failures from '../../../locales/en/failures.json' with { type: 'json' }
import { explainFault, languageOfSentence } from '../../../lib/explain-fault.ts'
import { FoldChevron } from '../../../ui/layout/fold-chevron.tsx'
import { useChat, useChatView } from '../chat-context.ts'
import type { ChatMessage } from '../chat-store.ts'
import { useCanContinue } from '../messages/continue-button.tsx'
import { shorten } from '../sending/shorter-context.ts'
import { describeFailure, type DescribedFailure, type FailureKind } from './describe-failure.ts'
import { FailureActions } from './failure-actions.tsx'
import { FailureDetails } from './failure-details.tsx'
import { RetryTime, useRetryTime } from './retry-time.tsx'
import { useAutomaticRetry } from './use-automatic-retry.ts'

type MendableKind = {
  [Kind in FailureKind]: (typeof failures)['kinds'][Kind] extends { mend: string } ? Kind : never
}[FailureKind]

/** True for failures that are fixed in the connection's settings. */
const isMendable = (kind: FailureKind | null): kind is MendableKind =>
  kind !== null && 'mend' in failures.kinds[kind]

/** Returns what the reader can do about a failure of a known kind. */
function useAdvice(
  message: ChatMessage,
  kind: FailureKind | null,
  canContinue: boolean,
): string | null {
  const { t } = useTranslation()
  const { mayConnect } = useChatView()
  const hasOnlyQuestion = useChat(
    (state) => kind === 'tooLong' && shorten(state, message.id) === null,
  )
  if (kind === null) return null
  if (hasOnlyQuestion && !canContinue) return t('failures.kinds.tooLong.alone')
  if (isMendable(kind) && mayConnect) return t(`failures.kinds.${kind}.mend`)
  return canContinue ? t('failures.goOn') : t(`failures.kinds.${kind}.next`)
}

/** The cause of a failure of a known kind, and the provider's own words. */
function Cause({ failure, message }: { failure: DescribedFailure; message: ChatMessage }) {
  const { t } = useTranslation()
  const { mayConnect } = useChatView()
  const { kind, connection, said } = failure
  if (kind === null) return null
  const model = message.modelName || message.model || ''
  const provider =
    connection === null
      ? t('failures.providerOf', { model })
      : t('failures.provider', { name: connection })
  // The provider's connection errors are shown only to users who can configure the connection.
  const isForReader = mayConnect || !isMendable(kind)
  return (
    <>
      <p className="text-ink wrap-anywhere">
        {t(`failures.kinds.${kind}.text`, { provider, model })}
      </p>
      {said !== null && isForReader && (
        <p className="wrap-anywhere" dir="auto">
          {t('failures.says', { said })}
        </p>
      )}
    </>
  )
}

interface FailureProps {
  readonly message: ChatMessage
  readonly isLast: boolean
  /** True for one of several answers side by side. */
  readonly isColumn: boolean
}

/**
 * Returns the title of a failure: what happened to the answer, or why there is none; and the name of
 * the connection, unless the title has it.
 */
function useTitle(
  message: ChatMessage,
  { kind, connection: name }: DescribedFailure,
): { title: string; name: string | null } {
  const { t } = useTranslation()
  if (message.content) return { title: t('chat.error.titlePartial'), name }
  if (kind === null) return { title: t('chat.error.title'), name }
  if (kind === 'limited' && name !== null)
    return { title: t('failures.kinds.limited.named', { name }), name: null }
  return { title: t(`failures.kinds.${kind}.title`), name }
}

/** Name of the connection beside the title of its failure. */
const Connection = ({ name }: { name: string | null }) =>
  name !== null && <bdi className="min-w-0 truncate text-muted">{name}</bdi>

/**
 * Shows in place of the answer why it is missing or incomplete: a title, what to do about it, and
 * the actions. The cause and the facts are folded.
 */
export function FailureBox({
  message,
  isLast,
  isColumn,
  isFolded = false,
}: FailureProps & { isFolded?: boolean }) {
  const error = message.error!
  const failure = describeFailure(error)
  const { kind } = failure
  const time = useRetryTime(error)
  const canContinue = useCanContinue(message, isLast)
  const advice = useAdvice(message, kind, canContinue)
  const sentence = explainFault({
    detail: error.content,
    code: typeof error.code === 'string' ? error.code : null,
  })
  const { title, name } = useTitle(message, failure)
  const isAlone = isLast && !isColumn
  const cancel = useAutomaticRetry({ message, failure, time, isAlone })
  // The time to wait is the advice, unless the connection has to be changed.
  const isTimeEnough = time.hasWaited && !isMendable(kind)
  return (
    <div
      className="mt-3 rounded-large border border-danger/20 bg-danger-soft/40 p-4 text-ui first:mt-0"
      data-message-error=""
    >
      <div className="flex gap-2.5">
        <CircleAlert className="mt-0.5 size-4 shrink-0 text-danger" />
        <div className="flex min-w-0 flex-1 flex-col gap-1">
          <div className="flex flex-wrap gap-x-2">
            <p className="min-w-0 font-medium wrap-anywhere text-danger">{title}</p>
            <Connection name={name} />
          </div>
          {advice === null ? (
            <p className="wrap-anywhere" dir="auto" lang={languageOfSentence(sentence)}>
              {sentence}
            </p>
          ) : (
            !isTimeEnough && <p className="text-pretty">{advice}</p>
          )}
          <RetryTime time={time} isAutomatic={cancel !== null} />
          <FailureActions
            message={message}
            isLast={isLast}
            failure={failure}
            isWaiting={time.left > 0}
            cancel={cancel}
            isOfConnection={isMendable(kind)}
            isFolded={isFolded}
          />
          <FailureDetails
            error={error}
            model={message.model}
            sentence={kind === null ? sentence : ''}
          >
            <Cause failure={failure} message={message} />
          </FailureDetails>
        </div>
      </div>
    </div>
  )
}

/** A failure that no longer matters, folded to one line that opens. */
export function FoldedFailure(props: FailureProps) {
  const { title, name } = useTitle(props.message, describeFailure(props.message.error!))
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className="mt-1 text-ui"
      onToggle={(event) =>
        event.target === event.currentTarget && setOpen(event.currentTarget.open)
      }
    >
      <summary className="flex w-fit max-w-full list-none items-center gap-2 rounded-small py-1 text-muted hover:text-ink pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <CircleAlert className="size-4 shrink-0 text-danger" />
        <span className="min-w-0 truncate">{title}</span>
        {name !== null && (
          <span className="min-w-0 truncate max-sm:hidden">
            <Connection name={name} />
          </span>
        )}
        <FoldChevron />
      </summary>
      {isOpen && <FailureBox {...props} isFolded />}
    </details>
  )
}
