import { Pencil, RotateCw, Settings2, Stethoscope } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { runCommand } from '../../../lib/commands.ts'
import { connectionPath, doctorPath, navigate } from '../../../lib/router.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { useChat, useChatView } from '../chat-context.ts'
import type { ChatMessage } from '../chat-store.ts'
import { chatViewStore } from '../chat-view-store.ts'
import { ContinueButton, useCanContinue } from '../messages/continue-button.tsx'
import { shorten } from '../sending/shorter-context.ts'
import type { DescribedFailure } from './describe-failure.ts'

/** Opens the form of the connection, or the list of all if it is unknown. */
const openConnection = ({ connection }: DescribedFailure): void =>
  navigate(connectionPath(connection))

const openDoctor = ({ connection, step }: DescribedFailure): void =>
  navigate(doctorPath(connection, step))

interface WayProps {
  readonly isMain: boolean
  readonly icon?: ReactNode
  readonly disabled?: boolean
  readonly onClick: () => void
  readonly children: ReactNode
}

/** Button of one action; only the main one is emphasised. */
const Way = ({ isMain, ...rest }: WayProps) => (
  <Button
    tone={isMain ? 'primary' : 'secondary'}
    className="h-auto min-h-control py-1 whitespace-normal!"
    {...rest}
  />
)

/** Places the actions in a row, or where that is too narrow one per line in equal width. */
const Ways = ({ children }: { children: ReactNode }) => (
  <div className="@container mt-2">
    <div className="flex flex-wrap items-center gap-1.5 @max-[24rem]:flex-col @max-[24rem]:items-stretch">
      {children}
    </div>
  </div>
)

const MARK = { 'aria-hidden': true, className: 'size-3.5' } as const

function useMainWay(
  message: ChatMessage,
  isLast: boolean,
  { way }: DescribedFailure,
): DescribedFailure['way'] | 'continue' {
  const { mayConnect } = useChatView()
  const canContinue = useCanContinue(message, isLast)
  const canShorten = useChat((state) => way === 'shorten' && shorten(state, message.id) !== null)
  if (canContinue) return 'continue'
  if (way === 'connection') return mayConnect ? 'connection' : 'model'
  return way === 'shorten' && !canShorten ? 'model' : way
}

interface FailureActionsProps {
  readonly message: ChatMessage
  readonly isLast: boolean
  readonly failure: DescribedFailure
  /** True during the time for which the provider asked to wait. */
  readonly isWaiting: boolean
}

/** Actions for resolving a failure, with one emphasised. */
export function FailureActions({ message, isLast, failure, isWaiting }: FailureActionsProps) {
  const { t } = useTranslation()
  const { retry, retryShorter, model, payment, mayConnect } = useChatView()
  const main = useMainWay(message, isLast, failure)
  const edit = (): void => chatViewStore.setState({ editingId: message.parentId ?? null })
  const doctor = mayConnect && failure.step !== null && (
    <Way isMain={false} icon={<Stethoscope {...MARK} />} onClick={() => openDoctor(failure)}>
      {t('failures.findCause')}
    </Way>
  )
  return (
    <Ways>
      {main === 'continue' && <ContinueButton message={message} isLast={isLast} tone="primary" />}
      {main === 'connection' && (
        <Way isMain icon={<Settings2 {...MARK} />} onClick={() => openConnection(failure)}>
          {t('chat.error.checkConnection')}
        </Way>
      )}
      {main === 'connection' && doctor}
      {main === 'edit' && (
        <Way isMain icon={<Pencil {...MARK} />} onClick={edit}>
          {t('failures.editMessage')}
        </Way>
      )}
      {main === 'model' && (
        <Way isMain onClick={() => runCommand('model.choose')}>
          {t(failure.kind === 'tooLong' ? 'chat.error.largerModel' : 'chat.error.changeModel')}
        </Way>
      )}
      {main === 'shorten' ? (
        <Way
          isMain
          icon={<RotateCw {...MARK} />}
          disabled={!model}
          onClick={() => retryShorter(message.id)}
        >
          {t('chat.error.retryShorter')}
        </Way>
      ) : (
        <Way
          isMain={main === 'retry' && !isWaiting}
          icon={<RotateCw {...MARK} />}
          disabled={!model}
          onClick={() => retry(message.id)}
        >
          {t(isWaiting ? 'chat.error.retryAtOnce' : 'chat.error.retry')}
        </Way>
      )}
      {main !== 'connection' && doctor}
      {main !== 'model' && (
        <Way isMain={false} onClick={() => runCommand('model.choose')}>
          {t(failure.kind === 'tooLong' ? 'chat.error.largerModel' : 'chat.error.changeModel')}
        </Way>
      )}
      {failure.kind === 'unpaid' && failure.connection !== null && payment?.(failure.connection)}
    </Ways>
  )
}

interface FurtherActionsProps extends Omit<FailureActionsProps, 'isWaiting'> {
  /** True if the failure can be fixed in the connection's settings. */
  readonly isOfConnection: boolean
}

/** Leads users who may change the connection to it, unless that is the main action already. */
export function FurtherActions({ message, isLast, failure, isOfConnection }: FurtherActionsProps) {
  const { t } = useTranslation()
  const { mayConnect } = useChatView()
  const main = useMainWay(message, isLast, failure)
  if (!mayConnect || !isOfConnection || main === 'connection') return null
  return (
    <Button className="h-control self-start" onClick={() => openConnection(failure)}>
      {t('chat.error.checkConnection')}
    </Button>
  )
}
