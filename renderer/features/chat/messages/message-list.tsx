import { ArrowDown, ArrowUpToLine } from 'lucide-react'
import {
  type KeyboardEvent,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
  type Ref,
} from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../lib/class-names.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { Spinner } from '../../../ui/marks/spinner.tsx'
import { useChat, useChatView } from '../chat-context.ts'
import { selectOrder } from '../chat-store.ts'
import { QuoteSelection } from './quote-selection.tsx'
import '../conversation.css'
import { MessageView } from './message-view.tsx'
import { countAfter, toShown } from './message-window.ts'
import { useMessageList } from './use-message-list.ts'

/** Methods of the list that the screen can call. */
export interface MessageListHandle {
  readonly toEnd: () => void
  /** Scrolls to a message of the branch and highlights it for a moment, unless told otherwise. */
  readonly show: (messageId: string, isMarked?: boolean) => void
}

/** Calls `onReach` while the top of the rendered messages is near the viewport. */
function TopEdge({ onReach, mark }: { onReach: () => void; mark: string }) {
  const edge = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = edge.current
    if (!element) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onReach(), {
      root: element.closest('.conversation'),
      rootMargin: '400px 0px 0px',
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [onReach, mark])
  return <div ref={edge} aria-hidden="true" />
}

interface WayButtonsProps {
  readonly isAtEnd: boolean
  /** Number of messages added since the user scrolled away from the end. */
  readonly added: number
  /** True if there are more messages above the rendered ones. */
  readonly isMore: boolean
  readonly toStart: () => void
  readonly toEnd: () => void
}

/**
 * Buttons to both ends, shown when the user has scrolled away from the end; includes the count of
 * new messages. The browser's own scrolling stops at the rendered messages.
 */
function WayButtons({ isAtEnd, added, isMore, toStart, toEnd }: WayButtonsProps) {
  const { t } = useTranslation()
  if (isAtEnd) return null
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center gap-2 pointer-coarse:flex-row-reverse pointer-coarse:justify-start pointer-coarse:px-4">
      <Button
        icon={<ArrowDown className="size-3.5 pointer-coarse:size-4" />}
        className={classNames(
          'pointer-events-auto animate-appear rounded-full! shadow-high',
          // Without hover the arrow is enough and covers less of the text.
          added === 0 && 'pointer-coarse:size-11 pointer-coarse:px-0!',
        )}
        onClick={toEnd}
      >
        <span className={added === 0 ? 'pointer-coarse:sr-only' : undefined}>
          {added > 0 ? t('chat.latestNew', { count: added }) : t('chat.latest')}
        </span>
      </Button>
      {isMore && (
        <IconButton
          label={t('chat.first')}
          side="top"
          icon={<ArrowUpToLine />}
          className="pointer-events-auto animate-appear rounded-full! border border-edge bg-raised shadow-high"
          onClick={toStart}
        />
      )}
    </div>
  )
}

/** Number of messages added since the user scrolled away from the end. */
function useAdded(order: readonly string[], isAtEnd: boolean): number {
  const last = order.at(-1) ?? null
  const [seen, setSeen] = useState(last)
  if (isAtEnd && seen !== last) setSeen(last)
  return isAtEnd ? 0 : countAfter(order, seen)
}

interface MessageListProps {
  /** Id of a message to show first, from a search. */
  readonly jumpTo: string | null
  readonly handle: Ref<MessageListHandle>
}

/** The messages of the branch, rendered from the end. */
export function MessageList({ jumpTo, handle }: MessageListProps) {
  const { t } = useTranslation()
  const { chat } = useChatView()
  const order = useChat(selectOrder)
  const liveTurn = useChat((state) => state.liveTurn)
  const isReadingOlder = useChat((state) => state.isReadingOlder)
  const hasOlder = useChat((state) => state.before !== null)
  const { view, content, count, isAtEnd, showMore, show, toEnd, toStart } = useMessageList(
    chat,
    jumpTo,
  )
  useImperativeHandle(handle, () => ({ toEnd, show }))
  const added = useAdded(order, isAtEnd)
  // New messages do not remove any above, where the user may be reading.
  const shown = toShown(order, count + added)
  const isMore = shown.length < order.length || hasOlder
  const last = order.at(-1)
  const handleKey = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key !== 'Home' || event.target !== event.currentTarget || !isMore) return
    event.preventDefault()
    toStart()
  }

  return (
    <div className="relative min-h-0 flex-1">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a box that scrolls takes the keys that scroll */}
      <section
        ref={view}
        id="messages"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
        tabIndex={0}
        aria-label={t('chat.list.label')}
        onKeyDown={handleKey}
        className="conversation h-full overflow-y-auto outline-offset-[-2px]"
      >
        <div
          ref={content}
          role="feed"
          aria-busy={isReadingOlder}
          className="mx-auto flex max-w-[calc(var(--column)+3rem)] flex-col gap-message-gap px-4 pt-6 pb-8 sm:px-6"
        >
          {isMore && <TopEdge onReach={showMore} mark={`${count}-${order.length}`} />}
          {isReadingOlder && (
            <p className="flex justify-center py-2 text-small text-muted">
              <Spinner />
              <span className="sr-only">{t('chat.list.olderLoading')}</span>
            </p>
          )}
          {shown.map((id) => (
            <MessageView
              key={id}
              id={id}
              isLast={id === last}
              isLive={id === liveTurn && id === last}
            />
          ))}
        </div>
        <QuoteSelection view={view} />
      </section>
      <WayButtons isAtEnd={isAtEnd} added={added} isMore={isMore} toStart={toStart} toEnd={toEnd} />
    </div>
  )
}
