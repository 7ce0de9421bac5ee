import path from 'node:path'
import { app, nativeTheme, session } from 'electron'
import { assembleGateway } from './gateway/assemble-gateway.ts'
import { watchGraphics } from './windows/crash-recovery.ts'
import { parseDeepLink, toLinkPath } from './system/deep-links.ts'
import type { DesktopOptions } from './launch/desktop-options.ts'
import { DesktopWindows } from './windows/desktop-windows.ts'
import { askAboutFailure } from './system/dialogs.ts'
import { createOpenExternal } from './security/external-links.ts'
import { answerRequests } from './ipc/answer-requests.ts'
import { keepOnDisplays } from './windows/keep-on-displays.ts'
import { currentLanguage, say } from './system/language.ts'
import type { LaunchOptions } from './launch/launch-options.ts'
import { createLogger, LogFile, type Logger } from './profile/log.ts'
import { createLoginItem, type LoginItem } from './system/login-item.ts'
import { installMenu } from './system/menu.ts'
import { obtainRootKey } from './secrets/obtain-root-key.ts'
import type { RootKeyOptions, UnlockedRootKey } from './secrets/root-key.ts'
import { SecretFile, Keychain } from './secrets/secret-store.ts'
import { checkSpellingIfAllowed, reportWordLists, wantsSpelling } from './windows/spell-check.ts'
import type { GatewayState, Supervisor } from './gateway/supervise-gateway.ts'
import { TrayEntry, type TrayActions } from './system/tray.ts'
import { TaskbarProgress, UnreadMark } from './system/unread-mark.ts'
import { assembleUpdates } from './updates/assemble-updates.ts'
import { UpdateMark } from './updates/update-mark.ts'
import { UpdateRecovery } from './updates/update-recovery.ts'
import type { Updates } from './updates/updates.ts'
import { WindowTraffic } from './security/window-traffic.ts'

/** The running desktop app, as used by the application's lifecycle. */
export class Desktop {
  readonly #options: DesktopOptions
  readonly #log: Logger
  readonly #openExternal = createOpenExternal()
  readonly #rootKeyOptions: RootKeyOptions
  readonly #gateway: Supervisor
  readonly #windows: DesktopWindows
  readonly #traffic: WindowTraffic
  readonly #updates: Updates
  readonly #recovery: UpdateRecovery
  readonly #progress: TaskbarProgress
  readonly #unread = new UnreadMark(() => this.#showTray())
  #tray: TrayEntry | null = null
  #isQuitting = false
  #takenPort: number | undefined

  readonly #trayActions: TrayActions = {
    open: () => this.focus(),
    quickAsk: () => this.#windows.quickAsk.show(),
    restart: () => void this.#gateway.restart(),
    isPaused: () => this.#gateway.isPaused,
    setPaused: (isPaused) => this.#setPaused(isPaused),
    quit: () => app.quit(),
    unread: () => this.#unread.unread,
    staysInTray: () => this.#options.state.current.staysInTray,
    setStaysInTray: (staysInTray) => this.#options.state.update({ staysInTray }),
  }

  /**
   * Creates window, menu, tray, gateway and their connections. Call it once, when Electron is
   * ready.
   */
  constructor(options: DesktopOptions) {
    this.#options = options
    const { profile, environment, state } = options
    const logFile = new LogFile(profile.logs)
    const log = (this.#log = createLogger(environment.logLevel, (line) => logFile.write(line)))
    // Electron would show the stack of such an error in a dialog.
    process.on('uncaughtException', (error) => log.error({ error }, 'an error was not caught'))
    this.#rootKeyOptions = toRootKeyOptions(options, log)
    nativeTheme.themeSource = state.current.theme
    this.#gateway = assembleGateway(options, {
      log,
      writeLog: (text) => logFile.write(text),
      onState: this.#handleState,
      onSealed: () => this.#checkSpelling(),
    })
    this.#traffic = new WindowTraffic((report) => this.#gateway.reportTraffic(report))
    this.#windows = new DesktopWindows({
      options,
      gateway: this.#gateway,
      traffic: this.#traffic,
      openExternal: this.#openExternal,
      log,
    })
    this.#progress = new TaskbarProgress(this.#windows.main.window)
    const mark = new UpdateMark(profile.updateMark)
    this.#recovery = this.#createRecovery(mark)
    this.#updates = this.#createUpdates(mark)
    this.#checkSpelling()
    reportWordLists(session.defaultSession, this.#traffic)
    this.#installMenu()
    watchGraphics(state, restartApp, log)
  }

  /** Opens the root key, starts the gateway and shows it once it is ready. */
  async start(): Promise<void> {
    const { paths } = this.#options
    if (!(await this.#recovery.allowStart())) return app.quit()
    const rootKey = await obtainRootKey(this.#rootKeyOptions)
    if (!rootKey || this.#isQuitting) return app.quit()
    this.#tray = new TrayEntry(paths.tray, this.#trayActions)
    this.#answerRequests(rootKey)
    this.#gateway.start(rootKey.key.toString('base64'))
    keepOnDisplays()
  }

  focus(): void {
    this.#windows.main.focus()
  }

  /** Shows the request of an external link; nothing happens before the user confirms. */
  openLink(text: string): void {
    this.#windows.main.openPlace(toLinkPath(parseDeepLink(text)))
  }

  /** From now on, closing the window really closes it. */
  prepareToQuit(): void {
    this.#isQuitting = true
    this.#windows.prepareToQuit()
  }

  async stop(): Promise<void> {
    await this.#updates.prepareEnd()
    await this.#gateway.stop()
    this.#updates.finishEnd()
  }

  /** True if a native call has not returned and would keep the process alive on exit. */
  isStuck(): boolean {
    return this.#rootKeyOptions.keychain?.isBusy ?? false
  }

  #answerRequests(secrets: UnlockedRootKey): void {
    const { main, pages, keys, quickAsk } = this.#windows
    const { state, profile } = this.#options
    answerRequests({
      main,
      openExternal: this.#openExternal,
      log: this.#log,
      state,
      secrets,
      dataFolder: profile.data,
      gateway: this.#gateway,
      keys,
      quickAsk,
      loginItem: this.#createLoginItem(),
      pause: { isOn: this.#trayActions.isPaused, set: this.#trayActions.setPaused },
      pages,
      onSpelling: () => this.#checkSpelling(),
      unread: this.#unread,
      progress: this.#progress,
      updates: this.#updates,
      onListening: () => this.#handleListening(),
      onLanguage: () => this.#handleLanguage(),
    })
  }

  #createLoginItem(): LoginItem {
    return createLoginItem({
      platform: process.platform,
      isPackaged: app.isPackaged,
      command: toOwnCommand(this.#options),
      options: toOwnOptions(this.#options.launch),
      configFolder: app.getPath('appData'),
      system: app,
    })
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
      gateway: this.#gateway,
      traffic: this.#traffic,
      onState: (state) => {
        this.#progress.set('app', state.phase === 'downloading' ? state.share : null)
        this.#windows.pages.sendToAll('updates.state', state)
      },
      ownOptions: toOwnOptions(this.#options.launch),
      log: this.#log,
    })
    if (this.#recovery.wasNotInstalled) updates.noteFailure()
    return updates
  }

  #installMenu(): void {
    const windows = this.#windows
    installMenu({
      platform: process.platform,
      allowsDevTools: !app.isPackaged,
      runCommand: (id) => windows.runCommand(id),
      quickAsk: () => windows.quickAsk.show(),
      openWindow: () => windows.openFurther(),
    })
  }

  #setPaused(isPaused: boolean): void {
    this.#gateway.setPaused(isPaused)
    this.#showTray()
  }

  #showTray(): void {
    this.#tray?.show(this.#gateway.state)
  }

  #checkSpelling(): void {
    const { platform } = process
    const choose = () => ({
      isOn: wantsSpelling(this.#options.state.current, platform),
      language: currentLanguage(),
      platform,
    })
    void checkSpellingIfAllowed(session.defaultSession, choose, (...asked) =>
      this.#gateway.mayLeave(...asked),
    )
  }

  /** Called when the main window's page is loaded and listening. */
  #handleListening(): void {
    this.#recovery.finish()
    this.#tellAddress()
    // A reloaded page has lost its download progress.
    this.#progress.set('models', null)
    this.#updates.schedule()
  }

  /** Says once that another program has the usual port. */
  #tellAddress(): void {
    if (this.#takenPort === undefined) return
    const names = { port: String(this.#takenPort), url: this.#gateway.origin ?? '' }
    this.#takenPort = undefined
    const detail = say('window.portTaken', names)
    this.#windows.pages.sendToAll('gateway.state', { state: 'ready', detail })
  }

  #handleLanguage(): void {
    this.#checkSpelling()
    this.#installMenu()
    this.#showTray()
  }

  readonly #handleState = (next: GatewayState): void => {
    this.#tray?.show(next)
    void this.#follow(next)
  }

  async #follow(next: GatewayState): Promise<void> {
    if (next.name === 'ready') {
      this.#takenPort ??= next.takenPort
      this.#checkSpelling()
      await this.#windows.connect(next.isAnew)
    }
    if (next.name !== 'stopped')
      this.#windows.pages.sendToAll('gateway.state', {
        state: next.name === 'ready' && next.isSilent ? 'silent' : next.name,
        detail: next.name === 'failed' ? next.detail : null,
      })
    if (next.name !== 'failed' || this.#isQuitting) return
    const wayBack = await this.#recovery.takeFailure()
    if (wayBack === 'again') return this.#gateway.restart()
    if (wayBack !== null) return app.quit()
    const answer = await askAboutFailure(next, this.#windows.main.window)
    if (answer === 'quit') app.quit()
    else await this.#gateway.restart(answer === 'retry' ? undefined : answer)
  }
}

/** Profiles do not share a root key. */
const toAccount = (folder: string | null): string =>
  folder === null ? 'root-key' : `root-key ${path.resolve(folder)}`

const toRootKeyOptions = ({ launch, profile }: DesktopOptions, log: Logger): RootKeyOptions => ({
  recordFile: profile.rootKeyRecord,
  keychain: launch.secrets === 'file' ? null : new Keychain(toAccount(launch.profile)),
  file: new SecretFile(profile.rootKeyFile),
  log,
})

/** Returns the command with which the system starts this app. */
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
