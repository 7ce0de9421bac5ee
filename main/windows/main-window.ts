import type { BrowserWindow } from 'electron'
import type { Logger } from '../profile/log.ts'
import { signIn } from './sign-in.ts'
import type { Supervisor } from '../gateway/supervise-gateway.ts'
import { focusWindow } from './windows.ts'

const RETRY_DELAY = 1_000

export interface MainWindowOptions {
  readonly window: BrowserWindow
  readonly gateway: Pick<Supervisor, 'origin' | 'requestCode'>
  /** Sends the page to a path. */
  readonly sendPlace: (path: string) => void
  readonly log: Logger
}

/** The window and the gateway it shows. */
export class MainWindow {
  readonly #options: MainWindowOptions
  readonly window: BrowserWindow
  #pageOrigin: string | null = null
  #isListening = false
  #waitingPlace: string | null = null
  #isLoaded = false
  #sessionKey: string | null = null

  constructor(options: MainWindowOptions) {
    this.#options = options
    this.window = options.window
    const { webContents } = this.window
    webContents.on('did-fail-load', (_event, code, ...[, , isMainFrame]) => {
      // A navigation that was replaced by another one (-3) is not a failure.
      if (!isMainFrame || code === -3) return
      this.#isLoaded = false
      void this.connect()
    })
    webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
      if (isMainFrame && !isSameDocument) this.#isListening = false
    })
  }

  /** Origin of the page, which stays the same while the gateway restarts. */
  readonly pageOrigin = (): string | null => this.#pageOrigin

  /**
   * Called whenever the gateway is ready: signs in and loads the page, unless it is loaded and
   * reconnects by itself. `isAnew`: its session is gone, so it signs in and loads again.
   */
  async connect(isAnew = false): Promise<void> {
    const { gateway, log } = this.#options
    const { origin } = gateway
    if (isAnew) this.#isLoaded = false
    if (this.window.isDestroyed() || origin === null) return
    if (this.#isLoaded && origin === this.#pageOrigin) return
    try {
      await this.#load(origin)
    } catch (error) {
      this.#isLoaded = false
      log.warn({ error }, 'the page could not be loaded yet')
      setTimeout(() => void this.connect(), RETRY_DELAY)
    }
  }

  /**
   * Returns the page's half of its session, once after each sign-in; the page stores it from then
   * on. A page requests it when it starts to listen.
   */
  takeSessionKey(): string | null {
    const taken = this.#sessionKey
    this.#sessionKey = null
    this.#isListening = true
    if (this.#waitingPlace !== null) this.#options.sendPlace(this.#waitingPlace)
    this.#waitingPlace = null
    return taken
  }

  /** Shows the window at a path of the UI, as soon as its page can navigate there. */
  openPlace(path: string): void {
    focusWindow(this.window)
    if (this.#isListening) this.#options.sendPlace(path)
    else this.#waitingPlace = path
  }

  focus(): void {
    focusWindow(this.window)
  }

  async #load(origin: string): Promise<void> {
    this.#pageOrigin = origin
    this.#isLoaded = true
    const { session } = this.window.webContents
    this.#sessionKey = await signIn(session, origin, () => this.#options.gateway.requestCode())
    await this.window.loadURL(`${origin}/`)
  }
}
