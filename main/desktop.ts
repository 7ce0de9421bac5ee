import path from 'node:path'
import { app, nativeTheme, session } from 'electron'
import type { CommandId } from '#desktop'
import { assembleGateway } from './assemble-gateway.ts'
import { reloadAfterCrash, watchGraphics } from './crash-recovery.ts'
import { askAboutFailure } from './dialogs.ts'
import type { ShellEnvironment } from './environment.ts'
import { createOpenExternal, type OpenExternal } from './external-links.ts'
import { answerRequests } from './ipc/answer-requests.ts'
import type { LaunchOptions } from './launch-options.ts'
import { createLogger, openLogFile, type Logger } from './log.ts'
import { createMainWindow, type MainWindow } from './main-window.ts'
import { installMenu } from './menu.ts'
import { obtainRootKey } from './obtain-root-key.ts'
import type { AppPaths, ProfilePaths } from './paths.ts'
import type { RootKeyOptions } from './root-key.ts'
import { createFileStore, createKeychainStore } from './secret-store.ts'
import { secureContents, secureSession } from './security.ts'
import type { ShellStateStore } from './shell-state.ts'
import type { GatewayState, Supervisor } from './supervise-gateway.ts'
import { createTray, type TrayActions } from './tray.ts'
import { openMainWindow } from './windows.ts'

export interface DesktopOptions {
  readonly launch: LaunchOptions
  readonly environment: ShellEnvironment
  readonly paths: AppPaths
  readonly profile: ProfilePaths
  readonly state: ShellStateStore
}

/** The running desktop, as the application's lifecycle needs it. */
export interface Desktop {
  /** Opens the key, starts the gateway and, once it is ready, shows it. */
  start(): Promise<void>
  focus(): void
  /** From now on closing the window is meant for good. */
  prepareToQuit(): void
  stop(): Promise<void>
  /** Something native has not come back and would hold the process back at its end. */
  isStuck(): boolean
}

/** Window, menu, tray, gateway and the calls between them. Call it once, when Electron is ready. */
export function createDesktop(options: DesktopOptions): Desktop {
  const { environment, paths, profile, state } = options
  const allowsDevTools = !app.isPackaged
  const logFile = openLogFile(profile.logs)
  const log = createLogger(environment.logLevel, (line) => logFile.write(line))
  const openExternal = createOpenExternal()
  const rootKeyOptions = toRootKeyOptions(options, log)
  let supervisor: Supervisor | null = null
  let isQuitting = false

  const currentState = (): GatewayState => supervisor?.state ?? { name: 'starting' }
  const gatewayOrigin = (): string | null => {
    const current = currentState()
    return current.name === 'ready' ? new URL(current.url).origin : null
  }

  nativeTheme.themeSource = state.current.theme
  const window = openMainWindow({ preload: paths.preload, icon: paths.icon, state, allowsDevTools })
  const main = createMainWindow({
    window,
    gatewayOrigin,
    requestCode: () =>
      supervisor?.requestCode() ?? Promise.reject(new Error('The gateway is not running.')),
    log,
  })
  const restartGateway = async (): Promise<void> => supervisor?.restart()
  const trayActions: TrayActions = {
    open: () => main.focus(),
    restart: () => void restartGateway(),
    quit: () => app.quit(),
    staysInTray: () => state.current.staysInTray,
    setStaysInTray: (staysInTray) => state.update({ staysInTray }),
  }

  async function handleState(next: GatewayState): Promise<void> {
    if (next.name === 'ready') await main.connect()
    if (next.name !== 'stopped')
      main.send('gateway.state', {
        state: next.name,
        detail: next.name === 'failed' ? next.detail : null,
      })
    if (next.name !== 'failed' || isQuitting) return
    const answer = await askAboutFailure(next)
    if (answer === 'quit') app.quit()
    else await supervisor?.restart(answer === 'retry' ? undefined : answer)
  }

  secureWindow(main, { gatewayOrigin, openExternal, allowsDevTools, log })
  installMenu({
    platform: process.platform,
    allowsDevTools,
    runCommand: (id) => runCommand(main, id),
  })
  reloadAfterCrash(window, log)
  watchGraphics(state, restartApp, log)
  window.on('close', (event) => {
    if (isQuitting || !(process.platform === 'darwin' || state.current.staysInTray)) return
    event.preventDefault()
    window.hide()
  })

  return {
    async start() {
      const rootKey = await obtainRootKey(rootKeyOptions)
      if (!rootKey || isQuitting) return app.quit()
      answerRequests({
        main,
        openExternal,
        log,
        state,
        secrets: rootKey,
        dataFolder: profile.data,
        restartGateway,
      })
      const tray = createTray(paths.tray, trayActions)
      supervisor = assembleGateway(options, {
        rootKey,
        log,
        writeLog: (text) => logFile.write(text),
        onState(next) {
          tray.show(next)
          void handleState(next)
        },
      })
      supervisor.start()
    },
    focus: () => main.focus(),
    prepareToQuit() {
      isQuitting = true
    },
    stop: async () => supervisor?.stop(),
    isStuck: () => rootKeyOptions.keychain?.isBusy ?? false,
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
