import path from 'node:path'
import { app, nativeTheme, session } from 'electron'
import type { CommandId } from '#desktop'
import { assembleGateway } from './assemble-gateway.ts'
import { reloadAfterCrash, watchGraphics } from './crash-recovery.ts'
import { askAboutFailure } from './dialogs.ts'
import { createOpenExternal, type OpenExternal } from './external-links.ts'
import { answerRequests } from './ipc/answer-requests.ts'
import { createLogger, openLogFile, type Logger } from './log.ts'
import { createMainWindow, type MainWindow } from './main-window.ts'
import { installMenu } from './menu.ts'
import { obtainRootKey } from './obtain-root-key.ts'
import type { RootKeyOptions } from './root-key.ts'
import { createFileStore, createKeychainStore } from './secret-store.ts'
import { secureContents, secureSession } from './security.ts'
import type { GatewayState, Supervisor } from './supervise-gateway.ts'
import { createTray, type TrayActions } from './tray.ts'
import { openMainWindow } from './windows.ts'
import type { DesktopOptions } from './desktop-options.ts'

/** The running desktop, as the application's lifecycle needs it. */
export class Desktop {
  readonly #options: DesktopOptions
  readonly #logFile
  readonly #log
  readonly #openExternal = createOpenExternal()
  readonly #rootKeyOptions
  #supervisor: Supervisor | null = null
  #isQuitting = false
  readonly #main
  readonly #trayActions: TrayActions

  readonly #gatewayOrigin = (): string | null => {
    const current = this.#currentState()
    return current.name === 'ready' ? new URL(current.url).origin : null
  }

  readonly #restartGateway = async (): Promise<void> => this.#supervisor?.restart()

  /** Window, menu, tray, gateway and the calls between them. Call it once, when Electron is ready. */
  constructor(options: DesktopOptions) {
    this.#options = options
    const { profile, environment, state, paths } = options
    const allowsDevTools = !app.isPackaged
    this.#logFile = openLogFile(profile.logs)
    this.#log = createLogger(environment.logLevel, (line) => this.#logFile.write(line))
    this.#rootKeyOptions = toRootKeyOptions(options, this.#log)
    nativeTheme.themeSource = state.current.theme
    const window = openMainWindow({
      preload: paths.preload,
      icon: paths.icon,
      state: state,
      allowsDevTools,
    })
    this.#main = createMainWindow({
      window,
      gatewayOrigin: this.#gatewayOrigin,
      requestCode: () =>
        this.#supervisor?.requestCode() ?? Promise.reject(new Error('The gateway is not running.')),
      log: this.#log,
    })
    this.#trayActions = {
      open: () => this.#main.focus(),
      restart: () => void this.#restartGateway(),
      quit: () => app.quit(),
      staysInTray: () => state.current.staysInTray,
      setStaysInTray: (staysInTray) => state.update({ staysInTray }),
    }
    secureWindow(this.#main, {
      gatewayOrigin: this.#gatewayOrigin,
      openExternal: this.#openExternal,
      allowsDevTools,
      log: this.#log,
    })
    this.#installMenu()
    reloadAfterCrash(window, this.#log)
    watchGraphics(state, restartApp, this.#log)
    window.on('close', (event) => {
      if (this.#isQuitting || !(process.platform === 'darwin' || state.current.staysInTray)) return
      event.preventDefault()
      window.hide()
    })
  }

  /** Opens the key, starts the gateway and, once it is ready, shows it. */
  async start(): Promise<void> {
    const { state, profile, paths } = this.#options
    const rootKey = await obtainRootKey(this.#rootKeyOptions)
    if (!rootKey || this.#isQuitting) return app.quit()
    const tray = createTray(paths.tray, this.#trayActions)
    answerRequests({
      main: this.#main,
      openExternal: this.#openExternal,
      log: this.#log,
      state,
      secrets: rootKey,
      dataFolder: profile.data,
      restartGateway: this.#restartGateway,
      onLanguage: () => {
        this.#installMenu()
        tray.show(this.#currentState())
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

  /** From now on closing the window is meant for good. */
  prepareToQuit(): void {
    this.#isQuitting = true
  }

  async stop(): Promise<void> {
    return this.#supervisor?.stop()
  }

  /** Something native has not come back and would hold the process back at its end. */
  isStuck(): boolean {
    return this.#rootKeyOptions.keychain?.isBusy ?? false
  }

  #installMenu(): void {
    installMenu({
      platform: process.platform,
      allowsDevTools: !app.isPackaged,
      runCommand: (id) => runCommand(this.#main, id),
    })
  }

  #currentState(): GatewayState {
    return this.#supervisor?.state ?? { name: 'starting' }
  }

  async #handleState(next: GatewayState): Promise<void> {
    if (next.name === 'ready') await this.#main.connect()
    if (next.name !== 'stopped')
      this.#main.send('gateway.state', {
        state: next.name,
        detail: next.name === 'failed' ? next.detail : null,
      })
    if (next.name !== 'failed' || this.#isQuitting) return
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

interface SecureWindowDeps {
  readonly gatewayOrigin: () => string | null
  readonly openExternal: OpenExternal
  readonly allowsDevTools: boolean
  readonly log: Logger
}

/**
 * The network is open only while the gateway runs; the page stays the gateway's page while that
 * restarts.
 */
function secureWindow(
  main: MainWindow,
  { gatewayOrigin, openExternal, allowsDevTools, log }: SecureWindowDeps,
): void {
  const onExternal = (url: string): void => {
    openExternal(url, main.window).catch((error: unknown) =>
      log.error({ error }, 'the address could not be opened'),
    )
  }
  secureSession(session.defaultSession, {
    pageOrigin: main.pageOrigin,
    gatewayOrigin,
    allowsDevTools,
  })
  secureContents(main.window.webContents, {
    pageOrigin: main.pageOrigin,
    onExternal,
    allowsDevTools,
  })
}

function runCommand(main: MainWindow, id: CommandId): void {
  main.focus()
  main.send('command', { id })
}

function restartApp(): void {
  app.relaunch()
  app.quit()
}
