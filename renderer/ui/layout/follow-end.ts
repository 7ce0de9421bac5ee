/** Distance from the end, in pixels, at which a reader counts as being there. */
const NEAR = 48
const UPWARD_KEYS = new Set(['PageUp', 'ArrowUp', 'Home'])

const distanceToEnd = (view: HTMLElement): number =>
  view.scrollHeight - view.clientHeight - view.scrollTop

/**
 * Keeps a scrolling view at the end of its growing contents, while the reader is near that end.
 * Turning the wheel upwards, or pressing an upward key in the view, stops this immediately;
 * scrolling up in another way stops it at a distance of more than `NEAR` pixels, unless the height
 * of the content changed. Scrolling down to within that distance starts it again. `onChange` is
 * called on both.
 */
export class EndFollower {
  readonly #view: HTMLElement
  readonly #onChange: (isAtEnd: boolean) => void
  readonly #observer: ResizeObserver
  readonly #listeners = new AbortController()
  #follows = true
  #lastTop: number
  #lastHeight: number

  constructor(view: HTMLElement, content: HTMLElement, onChange: (isAtEnd: boolean) => void) {
    this.#view = view
    this.#onChange = onChange
    this.#lastTop = view.scrollTop
    this.#lastHeight = view.scrollHeight
    this.#setAnchor()
    this.#observer = new ResizeObserver(() => {
      if (this.#follows) this.#jump()
    })
    this.#observer.observe(content)
    this.#observer.observe(view)
    const options = { passive: true, signal: this.#listeners.signal }
    view.addEventListener('scroll', () => this.#handleScroll(), options)
    view.addEventListener('wheel', (event) => this.#handleWheel(event), options)
    view.addEventListener('keydown', (event) => this.#handleKey(event), options)
  }

  toEnd(): void {
    this.#set(true)
    this.#jump()
  }

  /** Stops following without moving, as scrolling up does. */
  release(): void {
    this.#set(false)
  }

  stop(): void {
    this.#view.style.overflowAnchor = ''
    this.#observer.disconnect()
    this.#listeners.abort()
  }

  /**
   * While the end is followed, the browser must not keep an earlier place: a part that folds above
   * would look like scrolling up.
   */
  #setAnchor(): void {
    this.#view.style.overflowAnchor = this.#follows ? 'none' : ''
  }

  #set(follows: boolean): void {
    if (this.#follows === follows) return
    this.#follows = follows
    this.#setAnchor()
    this.#onChange(follows)
  }

  #jump(): void {
    this.#view.scrollTop = this.#view.scrollHeight
    this.#lastTop = this.#view.scrollTop
    this.#lastHeight = this.#view.scrollHeight
  }

  #handleScroll(): void {
    const top = this.#view.scrollTop
    const isNear = distanceToEnd(this.#view) <= NEAR
    // When content becomes shorter, the browser scrolls, not the reader. It may have grown again by
    // now, so that only an unchanged height proves a movement of the reader.
    const isMovedByReader = this.#view.scrollHeight === this.#lastHeight
    if (top < this.#lastTop - 2 && !isNear && isMovedByReader) this.#set(false)
    else if (isNear && top > this.#lastTop) this.#set(true)
    this.#lastTop = top
    this.#lastHeight = this.#view.scrollHeight
    // The observer stays silent if the content has the height it had before.
    if (this.#follows && !isNear) this.#jump()
  }

  #handleWheel({ deltaY }: WheelEvent): void {
    if (deltaY < 0 && this.#view.scrollTop > 0) this.#set(false)
  }

  #handleKey({ key, target }: KeyboardEvent): void {
    if (UPWARD_KEYS.has(key) && target === this.#view) this.#set(false)
  }
}
