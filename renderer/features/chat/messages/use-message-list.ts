import {
  type RefObject,
  startTransition,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { toastError } from '../../../ui/floating/toast.tsx'
import { chatDeps, type OpenChat } from '../chat-registry.ts'
import { EndFollower } from '../../../ui/layout/follow-end.ts'
import { useSteadyTop } from '../../../ui/layout/use-steady-top.ts'
import { readBackTo, readOlder } from '../load-chat.ts'
import { countToShow, FIRST_MESSAGES, growCount, settleCount } from './message-window.ts'

const findRow = (view: HTMLElement, id: string): HTMLElement | null =>
  view.querySelector(`[data-message-id="${CSS.escape(id)}"]`)

/** Stores the message at the top of the viewport. */
function savePlace(chat: OpenChat, view: HTMLElement): void {
  const top = view.getBoundingClientRect().top
  const row = [...view.querySelectorAll<HTMLElement>('[data-message-id]')].find(
    (each) => each.getBoundingClientRect().bottom > top,
  )
  chat.place = row
    ? { messageId: row.dataset.messageId!, offset: row.getBoundingClientRect().top - top }
    : null
}

function restorePlace(chat: OpenChat, view: HTMLElement): boolean {
  const row = chat.place && findRow(view, chat.place.messageId)
  if (!chat.place || !row) return false
  view.scrollTop +=
    row.getBoundingClientRect().top - view.getBoundingClientRect().top - chat.place.offset
  return true
}

export interface MessageListControl {
  readonly view: RefObject<HTMLElement | null>
  readonly content: RefObject<HTMLDivElement | null>
  readonly count: number
  readonly isAtEnd: boolean
  /** Renders or loads more messages above. */
  readonly showMore: () => void
  /**
   * Scrolls to a message of the branch, loading older pages if necessary; the focus does not move.
   */
  readonly show: (messageId: string, isMarked?: boolean) => void
  readonly toEnd: () => void
  /** Scrolls to the first message of the branch, loading all older pages. */
  readonly toStart: () => void
}

/** Follows the end of a conversation, and stores the scroll position when it is left. */
function useEndFollower(
  chat: OpenChat,
  view: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  setAtEnd: (isAtEnd: boolean) => void,
): RefObject<EndFollower | null> {
  const follower = useRef<EndFollower>(null)
  useLayoutEffect(() => {
    const element = view.current
    if (!element || !content.current) return
    const following = new EndFollower(element, content.current, setAtEnd)
    follower.current = following
    if (restorePlace(chat, element)) following.release()
    else following.toEnd()
    return () => {
      const distance = element.scrollHeight - element.clientHeight - element.scrollTop
      if (distance > 60) savePlace(chat, element)
      else chat.place = null
      following.stop()
    }
  }, [chat, view, content, setAtEnd])
  return follower
}

/**
 * Controls the rendered messages and the scroll position: at the end, at the last position, or at a
 * message found by search.
 */
export function useMessageList(chat: OpenChat, jumpTo: string | null): MessageListControl {
  const view = useRef<HTMLElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [count, setCount] = useState(() =>
    chat.place ? countToShow(chat.store.getState().order, chat.place.messageId) : FIRST_MESSAGES,
  )
  const [isAtEnd, setAtEnd] = useState(true)
  const [target, setTarget] = useState<{
    readonly id: string
    readonly isFocused: boolean
    readonly isMarked: boolean
  } | null>(null)
  const follower = useEndFollower(chat, view, content, setAtEnd)
  const showMore = (): void => {
    const grown = growCount(count, chat.store.getState().order.length)
    if (grown !== null) {
      startTransition(() => setCount(grown))
      return
    }
    void readOlder(chat.store, chatDeps).then((isMore) => {
      if (!isMore) return
      startTransition(() =>
        setCount((now) => growCount(now, chat.store.getState().order.length) ?? now),
      )
    }, toastError)
  }

  useSteadyTop(view)

  const wanted = useRef<string | null>(null)
  const goTo = useCallback(
    async (
      id: string,
      { isFocused, isMarked }: { isFocused: boolean; isMarked: boolean },
    ): Promise<void> => {
      wanted.current = id
      const isFound = await readBackTo(chat.store, chatDeps, id)
      if (wanted.current !== id || !isFound) return
      setCount((now) => Math.max(now, countToShow(chat.store.getState().order, id)))
      setTarget({ id, isFocused, isMarked })
    },
    [chat],
  )
  useEffect(() => {
    if (jumpTo !== null) void goTo(jumpTo, { isFocused: true, isMarked: true })
    return () => {
      wanted.current = null
    }
  }, [goTo, jumpTo])

  useEffect(() => {
    const row = target === null || !view.current ? null : findRow(view.current, target.id)
    if (!row) return
    follower.current?.release()
    row.scrollIntoView({ block: 'start' })
    if (target?.isMarked) row.classList.add('message-found')
    if (target?.isFocused) row.focus({ preventScroll: true })
  }, [target, count, follower])

  const toEnd = (): void => {
    setTarget(null)
    setCount(settleCount)
    follower.current?.toEnd()
  }

  const show = (messageId: string, isMarked = true): void =>
    void goTo(messageId, { isFocused: false, isMarked }).catch(toastError)

  const toStart = (): void => {
    const first = async (): Promise<void> => {
      await readBackTo(chat.store, chatDeps)
      const [id] = chat.store.getState().order
      if (id !== undefined) await goTo(id, { isFocused: false, isMarked: false })
    }
    first().catch(toastError)
  }

  return { view, content, count, isAtEnd, showMore, show, toEnd, toStart }
}
