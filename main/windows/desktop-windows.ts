import { app, session, type BrowserWindow, type Point, type Rectangle } from 'electron'
import type { CommandId } from '#desktop'
import type { DesktopOptions } from '../launch/desktop-options.ts'
import type { OpenExternal } from '../security/external-links.ts'
import { FurtherWindows } from './further-windows.ts'
import { SystemKeys } from '../system/global-shortcut.ts'
import type { Logger } from '../profile/log.ts'
import { MainWindow } from './main-window.ts'
import { PageWindows } from './page-windows.ts'
import { QuickAsk } from './quick-ask.ts'
import { secureSession } from '../security/security.ts'
import type { ShellStateStore } from '../profile/shell-state.ts'
import type { Supervisor } from '../gateway/supervise-gateway.ts'
import type { WindowTraffic } from '../security/window-traffic.ts'
import { focusWindow, openFurtherWindow, openMainWindow, openQuickWindow } from './windows.ts'

/** Delay in ms after the main window's page. */
const PREPARE_AFTER = 1_500

export interface DesktopWindowsDeps {
  readonly options: DesktopOptions
  readonly gateway: Pick<Supervisor, 'origin' | 'state' | 'requestCode' | 'mayLeave'>
  readonly traffic: WindowTraffic
  readonly openExternal: OpenExternal
  readonly log: Logger
}

/** Linux and Windows indicate it by an option; macOS passes none to a login item. */
const wasOpenedAtLogin = (): boolean =>
  process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin

/** The windows of the app: the main one, further ones and the quick window. */
export class DesktopWindows {
  readonly #openExternal: OpenExternal
  readonly #state: ShellStateStore
  readonly #log: Logger
  readonly #look: Parameters<typeof openFurtherWindow>[0]
  readonly #further: FurtherWindows
  readonly main: MainWindow
  readonly pages: PageWindows
  readonly quickAsk: QuickAsk
  readonly keys: SystemKeys
  #isQuitting = false

  constructor({ options, gateway, traffic, openExternal, log }: DesktopWindowsDeps) {
    const { environment, launch, state, paths } = options
    const allowsDevTools = !app.isPackaged
    this.#openExternal = openExternal
    this.#state = state
    this.#log = log
    this.#look = { preload: paths.preload, icon: paths.icon, allowsDevTools }
    const isHidden = launch.isHidden || wasOpenedAtLogin()
    const isStarting = (): boolean =>
      ['starting', 'restarting', 'ready'].includes(gateway.state.name)
    const window = openMainWindow({ ...this.#look, state, isHidden, isStarting })
    this.main = new MainWindow({ window, gateway, sendPlace: this.#sendPlace, log })
    const { pageOrigin } = this.main
    const onExternal = this.#open
    this.pages = new PageWindows({ pageOrigin, onExternal, allowsDevTools, state, log })
    this.#further = new FurtherWindows({
      main: window,
      makeWindow: this.#makeFurther,
      focused: () => this.pages.focused(),
      pageOrigin,
      log,
    })
    this.quickAsk = new QuickAsk({
      state,
      makeWindow: this.#makeQuick,
      pageOrigin,
      openPlace: (path) => this.main.openPlace(path),
      tellShown: this.#tellShown,
      log,
    })
    this.keys = new SystemKeys(environment.isWayland, () => this.quickAsk.toggle())
    const gatewayOrigin = (): string | null => gateway.origin
    secureSession(session.defaultSession, {
      pageOrigin,
      gatewayOrigin,
      allowsDevTools,
      traffic,
      mayLeave: ({ host, port }, purpose) => gateway.mayLeave(host, port, purpose),
    })
    this.pages.add(window)
    this.#watchClosing(window)
  }

  openFurther(): void {
    this.#further.open()
  }

  /** Commands act in the focused window; the quick window has none of their targets. */
  runCommand(id: CommandId): void {
    const focused = this.pages.focused()
    const window = focused && !this.quickAsk.owns(focused) ? focused : this.main.window
    focusWindow(window)
    this.pages.send(window, 'command', { id })
  }

  /** Shows the gateway in every window once it is ready. */
  async connect(isAnew: boolean | undefined): Promise<void> {
    await this.main.connect(isAnew)
    this.quickAsk.reconnect()
    this.#further.reconnect()
    this.#offerQuickAsk()
  }

  /** From now on, closing a window really closes it. */
  prepareToQuit(): void {
    this.#isQuitting = true
    this.quickAsk.end()
  }

  /** Closing the main window only hides it if the app keeps running or other windows are open. */
  #watchClosing(window: BrowserWindow): void {
    const staysOpen = (): boolean =>
      process.platform === 'darwin' || this.#state.current.staysInTray
    window.on('close', (event) => {
      if (this.#isQuitting || !(staysOpen() || this.#further.areOpen())) return
      event.preventDefault()
      window.hide()
    })
    this.#further.onLastClosed(() => {
      if (!window.isDestroyed() && !window.isVisible() && !staysOpen()) app.quit()
    })
    // A hidden window would keep the app running after its last visible one is closed.
    window.once('closed', () => this.quickAsk.end())
  }

  /**
   * The quick window is created after the first page has loaded, so that it does not slow that
   * down.
   */
  #offerQuickAsk(): void {
    const { quickAskShortcut } = this.#state.current
    if (quickAskShortcut === null || this.keys.state !== 'off') return
    this.keys.hold(quickAskShortcut)
    setTimeout(() => !this.#isQuitting && this.quickAsk.prepare(), PREPARE_AFTER)
  }

  readonly #sendPlace = (path: string): void =>
    this.pages.send(this.main.window, 'place.open', { path })

  readonly #tellShown = (small: BrowserWindow, isLongAgo: boolean): void =>
    this.pages.send(small, 'quickAsk.shown', { isLongAgo })

  readonly #makeFurther = (near: Rectangle): BrowserWindow =>
    this.#add(openFurtherWindow(this.#look, near))

  readonly #makeQuick = (place: Point | null): BrowserWindow =>
    this.#add(openQuickWindow(this.#look, place))

  readonly #open = (url: string, window: BrowserWindow): void => {
    this.#openExternal(url, window).catch((error: unknown) =>
      this.#log.error({ error }, 'the address could not be opened'),
    )
  }

  /** Secures and watches a further window. */
  #add(window: BrowserWindow): BrowserWindow {
    this.pages.add(window)
    return window
  }
}
