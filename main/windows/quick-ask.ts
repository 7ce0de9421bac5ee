import type { BrowserWindow, Point } from 'electron'
import type { RequestInput } from '#desktop'
import { KeptPage } from './keep-page.ts'
import type { Logger } from '../profile/log.ts'
import type { ShellStateStore } from '../profile/shell-state.ts'

/** Heights of the window: with only the box, and with an answer. */
export const QUICK_HEIGHT = { low: 184, tall: 560 }
const PATH = '/quick'
/** Time in ms after which the next question starts a new chat. */
const LONG_AGO = 10 * 60_000

export interface QuickAskDeps {
  readonly state: ShellStateStore
  /** Creates the hidden window, secured like all windows. */
  readonly makeWindow: (place: Point | null) => BrowserWindow
  readonly pageOrigin: () => string | null
  /** Continues in the main window at a path of the UI. */
  readonly openPlace: (path: string) => void
  /** Notifies the window's page that it was shown. */
  readonly tellShown: (window: BrowserWindow, isLongAgo: boolean) => void
  readonly now?: () => number
  readonly log: Logger
}

type Act = RequestInput<'quickAsk.act'>

/**
 * The quick window for a short question. It is created in advance and hidden instead of closed, so
 * that it appears instantly.
 */
export class QuickAsk {
  readonly #deps: QuickAskDeps
  #window: BrowserWindow | null = null
  #page: KeptPage | null = null
  #isEnding = false
  #hiddenAt: number | null = null

  constructor(deps: QuickAskDeps) {
    this.#deps = deps
  }

  /** Creates the window without showing it, and loads its page as soon as available. */
  prepare(): void {
    if (!this.#window) this.#open()
    void this.#page?.load()
  }

  /** Reloads the page after the gateway restarted at another URL. */
  reconnect(): void {
    void this.#page?.load()
  }

  /** Handles the shortcut: shows the window, or hides it if it has focus. */
  toggle(): void {
    if (this.#window?.isVisible() && this.#window.isFocused()) this.hide()
    else this.show()
  }

  show(): void {
    const begun = performance.now()
    this.prepare()
    const window = this.#window!
    window.once('show', () =>
      this.#deps.log.debug(
        { milliseconds: Math.round(performance.now() - begun) },
        'the quick question is shown',
      ),
    )
    window.show()
    window.focus()
    this.#deps.tellShown(window, this.#hiddenAt !== null && this.#now() - this.#hiddenAt > LONG_AGO)
  }

  /** The system restores the previous focus. */
  hide(): void {
    this.#hiddenAt = this.#now()
    this.#window?.hide()
  }

  setStaysOnTop(stays: boolean): void {
    this.#window?.setAlwaysOnTop(stays)
  }

  act(action: Act): void {
    const window = this.#window
    if (!window) return
    if (action.act === 'resize') {
      const { width } = window.getContentBounds()
      window.setContentSize(width, action.isTall ? QUICK_HEIGHT.tall : QUICK_HEIGHT.low)
      return
    }
    this.hide()
    if (action.act === 'continue') this.#deps.openPlace(action.path)
  }

  /** True if a request comes from the quick window; no other window may move it. */
  owns(window: BrowserWindow): boolean {
    return this.#window === window
  }

  /** From now on, closing really closes it. */
  end(): void {
    this.#isEnding = true
    this.#window?.destroy()
  }

  #now(): number {
    return (this.#deps.now ?? Date.now)()
  }

  #open(): void {
    const { state, makeWindow, pageOrigin, log } = this.#deps
    const window = makeWindow(state.current.quickAskPlace)
    window.setAlwaysOnTop(state.current.quickAskStaysOnTop)
    window.on('close', (event) => {
      if (this.#isEnding) return
      event.preventDefault()
      this.hide()
    })
    window.on('moved', () => {
      const { x, y } = window.getBounds()
      state.remember({ quickAskPlace: { x, y } })
    })
    window.once('closed', () => {
      this.#window = null
      this.#page = null
    })
    this.#window = window
    this.#page = new KeptPage(window, { path: PATH, pageOrigin, log })
  }
}
