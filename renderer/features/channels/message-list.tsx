import { ArrowDown } from 'lucide-react'
import {
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { classNames } from '../../lib/class-names.ts'
import { useToday } from '../../lib/use-today.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Spinner } from '../../ui/marks/spinner.tsx'
import { copyLink, togglePin } from './message-actions.tsx'
import './message-list.css'
import { MessageRow } from './message-row.tsx'
import { toRows } from './message-rows.ts'
import { mayManage, mayWrite, useRoom } from './room-view.ts'
import { isWrittenBy, type ShownMessage } from './shown-message.ts'
import { findMessage, openTimeline, type Timeline } from './timeline.ts'
import { useMessageKeys } from './use-message-keys.ts'
import { useMessageView } from './use-message-view.ts'
import { formatLocale } from '../../lib/i18n.ts'

/** Methods of the list that the screen can call. */
export interface MessageListHandle {
  readonly toEnd: () => void
  /**
   * Scrolls to a message, loading its surroundings if necessary, and highlights it for a moment.
   */
  readonly show: (messageId: string) => void
}

function DayLine({ time }: { time: number }) {
  const { t } = useTranslation()
  const today = useToday()
  const days = Math.round((today - time) / 86_400_000)
  const isThisYear = new Date(time).getFullYear() === new Date(today).getFullYear()
  const options: Intl.DateTimeFormatOptions = {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(!isThisYear && { year: 'numeric' }),
  }
  const text =
    days === 0
      ? t('channels.list.today')
      : days === 1
        ? t('channels.list.yesterday')
        : new Intl.DateTimeFormat(formatLocale(), options).format(time)
  return (
    <div className="relative my-3 flex items-center justify-center px-3 sm:px-5">
      <span aria-hidden="true" className="absolute inset-x-3 top-1/2 h-px bg-line sm:inset-x-5" />
      <h2 className="relative rounded-full border border-line bg-page px-3 py-0.5 text-small font-medium text-muted">
        {text}
      </h2>
    </div>
  )
}

/** Marks the position up to which the user has read. */
function NewLine() {
  const { t } = useTranslation()
  return (
    <div data-new-line="" className="relative my-1.5 flex items-center gap-2 px-3 sm:px-5">
      <span aria-hidden="true" className="h-px flex-1 bg-danger" />
      <h2 className="text-small font-semibold text-danger">{t('channels.list.new')}</h2>
    </div>
  )
}

/** Calls `onReach` while an end of the rendered rows is near the viewport. */
function Edge({ onReach, mark }: { onReach: () => void; mark: string }) {
  const edge = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = edge.current
    if (!element) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onReach(), {
      root: element.closest('.messages-view'),
      rootMargin: '600px 0px',
    })
    observer.observe(element)
    return () => observer.disconnect()
    // oxlint-disable-next-line react/exhaustive-deps -- the source is the same; `mark` signals new content
  }, [mark])
  return <div ref={edge} aria-hidden="true" className="min-h-px" />
}

function Reading() {
  const { t } = useTranslation()
  return (
    <p className="flex justify-center py-3 text-muted">
      <Spinner />
      <span className="sr-only">{t('common.loading')}</span>
    </p>
  )
}

/** Placeholder rows while the first page is loading. */
function Skeleton() {
  const { t } = useTranslation()
  return (
    <div className="flex flex-col justify-end gap-5 px-3 pt-6 pb-4 sm:px-5">
      <span className="sr-only">{t('common.loading')}</span>
      {[70, 45, 82, 56].map((width) => (
        <div key={width} aria-hidden="true" className="flex gap-3 opacity-70">
          <span className="size-9 shrink-0 rounded-medium bg-pressed" />
          <span className="flex flex-1 flex-col gap-2 pt-1">
            <span className="h-2.5 w-28 rounded-full bg-pressed" />
            <span className="h-2.5 rounded-full bg-hover" style={{ width: `${width}%` }} />
          </span>
        </div>
      ))}
    </div>
  )
}

/** Button that scrolls to the end, with the number of messages added there meanwhile. */
function LatestButton({
  timeline,
  isAtEnd,
  onClick,
}: {
  timeline: Timeline
  isAtEnd: boolean
  onClick: () => void
}) {
  const { t } = useTranslation()
  const arrived = useStore(timeline.store, (state) => state.arrived)
  const hasNewer = useStore(timeline.store, (state) => state.hasNewer)
  const [seen, setSeen] = useState(arrived)
  const isLatest = isAtEnd && !hasNewer
  if ((isLatest && seen !== arrived) || arrived < seen) setSeen(arrived)
  if (isLatest) return null
  const added = arrived - seen
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-2 z-3 flex justify-center">
      <Button
        tone={added > 0 ? 'primary' : 'secondary'}
        icon={<ArrowDown className="size-3.5" />}
        className="pointer-events-auto h-8! animate-appear rounded-full! shadow-high"
        onClick={onClick}
      >
        {added > 0 ? t('channels.list.newMessages', { count: added }) : t('channels.list.latest')}
      </Button>
    </div>
  )
}

/** Returns the handler of single-key shortcuts on the focused message. */
function useActions(timeline: Timeline): (key: string, id: string, row: HTMLElement) => boolean {
  const { t } = useTranslation()
  const value = useRoom()
  const { room, view, me, showThread } = value
  return (key, id, row) => {
    const message = findMessage(timeline, id) ?? room.store.getState().parent
    if (message?.id !== id || message.sending) return false
    const state = room.store.getState()
    const isInThread = timeline.parentId !== null
    const isOwn = isWrittenBy(message, me.id)
    const press = (label: string): void =>
      row.querySelector<HTMLElement>(`button[aria-label="${CSS.escape(label)}"]`)?.click()
    const handlers: Readonly<Record<string, (() => void) | false>> = {
      Enter: !isInThread && (() => showThread(id)),
      t: !isInThread && (() => showThread(id)),
      e: isOwn && mayWrite(state) && (() => view.setState({ editingId: id })),
      r: mayWrite(state) && (() => press(t('channels.actions.react'))),
      q:
        mayWrite(state) &&
        (() => view.setState({ quoted: { message, parentId: message.parent_id } })),
      p:
        mayWrite(state) &&
        (() =>
          togglePin(
            value,
            message,
            t(message.is_pinned ? 'channels.actions.unpinned' : 'channels.actions.pinned'),
          )),
      l: () => copyLink(message, t('channels.actions.linkCopied')),
      Delete:
        (isOwn || mayManage(state) || me.isAdmin) && (() => view.setState({ deleting: message })),
    }
    const handler = handlers[key]
    if (handler) handler()
    return Boolean(handler)
  }
}

interface MessageListProps {
  readonly timeline: Timeline
  /** Id of a message to show first. */
  readonly jumpTo: string | null
  readonly handle: Ref<MessageListHandle>
  /** Content above the very first message. */
  readonly beginning: ReactNode
  /** Parent message of a thread, shown above its replies. */
  readonly head?: ShownMessage | null
  readonly label: string
  readonly onLeave: () => void
  /** Called when the newest message becomes visible or is no longer visible. */
  readonly onEnd?: (isAtEnd: boolean) => void
}

/**
 * The messages of a channel or thread. It opens at the last read position and does not move while
 * others write.
 */
export function MessageList({
  timeline,
  jumpTo,
  handle,
  beginning,
  head = null,
  label,
  onLeave,
  onEnd,
}: MessageListProps) {
  const { t } = useTranslation()
  const { status, problem, messages, hasOlder, hasNewer, reading, firstUnreadId } = useStore(
    timeline.store,
  )
  const { view, content, isAtEnd, readMore, show, toEnd } = useMessageView(timeline, jumpTo)
  useImperativeHandle(handle, () => ({ toEnd, show }))
  const rows = useMemo(() => toRows(messages, firstUnreadId), [messages, firstUnreadId])
  const keys = useMessageKeys(view, { act: useActions(timeline), leave: onLeave })
  const isLatest = isAtEnd && !hasNewer && status === 'ready'
  useEffect(() => onEnd?.(isLatest), [onEnd, isLatest])
  return (
    <div className="relative min-h-0 flex-1">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys move between messages */}
      <div
        ref={view}
        id={timeline.parentId === null ? 'messages' : undefined}
        role="log"
        // New messages are announced by the window's only live region; a live log would read older
        // pages aloud.
        aria-live="off"
        aria-busy={status === 'loading'}
        aria-label={label}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
        tabIndex={0}
        onKeyDown={keys.handleKeyDown}
        onFocus={keys.handleFocus}
        className="messages-view h-full overflow-y-auto outline-offset-[-2px]"
      >
        <div
          ref={content}
          className={classNames(
            'mx-auto flex min-h-full max-w-[68rem] flex-col pb-3',
            timeline.parentId === null && 'justify-end',
          )}
        >
          {status === 'loading' && <Skeleton />}
          {status === 'failed' && (
            <div role="alert" className="flex flex-col items-center gap-3 px-6 py-10 text-center">
              <p>{t('channels.list.failed', { problem })}</p>
              <Button onClick={() => void openTimeline(timeline)}>{t('common.retry')}</Button>
            </div>
          )}
          {status === 'ready' && (
            <>
              {hasOlder ? (
                <Edge onReach={() => readMore('older')} mark={`${messages[0]?.id} ${reading}`} />
              ) : (
                beginning
              )}
              {reading === 'older' && <Reading />}
              {head && <MessageRow message={head} timeline={timeline} isFollowing={false} isHead />}
              {head && messages.length > 0 && <ReplyLine count={head.reply_count} />}
              {rows.map((row) => {
                if (row.kind === 'day')
                  return head ? null : <DayLine key={row.key} time={row.time} />
                if (row.kind === 'new') return <NewLine key={row.key} />
                return (
                  <MessageRow
                    key={row.key}
                    message={row.message}
                    timeline={timeline}
                    isFollowing={row.isFollowing}
                  />
                )
              })}
              {reading === 'newer' && <Reading />}
              {hasNewer && (
                <Edge
                  onReach={() => readMore('newer')}
                  mark={`${messages.at(-1)?.id} ${reading}`}
                />
              )}
            </>
          )}
        </div>
      </div>
      {status === 'ready' && <LatestButton timeline={timeline} isAtEnd={isAtEnd} onClick={toEnd} />}
    </div>
  )
}

function ReplyLine({ count }: { count: number }) {
  const { t } = useTranslation()
  return (
    <div className="mt-2 flex items-center gap-3 px-3 sm:px-5">
      <span className="text-small text-muted">{t('channels.message.replies', { count })}</span>
      <span aria-hidden="true" className="h-px flex-1 bg-line" />
    </div>
  )
}
