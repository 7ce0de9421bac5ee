import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Below this width of the message box its features are folded, however few they are. */
const LEAST = 672

/** What takes up space in a row, seen through wrappers that have no box of their own. */
function boxesIn(element: Element): readonly HTMLElement[] {
  return [...element.children].flatMap((child) => {
    if (!(child instanceof HTMLElement)) return []
    if (getComputedStyle(child).display === 'contents') return boxesIn(child)
    return child.offsetWidth > 0 ? [child] : []
  })
}

const widthOf = (boxes: readonly HTMLElement[], gap: number): number =>
  boxes.reduce((sum, { offsetWidth }) => sum + offsetWidth + gap, 0)

/**
 * Whether the features in `inner` would not fit on one line with what else stands there. Their width
 * is kept from when they last stood beside each other, so that it is known while they are folded.
 */
export function useIsTooNarrow(inner: RefObject<HTMLElement | null>, isFolded: boolean): boolean {
  const [isNarrow, setNarrow] = useState(false)
  const unfolded = useRef(0)
  const measure = useRef(() => {})
  useLayoutEffect(() => {
    measure.current = () => {
      const line = inner.current?.parentElement
      const form = line?.closest('form')
      if (!inner.current || !line || !form) return
      const gap = Number.parseFloat(getComputedStyle(line).columnGap) || 0
      const own = boxesIn(inner.current)
      if (!isFolded) unfolded.current = widthOf(own, gap)
      const others = boxesIn(line).filter((box) => !own.includes(box))
      const needed = unfolded.current + widthOf(others, gap) - gap
      setNarrow(form.clientWidth < LEAST || needed > line.clientWidth)
    }
    measure.current()
  }, [inner, isFolded])
  useEffect(() => {
    const line = inner.current?.parentElement
    if (!line) return
    const follow = (): void => measure.current()
    const sizes = new ResizeObserver(follow)
    const watch = (): void => {
      sizes.disconnect()
      for (const element of [line, ...boxesIn(line)]) sizes.observe(element)
    }
    const content = new MutationObserver(watch)
    watch()
    content.observe(line, { childList: true, subtree: true })
    return () => {
      sizes.disconnect()
      content.disconnect()
    }
  }, [inner])
  return isNarrow
}
