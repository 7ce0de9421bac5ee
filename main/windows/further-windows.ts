import type { BrowserWindow, Rectangle } from 'electron'
import { KeptPage } from './keep-page.ts'
import type { Logger } from '../profile/log.ts'

export interface FurtherWindowsDeps {
  readonly main: BrowserWindow
  /** Creates a window beside another one, secured like all windows. */
  readonly makeWindow: (near: Rectangle) => BrowserWindow
  /** Returns the focused window. */
  readonly focused: () => BrowserWindow | null
  readonly pageOrigin: () => string | null
  readonly log: Logger
}

/** Further windows with the whole UI. The main window signed in their session. */
export class FurtherWindows {
  readonly #deps: FurtherWindowsDeps
  readonly #pages = new Map<BrowserWindow, KeptPage>()
  #lastClosed = (): void => undefined

  constructor(deps: FurtherWindowsDeps) {
    this.#deps = deps
  }

  open(): void {
    const { main, makeWindow, focused, pageOrigin, log } = this.#deps
    const window = makeWindow((focused() ?? main).getNormalBounds())
    const page = new KeptPage(window, { path: '/', pageOrigin, log })
    this.#pages.set(window, page)
    window.once('closed', () => {
      this.#pages.delete(window)
      if (this.#pages.size === 0) this.#lastClosed()
    })
    void page.load()
  }

  areOpen(): boolean {
    return this.#pages.size > 0
  }

  onLastClosed(listener: () => void): void {
    this.#lastClosed = listener
  }

  /** Reloads the pages after the gateway restarted at another URL. */
  reconnect(): void {
    for (const page of this.#pages.values()) void page.load()
  }
}
