/** Distance from the end, in pixels, at which a reader counts as being there. */
const NEAR = 48
const UPWARD_KEYS = new Set(['PageUp', 'ArrowUp', 'Home'])

const distanceToEnd = (view: HTMLElement): number =>
  view.scrollHeight - view.clientHeight - view.scrollTop

/** Keeps a scrolling view at the end of its growing contents. */
export interface EndFollower {
  toEnd(): void
  /** Stops following without moving, as scrolling up does. */
  release(): void
  stop(): void
}

/**
 * Follows growing content only while the reader is near its end. Turning the wheel upwards, or
 * pressing an upward key in the view, stops this immediately; scrolling up in another way stops it
 * at a distance of more than `NEAR` pixels, unless the height of the content changed. Scrolling down
 * to within that distance starts it again. `onChange` is called on both.
 */
export function followEnd(
  view: HTMLElement,
  content: HTMLElement,
  onChange: (isAtEnd: boolean) => void,
): EndFollower {
  let follows = true
  let lastTop = view.scrollTop
  let lastHeight = view.scrollHeight

  // While the end is followed, the browser must not keep an earlier place: what folds above would
  // look like scrolling up.
  const setAnchor = (): void => {
    view.style.overflowAnchor = follows ? 'none' : ''
  }
  setAnchor()

  const set = (next: boolean): void => {
    if (follows === next) return
    follows = next
    setAnchor()
    onChange(next)
  }
  const jump = (): void => {
    view.scrollTop = view.scrollHeight
    lastTop = view.scrollTop
    lastHeight = view.scrollHeight
  }
  const handleScroll = (): void => {
    const top = view.scrollTop
    const isNear = distanceToEnd(view) <= NEAR
    // When content becomes shorter, the browser scrolls, not the reader. It may have grown again by
    // now, so that only an unchanged height proves a movement of the reader.
    const isMovedByReader = view.scrollHeight === lastHeight
    if (top < lastTop - 2 && !isNear && isMovedByReader) set(false)
    else if (isNear && top > lastTop) set(true)
    lastTop = top
    lastHeight = view.scrollHeight
    // The observer stays silent if the content has the height it had before.
    if (follows && !isNear) jump()
  }
  const handleWheel = (event: WheelEvent): void => {
    if (event.deltaY < 0 && view.scrollTop > 0) set(false)
  }
  const handleKey = (event: KeyboardEvent): void => {
    if (UPWARD_KEYS.has(event.key) && event.target === view) set(false)
  }
  const observer = new ResizeObserver(() => {
    if (follows) jump()
  })
  observer.observe(content)
  observer.observe(view)
  view.addEventListener('scroll', handleScroll, { passive: true })
  view.addEventListener('wheel', handleWheel, { passive: true })
  view.addEventListener('keydown', handleKey)

  return {
    toEnd() {
      set(true)
      jump()
    },
    release: () => set(false),
    stop() {
      view.style.overflowAnchor = ''
      observer.disconnect()
      view.removeEventListener('scroll', handleScroll)
      view.removeEventListener('wheel', handleWheel)
      view.removeEventListener('keydown', handleKey)
    },
  }
}
