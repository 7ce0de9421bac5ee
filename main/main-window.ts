import type { BrowserWindow } from 'electron'
import type { Logger } from './log.ts'
import { signIn } from './sign-in.ts'
import { focusWindow } from './windows.ts'

const RETRY_DELAY = 1_000

export interface MainWindowOptions {
  readonly window: BrowserWindow
  /** Origin of the running gateway, null while there is none. */
  readonly gatewayOrigin: () => string | null
  readonly requestCode: () => Promise<string>
  /** Tells the page to go to a path. */
  readonly sendPlace: (path: string) => void
  readonly log: Logger
}

/** The window together with the gateway it shows. */
export interface MainWindow {
  readonly window: BrowserWindow
  /** Origin of the page, which stays the same while the gateway restarts. */
  readonly pageOrigin: () => string | null
  /**
   * Called whenever the gateway is ready: signs in and loads the page, unless it is there and
   * reconnects by itself. `isAnew`: its session is gone, so it is signed in and loaded again.
   */
  connect(isAnew?: boolean): Promise<void>
  /**
   * The page's half of its session, once after each sign-in; the page keeps it from then on. A page
   * asks when it begins to listen.
   */
  takeSessionKey(): string | null
  /** Brings the window up at a path of the interface, as soon as its page can go there. */
  openPlace(path: string): void
  focus(): void
}

export function createMainWindow({
  window,
  gatewayOrigin,
  requestCode,
  sendPlace,
  log,
}: MainWindowOptions): MainWindow {
  let pageOrigin: string | null = null
  let isListening = false
  let waitingPlace: string | null = null
  let isLoaded = false
  let sessionKey: string | null = null

  async function load(origin: string): Promise<void> {
    pageOrigin = origin
    isLoaded = true
    sessionKey = await signIn(window.webContents.session, origin, requestCode)
    await window.loadURL(`${origin}/`)
  }

  async function connect(isAnew = false): Promise<void> {
    const origin = gatewayOrigin()
    if (isAnew) isLoaded = false
    if (window.isDestroyed() || origin === null || (isLoaded && origin === pageOrigin)) return
    try {
      await load(origin)
    } catch (error) {
      isLoaded = false
      log.warn({ error }, 'the page could not be loaded yet')
      setTimeout(() => void connect(), RETRY_DELAY)
    }
  }

  window.webContents.on('did-fail-load', (_event, code, ...[, , isMainFrame]) => {
    // A navigation that was replaced by another one (-3) is no failure.
    if (!isMainFrame || code === -3) return
    isLoaded = false
    void connect()
  })

  window.webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) isListening = false
  })

  return {
    window,
    pageOrigin: () => pageOrigin,
    connect,
    takeSessionKey() {
      const taken = sessionKey
      sessionKey = null
      isListening = true
      if (waitingPlace !== null) sendPlace(waitingPlace)
      waitingPlace = null
      return taken
    },
    openPlace(path) {
      focusWindow(window)
      if (isListening) sendPlace(path)
      else waitingPlace = path
    },
    focus: () => focusWindow(window),
  }
}
