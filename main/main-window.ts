import type { BrowserWindow } from 'electron'
import { events, ipcChannels, type EventName, type EventPayload } from '#desktop'
import type { Logger } from './log.ts'
import { isOwnAddress } from './security.ts'
import { signIn } from './sign-in.ts'
import { focusWindow } from './windows.ts'

const RETRY_DELAY = 1_000

export interface MainWindowOptions {
  readonly window: BrowserWindow
  /** Origin of the running gateway, null while there is none. */
  readonly gatewayOrigin: () => string | null
  readonly requestCode: () => Promise<string>
  readonly log: Logger
}

/** The window together with the gateway it shows. */
export interface MainWindow {
  readonly window: BrowserWindow
  /** Origin of the page, which stays the same while the gateway restarts. */
  readonly pageOrigin: () => string | null
  /**
   * Called whenever the gateway is ready: signs in and loads the page, unless it is there and
   * reconnects by itself.
   */
  connect(): Promise<void>
  send<Name extends EventName>(name: Name, payload: EventPayload<Name>): void
  /** The page's half of its session, once after each sign-in; the page keeps it from then on. */
  takeSessionKey(): string | null
  focus(): void
}

export function createMainWindow({
  window,
  gatewayOrigin,
  requestCode,
  log,
}: MainWindowOptions): MainWindow {
  let pageOrigin: string | null = null
  let isLoaded = false
  let sessionKey: string | null = null

  async function load(origin: string): Promise<void> {
    pageOrigin = origin
    isLoaded = true
    sessionKey = await signIn(window.webContents.session, origin, requestCode)
    await window.loadURL(`${origin}/`)
  }

  async function connect(): Promise<void> {
    const origin = gatewayOrigin()
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

  return {
    window,
    pageOrigin: () => pageOrigin,
    connect,
    send(name, payload) {
      if (window.isDestroyed() || !isOwnAddress(window.webContents.getURL(), pageOrigin)) return
      window.webContents.send(ipcChannels.event, name, events[name].parse(payload))
    },
    takeSessionKey() {
      const taken = sessionKey
      sessionKey = null
      return taken
    },
    focus: () => focusWindow(window),
  }
}
