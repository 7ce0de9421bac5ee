import { ArrowLeftRight, Ellipsis, Pencil, RotateCw, Settings2, Stethoscope } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../lib/class-names.ts'
import { runCommand } from '../../../lib/commands.ts'
import { connectionPath, doctorPath, navigate } from '../../../lib/router.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/floating/menu.tsx'
import { useChat, useChatView } from '../chat-context.ts'
import type { ChatMessage } from '../chat-store.ts'
import { chatViewStore } from '../chat-view-store.ts'
import { ContinueButton, useCanContinue } from '../messages/continue-button.tsx'
import { MessageItems } from '../messages/message-actions.tsx'
import { shorten } from '../sending/shorter-context.ts'
import type { DescribedFailure, WayOn } from './describe-failure.ts'

interface FailureActionsProps {
  readonly message: ChatMessage
  readonly isLast: boolean
  readonly failure: DescribedFailure
  /** True during the time for which the provider asked to wait. */
  readonly isWaiting: boolean
  /** Cancels the automatic retry at the end of the wait; null if there will be none. */
  readonly cancel: (() => void) | null
  /** True if the failure can be fixed in the connection's settings. */
  readonly isOfConnection: boolean
  /** True if the conversation went on: the menu of the answer is then elsewhere. */
  readonly isFolded: boolean
}

type WayKey = WayOn | 'continue' | 'doctor' | 'cancel' | 'payment' | 'repair'

/** Ways in the order in which they are offered after the main one. */
const ORDER = {
  waiting: ['cancel', 'model', 'retry', 'doctor', 'connection'],
  connection: ['connection', 'retry', 'model', 'doctor'],
  repair: ['model', 'connection', 'retry', 'doctor'],
  begun: ['retry', 'model', 'doctor', 'connection'],
  usual: ['payment', 'doctor', 'retry', 'model', 'connection'],
} as const satisfies Record<string, readonly WayKey[]>

/** Returns the ways out of a failure: the first is the main one, the next is shown beside it. */
function useWays(props: FailureActionsProps): readonly WayKey[] {
  const { message, isLast, failure, isWaiting, cancel, isOfConnection } = props
  const { kind, way, step, connection } = failure
  const { mayConnect, payment, repair } = useChatView()
  const canContinue = useCanContinue(message, isLast)
  const canShorten = useChat((state) => way === 'shorten' && shorten(state, message.id) !== null)
  const isThere: Partial<Record<WayKey, boolean>> = {
    cancel: cancel !== null,
    connection: mayConnect && (isOfConnection || way === 'connection'),
    doctor: mayConnect && step !== null,
    payment: kind === 'unpaid' && connection !== null && payment !== null,
    retry: way !== 'shorten' || !canShorten,
  }
  const ofConnection: WayKey =
    kind === 'keyRejected' && connection !== null && repair ? 'repair' : 'connection'
  const main: WayKey = canContinue
    ? 'continue'
    : way === 'connection'
      ? mayConnect
        ? ofConnection
        : 'model'
      : way === 'shorten' && !canShorten
        ? 'model'
        : way
  const order = isWaiting
    ? ORDER.waiting
    : main === 'repair' || main === 'connection'
      ? ORDER[main]
      : main === 'continue'
        ? ORDER.begun
        : ORDER.usual
  return [main, ...order.filter((key) => key !== main && isThere[key] !== false)]
}

interface Way {
  readonly icon?: ReactNode
  readonly label: string
  readonly isDisabled?: boolean
  readonly run: () => void
}

const MARK = { 'aria-hidden': true, className: 'size-3.5 shrink-0' } as const

/** Returns what the ways with a button of their own do. */
function useWay({ message, failure, isWaiting, cancel }: FailureActionsProps) {
  const { t } = useTranslation()
  const { retry, retryShorter, model } = useChatView()
  const { connection, step, kind } = failure
  return (key: Exclude<WayKey, 'continue' | 'payment' | 'repair'>): Way =>
    ({
      cancel: { label: t('common.cancel'), run: () => cancel?.() },
      connection: {
        icon: <Settings2 {...MARK} />,
        label: t('chat.error.checkConnection'),
        run: () => navigate(connectionPath(connection)),
      },
      doctor: {
        icon: <Stethoscope {...MARK} />,
        label: t('failures.findCause'),
        run: () => navigate(doctorPath(connection, step)),
      },
      edit: {
        icon: <Pencil {...MARK} />,
        label: t('failures.editMessage'),
        run: () => chatViewStore.setState({ editingId: message.parentId ?? null }),
      },
      model: {
        icon: <ArrowLeftRight {...MARK} />,
        label: t(kind === 'tooLong' ? 'chat.error.largerModel' : 'chat.error.changeModel'),
        // From a menu, only after it has given the focus back.
        run: () => void setTimeout(() => runCommand('model.choose')),
      },
      retry: {
        icon: <RotateCw {...MARK} />,
        label: t(isWaiting ? 'chat.error.retryAtOnce' : 'chat.error.retry'),
        isDisabled: !model,
        run: () => retry(message.id),
      },
      shorten: {
        icon: <RotateCw {...MARK} />,
        label: t('chat.error.retryShorter'),
        isDisabled: !model,
        run: () => retryShorter(message.id),
      },
    })[key]
}

/**
 * Actions for resolving a failure: one that stands out, one beside it, and the others in the menu of
 * the answer. A wait can be cancelled as well. On narrow screens each fills a row.
 */
export function FailureActions(props: FailureActionsProps) {
  const { message, isLast, failure, isFolded } = props
  const { t } = useTranslation()
  const { payment, repair, retry } = useChatView()
  const [main, ...ways] = useWays(props)
  const isRepair = main === 'repair' && failure.connection !== null
  const shownCount = ways[0] === 'cancel' ? 2 : 1
  const beside = ways.slice(0, shownCount)
  const wayOf = useWay(props)
  const show = (key: WayKey | undefined): ReactNode => {
    if (key === undefined || key === 'repair') return null
    if (key === 'continue')
      return <ContinueButton message={message} isLast={isLast} tone="primary" />
    if (key === 'payment') return failure.connection !== null && payment?.(failure.connection)
    const { icon, label, isDisabled = false, run } = wayOf(key)
    return (
      <Button
        key={key}
        tone={key === main ? 'primary' : 'secondary'}
        className={classNames(
          'h-auto min-h-control min-w-0 shrink! py-1 text-start whitespace-normal! max-sm:grow',
          // Its row has room for the menu only.
          key === beside.at(-1) && 'max-sm:basis-[calc(100%-3.25rem)]',
        )}
        icon={icon}
        disabled={isDisabled}
        onClick={run}
      >
        {label}
      </Button>
    )
  }
  const listed = ways
    .slice(shownCount)
    .flatMap((key) =>
      key === 'continue' || key === 'payment' || key === 'repair' ? [] : [{ key, ...wayOf(key) }],
    )
  const rest = (
    <>
      {beside.map(show)}
      {!isFolded && (
        <Menu
          align="start"
          trigger={<IconButton label={t('chat.message.more')} icon={<Ellipsis />} />}
        >
          {listed.map(({ key, icon, label, isDisabled = false, run }) => (
            <MenuItem key={key} icon={icon} disabled={isDisabled} onSelect={run}>
              {label}
            </MenuItem>
          ))}
          {listed.length > 0 && <MenuSeparator />}
          <MessageItems message={message} />
        </Menu>
      )}
    </>
  )
  if (isRepair && failure.connection !== null)
    return <Suspense>{repair?.(failure.connection, () => retry(message.id), rest)}</Suspense>
  return (
    <div className="mt-2 flex flex-wrap items-center gap-1.5 max-sm:*:first:grow">
      {show(main)}
      {rest}
    </div>
  )
}
