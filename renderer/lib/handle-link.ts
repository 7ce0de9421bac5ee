import type { MouseEvent } from 'react'
import { navigate } from './router.ts'

/**
 * Follows a link inside the page; clicks that ask for a new tab or window are left to the browser.
 */
export function handleLink(event: MouseEvent<HTMLAnchorElement>): void {
  if (
    event.defaultPrevented ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  )
    return
  event.preventDefault()
  navigate(event.currentTarget.pathname + event.currentTarget.search)
}
