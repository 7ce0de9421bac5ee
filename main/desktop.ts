import path from 'node:path'
import { app, nativeTheme, session, type BrowserWindow } from 'electron'
import type { CommandId } from '#desktop'
import { assembleGateway } from './assemble-gateway.ts'
import { watchGraphics } from './crash-recovery.ts'
import { parseDeepLink, toLinkPath } from './deep-links.ts'
import { askAboutFailure } from './dialogs.ts'
import { createOpenExternal, type OpenExternal } from './external-links.ts'
import { createSystemKeys, type SystemKeys } from './global-shortcut.ts'
import { answerRequests } from './ipc/answer-requests.ts'
import { createLogger, openLogFile, type Logger } from './log.ts'
import { createMainWindow } from './main-window.ts'
import { FurtherWindows } from './further-windows.ts'
import { currentLanguage } from './language.ts'
import type { LaunchOptions } from './launch-options.ts'
import { createLoginItem } from './login-item.ts'
import { installMenu } from './menu.ts'
import { obtainRootKey } from './obtain-root-key.ts'
import { PageWindows } from './page-windows.ts'
import { QuickAsk } from './quick-ask.ts'
import type { RootKeyOptions } from './root-key.ts'
import { createFileStore, createKeychainStore } from './secret-store.ts'
import { secureSession } from './security.ts'
import type { ShellStateStore } from './shell-state.ts'
import { checkSpelling, wantsSpelling } from './spell-check.ts'
import type { GatewayState, Supervisor } from './supervise-gateway.ts'
import { createTray, type TrayActions } from './tray.ts'
import { assembleUpdates } from './updates/assemble-updates.ts'
import { TaskbarProgress, UnreadMark } from './unread-mark.ts'
import { UpdateMark } from './updates/update-mark.ts'
import { UpdateRecovery } from './updates/update-recovery.ts'
import type { Updates } from './updates/updates.ts'
import { focusWindow, openFurtherWindow, openMainWindow, openQuickWindow } from './windows.ts'
import type { DesktopOptions } from './desktop-options.ts'

/** Milliseconds after the page of the main window. */
const PREPARE_AFTER = 1_500

/** The running desktop, as the application's lifecycle needs it. */
export class Desktop {
  readonly #options: DesktopOptions
  readonly #logFile
  readonly #log
  readonly #openExternal = createOpenExternal()
  readonly #rootKeyOptions
  #supervisor: Supervisor | null = null
  #isQuitting = false
  #showTray = (): void => undefined
  readonly #unread = new UnreadMark(() => this.#showTray())
  readonly #progress = new TaskbarProgress(() => this.#main.window)
  readonly #main
  readonly #pages: PageWindows
  readonly #further: FurtherWindows
  readonly #quickAsk: QuickAsk
  readonly #keys: SystemKeys
  readonly #updates: Updates
  readonly #recovery: UpdateRecovery
  readonly #trayActions: TrayActions

  readonly #gatewayOrigin = (): string | null => {
    const current = this.#currentState()
    return current.name === 'ready' ? new URL(current.url).origin : null
  }

  readonly #restartGateway = async (): Promise<void> => this.#supervisor?.restart()

  /** Window, menu, tray, gateway and the calls between them. Call it once, when Electron is ready. */
  constructor(options: DesktopOptions) {
    this.#options = options
    const { profile, environment, launch, state, paths } = options
    const allowsDevTools = !app.isPackaged
    this.#logFile = openLogFile(profile.logs)
    this.#log = createLogger(environment.logLevel, (line) => this.#logFile.write(line))
    this.#rootKeyOptions = toRootKeyOptions(options, this.#log)
    nativeTheme.themeSource = state.current.theme
    const look = { preload: paths.preload, icon: paths.icon, allowsDevTools }
    const isHidden = launch.isHidden || wasOpenedAtLogin()
    const window = openMainWindow({ ...look, state, isHidden })
    this.#main = createMainWindow({
      window,
      gatewayOrigin: this.#gatewayOrigin,
      requestCode: () =>
        this.#supervisor?.requestCode() ?? Promise.reject(new Error('The gateway is not running.')),
      sendPlace: (path) => this.#pages.send(window, 'place.open', { path }),
      log: this.#log,
    })
    const { pageOrigin } = this.#main
    this.#pages = createPageWindows({
      pageOrigin,
      openExternal: this.#openExternal,
      allowsDevTools,
      state,
      log: this.#log,
    })
    this.#further = new FurtherWindows({
      main: window,
      makeWindow: (near) => this.#add(openFurtherWindow(look, near)),
      focused: () => this.#pages.focused(),
      pageOrigin,
      log: this.#log,
    })
    this.#quickAsk = new QuickAsk({
      state,
      makeWindow: (place) => this.#add(openQuickWindow(look, place)),
      pageOrigin,
      openPlace: (path) => this.#main.openPlace(path),
      tellShown: (small, isLongAgo) => this.#pages.send(small, 'quickAsk.shown', { isLongAgo }),
      log: this.#log,
    })
    this.#keys = createSystemKeys(environment.isWayland, () => this.#quickAsk.toggle())
    const mark = new UpdateMark(profile.updateMark)
    this.#recovery = this.#createRecovery(mark)
    this.#updates = this.#createUpdates(mark)
    this.#trayActions = {
      open: () => this.#main.focus(),
      quickAsk: () => this.#quickAsk.show(),
      restart: () => void this.#restartGateway(),
      isPaused: () => this.#supervisor?.isPaused ?? false,
      setPaused: (isPaused) => this.#setPaused(isPaused),
      quit: () => app.quit(),
      unread: () => this.#unread.unread,
      staysInTray: () => state.current.staysInTray,
      setStaysInTray: (staysInTray) => state.update({ staysInTray }),
    }
    secureSession(session.defaultSession, {
      pageOrigin,
      gatewayOrigin: this.#gatewayOrigin,
      allowsDevTools,
    })
    this.#add(window)
    this.#checkSpelling()
    this.#installMenu()
    watchGraphics(state, restartApp, this.#log)
    const staysOpen = (): boolean => process.platform === 'darwin' || state.current.staysInTray
    window.on('close', (event) => {
      if (this.#isQuitting || !(staysOpen() || this.#further.areOpen())) return
      event.preventDefault()
      window.hide()
    })
    this.#further.onLastClosed(() => {
      if (!window.isDestroyed() && !window.isVisible() && !staysOpen()) app.quit()
    })
    // A hidden window would keep the app from ending with its last visible one.
    window.once('closed', () => this.#quickAsk.end())
  }

  /** Opens the key, starts the gateway and, once it is ready, shows it. */
  async start(): Promise<void> {
    const { state, profile, paths } = this.#options
    if (!(await this.#recovery.allowStart())) return app.quit()
    const rootKey = await obtainRootKey(this.#rootKeyOptions)
    if (!rootKey || this.#isQuitting) return app.quit()
    const tray = createTray(paths.tray, this.#trayActions)
    this.#showTray = () => tray.show(this.#currentState())
    answerRequests({
      main: this.#main,
      openExternal: this.#openExternal,
      log: this.#log,
      state,
      secrets: rootKey,
      dataFolder: profile.data,
      restartGateway: this.#restartGateway,
      keys: this.#keys,
      quickAsk: this.#quickAsk,
      loginItem: createLoginItem({
        platform: process.platform,
        isPackaged: app.isPackaged,
        command: toOwnCommand(this.#options),
        options: toOwnOptions(this.#options.launch),
        configFolder: app.getPath('appData'),
        system: app,
      }),
      pause: {
        isOn: this.#trayActions.isPaused,
        set: (isPaused) => this.#setPaused(isPaused),
      },
      isInFront: () => this.#pages.focused() !== null,
      onSpelling: () => this.#checkSpelling(),
      onUnread: (unread) => this.#unread.set(unread),
      onProgress: (share) => this.#progress.set('models', share),
      updates: this.#updates,
      onListening: () => {
        this.#recovery.finish()
        // A page that was loaded anew knows of no download it had shown.
        this.#progress.set('models', null)
        this.#updates.schedule()
      },
      onLanguage: () => {
        this.#checkSpelling()
        this.#installMenu()
        this.#showTray()
      },
    })
    this.#supervisor = assembleGateway(this.#options, {
      rootKey,
      log: this.#log,
      writeLog: (text) => this.#logFile.write(text),
      onState: (next) => {
        tray.show(next)
        void this.#handleState(next)
      },
    })
    this.#supervisor.start()
  }

  focus(): void {
    this.#main.focus()
  }

  /** Shows what a link of another program asks for; nothing happens before the person agrees. */
  openLink(text: string): void {
    this.#main.openPlace(toLinkPath(parseDeepLink(text)))
  }

  /** From now on closing the window is meant for good. */
  prepareToQuit(): void {
    this.#isQuitting = true
    this.#quickAsk.end()
  }

  async stop(): Promise<void> {
    await this.#updates.prepareEnd()
    await this.#supervisor?.stop()
    this.#updates.finishEnd()
  }

  /** Something native has not come back and would hold the process back at its end. */
  isStuck(): boolean {
    return this.#rootKeyOptions.keychain?.isBusy ?? false
  }

  #createRecovery(mark: UpdateMark): UpdateRecovery {
    const { environment, launch } = this.#options
    return new UpdateRecovery({
      mark,
      version: app.getVersion(),
      appImage: environment.appImage,
      ownOptions: toOwnOptions(launch),
      log: this.#log,
    })
  }

  #createUpdates(mark: UpdateMark): Updates {
    const updates = assembleUpdates(this.#options, {
      mark,
      countAnswers: async () => (await this.#supervisor?.countAnswers()) ?? 0,
      mayLeave: (host, port) => this.#requireSupervisor().mayLeave(host, port),
      backUp: (label) => this.#requireSupervisor().backUp(label),
      onState: (state) => {
        this.#progress.set('app', state.phase === 'downloading' ? state.share : null)
        this.#pages.sendToAll('updates.state', state)
      },
      ownOptions: toOwnOptions(this.#options.launch),
      log: this.#log,
    })
    if (this.#recovery.wasNotInstalled) updates.noteFailure()
    return updates
  }

  #installMenu(): void {
    installMenu({
      platform: process.platform,
      allowsDevTools: !app.isPackaged,
      runCommand: (id) => this.#runCommand(id),
      quickAsk: () => this.#quickAsk.show(),
      openWindow: () => this.#further.open(),
    })
  }

  #setPaused(isPaused: boolean): void {
    this.#supervisor?.setPaused(isPaused)
    this.#showTray()
  }

  #checkSpelling(): void {
    const { platform } = process
    checkSpelling(session.defaultSession, {
      isOn: wantsSpelling(this.#options.state.current, platform),
      language: currentLanguage(),
      platform,
    })
  }

  /** Secures and watches a further window. */
  #add(window: BrowserWindow): BrowserWindow {
    this.#pages.add(window)
    return window
  }

  /** Commands act where the person works; the small window has none of their places. */
  #runCommand(id: CommandId): void {
    const focused = this.#pages.focused()
    const window = focused && !this.#quickAsk.owns(focused) ? focused : this.#main.window
    focusWindow(window)
    this.#pages.send(window, 'command', { id })
  }

  /** The window is made once the first page is there, so that it does not slow that down. */
  #offerQuickAsk(): void {
    const { quickAskShortcut } = this.#options.state.current
    this.#quickAsk.reconnect()
    this.#further.reconnect()
    if (quickAskShortcut === null || this.#keys.state !== 'off') return
    this.#keys.hold(quickAskShortcut)
    setTimeout(() => !this.#isQuitting && this.#quickAsk.prepare(), PREPARE_AFTER)
  }

  #currentState(): GatewayState {
    return this.#supervisor?.state ?? { name: 'starting' }
  }

  #requireSupervisor(): Supervisor {
    if (!this.#supervisor) throw new Error('The gateway is not running.')
    return this.#supervisor
  }

  async #handleState(next: GatewayState): Promise<void> {
    if (next.name === 'ready') {
      await this.#main.connect(next.isAnew)
      this.#offerQuickAsk()
    }
    if (next.name !== 'stopped')
      this.#pages.sendToAll('gateway.state', {
        state: next.name,
        detail: next.name === 'failed' ? next.detail : null,
      })
    if (next.name !== 'failed' || this.#isQuitting) return
    const wayBack = await this.#recovery.takeFailure()
    if (wayBack === 'again') return this.#supervisor?.restart()
    if (wayBack !== null) return app.quit()
    const answer = await askAboutFailure(next)
    if (answer === 'quit') app.quit()
    else await this.#supervisor?.restart(answer === 'retry' ? undefined : answer)
  }
}

/** Profiles do not share a key. */
const toAccount = (folder: string | null): string =>
  folder === null ? 'root-key' : `root-key ${path.resolve(folder)}`

const toRootKeyOptions = ({ launch, profile }: DesktopOptions, log: Logger): RootKeyOptions => ({
  recordFile: profile.rootKeyRecord,
  keychain: launch.secrets === 'file' ? null : createKeychainStore(toAccount(launch.profile)),
  file: createFileStore(profile.rootKeyFile),
  log,
})

interface PageDeps {
  readonly pageOrigin: () => string | null
  readonly openExternal: OpenExternal
  readonly allowsDevTools: boolean
  readonly state: ShellStateStore
  readonly log: Logger
}

const createPageWindows = ({ openExternal, ...deps }: PageDeps): PageWindows =>
  new PageWindows({
    ...deps,
    onExternal: (url, window) => {
      openExternal(url, window).catch((error: unknown) =>
        deps.log.error({ error }, 'the address could not be opened'),
      )
    },
  })

/** Linux and Windows say it by an option; macOS gives a login item none. */
const wasOpenedAtLogin = (): boolean =>
  process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin

/** What the system has to start to get this very app. */
function toOwnCommand({ environment, paths }: DesktopOptions): readonly string[] {
  const program = environment.appImage ?? app.getPath('exe')
  return [program, ...(app.isPackaged ? [] : [paths.root])]
}

function toOwnOptions({ profile, dataDir, secrets }: LaunchOptions): readonly string[] {
  return [
    ...(profile === null ? [] : [`--profile=${path.resolve(profile)}`]),
    ...(dataDir === null ? [] : [`--data-dir=${path.resolve(dataDir)}`]),
    ...(secrets === 'file' ? ['--secrets=file'] : []),
  ]
}

function restartApp(): void {
  app.relaunch()
  app.quit()
}
