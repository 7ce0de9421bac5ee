import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { EndFollower } from '../../ui/layout/follow-end.ts'
import { useSteadyTop } from '../../ui/layout/use-steady-top.ts'
import { toastError } from '../../ui/floating/toast.tsx'
import { findMessage, openTimeline, readOn, type Timeline } from './timeline.ts'

const findRow = (view: HTMLElement, id: string): HTMLElement | null =>
  view.querySelector(`[data-message-id="${CSS.escape(id)}"]`)

/**
 * Distance from the top at which the line above the first unread message is placed, as a fraction
 * of the viewport.
 */
const ABOVE_NEW = 0.2

export interface MessageViewControl {
  readonly view: RefObject<HTMLDivElement | null>
  readonly content: RefObject<HTMLDivElement | null>
  readonly isAtEnd: boolean
  readonly readMore: (direction: 'older' | 'newer') => void
  readonly show: (messageId: string) => void
  readonly toEnd: () => void
}

/**
 * Controls the scroll position: at the end, at the last read position, or at a message found by
 * search.
 */
export function useMessageView(timeline: Timeline, jumpTo: string | null): MessageViewControl {
  const view = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const follower = useRef<EndFollower>(null)
  const [isAtEnd, setAtEnd] = useState(true)
  const [target, setTarget] = useState<{ readonly id: string; readonly isFocused: boolean } | null>(
    null,
  )
  const isReady = useStore(timeline.store, ({ status }) => status === 'ready')

  useLayoutEffect(() => {
    const element = view.current
    if (!element || !content.current || !isReady) return
    const following = new EndFollower(element, content.current, setAtEnd)
    follower.current = following
    const line = element.querySelector<HTMLElement>('[data-new-line]')
    following.toEnd()
    if (line && jumpTo === null) {
      const top = line.getBoundingClientRect().top - element.getBoundingClientRect().top
      const wanted = element.scrollTop + top - element.clientHeight * ABOVE_NEW
      if (wanted < element.scrollTop - 1) {
        following.release()
        element.scrollTop = wanted
      }
    }
    return () => following.stop()
    // oxlint-disable-next-line react/exhaustive-deps -- the initial position is chosen once
  }, [timeline, isReady])

  useSteadyTop(view)

  const goTo = useCallback(
    async (id: string, isFocused: boolean): Promise<void> => {
      if (!findMessage(timeline, id)) await openTimeline(timeline, id)
      setTarget({ id, isFocused })
    },
    [timeline],
  )
  useEffect(() => {
    if (jumpTo !== null && isReady) void goTo(jumpTo, true).catch(toastError)
  }, [goTo, jumpTo, isReady])

  useEffect(() => {
    const row = target === null || !view.current ? null : findRow(view.current, target.id)
    if (!row) return
    follower.current?.release()
    row.scrollIntoView({ block: 'center' })
    row.classList.remove('message-shown')
    // Reading it forces a layout, so that the animation restarts.
    void row.offsetWidth
    row.classList.add('message-shown')
    if (target?.isFocused) row.focus({ preventScroll: true })
  }, [target])

  const toEnd = (): void => {
    setTarget(null)
    const settle = (): void => follower.current?.toEnd()
    if (timeline.store.getState().hasNewer)
      void openTimeline(timeline).then(() => setTimeout(settle))
    else settle()
  }
  const readMore = (direction: 'older' | 'newer'): void => {
    // At the end of the loaded range, the next page must not be scrolled through.
    if (direction === 'newer') follower.current?.release()
    void readOn(timeline, direction).catch(toastError)
  }
  const show = (id: string): void => void goTo(id, true).catch(toastError)
  return { view, content, isAtEnd, readMore, show, toEnd }
}
