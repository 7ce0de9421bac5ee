import type { BrowserWindow } from 'electron'
import type { Logger } from '../profile/log.ts'

const RETRY_DELAY = 1_000
/** Error code of a load that another one replaced. */
const ABORTED = -3

interface KeptPageOptions {
  readonly path: string
  readonly pageOrigin: () => string | null
  readonly log: Logger
}

/**
 * A path of the UI in a further window, whose session the main window signed in; reloads a page
 * that was lost.
 */
export class KeptPage {
  readonly #window: BrowserWindow
  readonly #options: KeptPageOptions
  /** Origin the page was loaded from; null if it was lost. */
  #loaded: string | null = null

  constructor(window: BrowserWindow, options: KeptPageOptions) {
    this.#window = window
    this.#options = options
    window.webContents.on('did-fail-load', (_event, code, ...[, , isMainFrame]) => {
      if (!isMainFrame || code === ABORTED) return
      this.#loaded = null
      setTimeout(() => void this.load(), RETRY_DELAY)
    })
  }

  /** Loads the page unless it is loaded; called whenever the gateway is ready. */
  async load(): Promise<void> {
    const { path, pageOrigin, log } = this.#options
    const origin = pageOrigin()
    if (this.#window.isDestroyed() || origin === null || this.#loaded === origin) return
    this.#loaded = origin
    try {
      await this.#window.loadURL(origin + path)
    } catch (error) {
      this.#loaded = null
      log.warn({ error }, 'a further window could not be loaded yet')
    }
  }
}
