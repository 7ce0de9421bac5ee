import { type RefObject, useLayoutEffect, useState } from 'react'

/**
 * Whether an element around another one is narrower than this many pixels. Known before anything is
 * painted, so that nothing jumps.
 */
export function useIsNarrowIn(
  inner: RefObject<HTMLElement | null>,
  outer: string,
  least: number,
): boolean {
  const [isNarrow, setNarrow] = useState(false)
  useLayoutEffect(() => {
    const around = inner.current?.closest(outer)
    if (!around) return
    const measure = (): void => setNarrow(around.clientWidth < least)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(around)
    return () => observer.disconnect()
  }, [inner, outer, least])
  return isNarrow
}
