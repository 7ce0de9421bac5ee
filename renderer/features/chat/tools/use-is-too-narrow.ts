import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Width of the message box below which its features are always collapsed. */
const LEAST = 672

/**
 * Returns the elements that take up space in a row, including those in wrappers without a box of
 * their own.
 */
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
 * Returns true if the features in `inner` do not fit on one line with the other elements. Their
 * width is remembered from when they were last laid out side by side, so that it is known while
 * they are collapsed.
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
