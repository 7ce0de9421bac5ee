/** Minimum distance in pixels; less counts as a tap. */
const SHORTEST = 60
/** Minimum ratio of width to height of a swipe; below it, the gesture scrolls. */
const FLATNESS = 2
const LONGEST_MS = 600

interface Start {
  readonly x: number
  readonly y: number
  readonly at: number
}

const scrollsSideways = (element: Element): boolean =>
  element.scrollWidth > element.clientWidth + 1 &&
  /auto|scroll/.test(getComputedStyle(element).overflowX)

/** True if the target scrolls sideways or uses the gesture for text selection. */
function isTaken(target: EventTarget | null, within: Element): boolean {
  for (
    let element = target instanceof Element ? target : null;
    element && element !== within;
    element = element.parentElement
  )
    if (element.matches('input, textarea, select, [contenteditable]') || scrollsSideways(element))
      return true
  return false
}

/**
 * Calls the callback when one finger swipes over an element: `forward` is towards the end of a
 * line, so it is mirrored for right-to-left languages. A callback that returns true keeps the swipe
 * from the elements around this one. Returns the function that stops it.
 */
export function followSwipe(
  element: HTMLElement,
  onSwipe: (direction: 'forward' | 'back') => unknown,
): () => void {
  let start: Start | null = null
  const begin = (event: TouchEvent): void => {
    const [touch] = event.touches
    start =
      touch && event.touches.length === 1 && !isTaken(event.target, element)
        ? { x: touch.clientX, y: touch.clientY, at: event.timeStamp }
        : null
  }
  const end = (event: TouchEvent): void => {
    const [touch] = event.changedTouches
    const from = start
    start = null
    if (!touch || !from || getSelection()?.isCollapsed === false) return
    const [along, across] = [touch.clientX - from.x, Math.abs(touch.clientY - from.y)]
    const isMeant =
      Math.abs(along) >= SHORTEST &&
      Math.abs(along) >= across * FLATNESS &&
      event.timeStamp - from.at <= LONGEST_MS
    if (!isMeant) return
    const isUsed = onSwipe(along > 0 === (document.dir !== 'rtl') ? 'forward' : 'back')
    if (isUsed === true) event.stopPropagation()
  }
  element.addEventListener('touchstart', begin, { passive: true })
  element.addEventListener('touchend', end, { passive: true })
  return () => {
    element.removeEventListener('touchstart', begin)
    element.removeEventListener('touchend', end)
  }
}
