import { type RefObject, useLayoutEffect, useRef } from 'react'

const scrollOn = (element: HTMLElement, distance: number): void => {
  element.scrollTop += distance
}

/**
 * Keeps the scroll position of a list of messages when rows are inserted above. The browser does
 * this itself except at the very top.
 */
export function useSteadyTop(view: RefObject<HTMLElement | null>): void {
  const first = useRef<{ row: HTMLElement; top: number } | null>(null)
  useLayoutEffect(() => {
    const element = view.current
    const row = element?.querySelector<HTMLElement>('[data-message-id]')
    const known = first.current
    if (element && known && known.row !== row && known.row.isConnected && element.scrollTop <= 1) {
      scrollOn(element, known.row.offsetTop - known.top)
    }
    first.current = row ? { row, top: row.offsetTop } : null
  })
}
