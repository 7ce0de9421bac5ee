// Lifecycle only: one instance, ready, quit.
import { accessSync, constants, mkdirSync } from 'node:fs'
import path from 'node:path'
import { app, dialog, session } from 'electron'
import { findLink, LINK_SCHEME, shortenLink } from './system/deep-links.ts'
import { Desktop } from './desktop.ts'
import { describeStartFailure } from './launch/start-failure.ts'
import type { DesktopOptions } from './launch/desktop-options.ts'
import { say, setLanguage } from './system/language.ts'
import { parseLaunchOptions, type LaunchOptions } from './launch/launch-options.ts'
import { findPortableProfile, toAppPaths, toProfilePaths } from './launch/paths.ts'
import { ShellStateFile } from './profile/shell-state.ts'
import { downloadsWordList, withholdWordLists } from './windows/spell-check.ts'
import {
  readEnvironment,
  withholdGraphicsDriver,
  type ShellEnvironment,
} from './launch/environment.ts'

/** A portable app leaves nothing on the computer, so its root key is not stored in the keychain. */
function addPortable(
  launch: LaunchOptions,
  { appImage, portableProgram }: ShellEnvironment,
): LaunchOptions {
  const program = appImage ?? portableProgram ?? app.getPath('exe')
  const portable = app.isPackaged && launch.profile === null ? findPortableProfile(program) : null
  return portable === null ? launch : { ...launch, profile: portable, secrets: 'file' }
}

function readOptions(): DesktopOptions {
  const environment = readEnvironment()
  const launch = addPortable(parseLaunchOptions(process.argv), environment)
  if (launch.profile !== null) app.setPath('userData', path.resolve(launch.profile))
  const profile = toProfilePaths(
    app.getPath('userData'),
    launch.dataDir ?? (launch.profile === null ? environment.dataDir : null),
  )
  return {
    launch,
    environment,
    profile,
    paths: toAppPaths(import.meta.dirname),
    state: new ShellStateFile(profile.state),
  }
}

/**
 * Quits in two steps: the windows close immediately, then the gateway has time to finish its
 * writes. Returns a function that starts the app again once it has ended, with a link if there is
 * one; it returns false if the app is not ending.
 */
function stopGatewayOnQuit(
  desktop: () => Desktop | null,
  { appImage }: ShellEnvironment,
): (link: string | null) => boolean {
  let isStopping = false
  let isStopped = false
  let isStartedAgain = false
  app.on('before-quit', () => desktop()?.prepareToQuit())
  app.on('will-quit', (event) => {
    const running = desktop()
    if (isStopped || !running) return
    event.preventDefault()
    // Users may quit again while the gateway still stops.
    if (isStopping) return
    isStopping = true
    // If nothing has to be stopped, this settles within the event, and Electron ignores a quit
    // inside a quit.
    void running.stop().finally(() =>
      setImmediate(() => {
        isStopped = true
        app.quit()
      }),
    )
  })
  app.on('quit', () => {
    if (!desktop()?.isStuck()) return
    session.defaultSession.flushStorageData()
    process.kill(process.pid, 'SIGKILL')
  })
  return (link) => {
    if (!isStopping) return false
    const given = process.argv.slice(1).filter((word) => findLink([word]) === null)
    const args = link === null ? given : [...given, link]
    if (!isStartedAgain) app.relaunch({ args, ...(appImage !== null && { execPath: appImage }) })
    isStartedAgain = true
    return true
  }
}

function chooseLanguage({ state }: DesktopOptions): void {
  const chosen = state.current.language
  setLanguage([...(chosen === null ? [] : [chosen]), ...app.getPreferredSystemLanguages()])
}

async function run(options: DesktopOptions): Promise<void> {
  let desktop: Desktop | null = null
  app.setAppUserModelId('app.chatgateway.desktop')
  let waitingLink = findLink(process.argv)
  const handleLink = (link: string): void => {
    if (desktop) desktop.openLink(link)
    else waitingLink = link
  }
  const startAfterEnd = stopGatewayOnQuit(() => desktop, options.environment)
  app.on('second-instance', (_event, argv) => {
    const link = findLink(argv)
    if (startAfterEnd(link)) return
    if (link === null) desktop?.focus()
    else handleLink(link)
  })
  app.on('open-url', (event, link) => {
    event.preventDefault()
    handleLink(link)
  })
  app.on('activate', () => desktop?.focus())
  app.on('window-all-closed', () => app.quit())
  if (downloadsWordList(process.platform)) app.once('session-created', withholdWordLists)
  await app.whenReady()
  chooseLanguage(options)
  // The installers of the other systems register the app; the Windows one does not.
  if (app.isPackaged && process.platform === 'win32') app.setAsDefaultProtocolClient(LINK_SCHEME)
  desktop = new Desktop(options)
  if (waitingLink !== null) desktop.openLink(waitingLink)
  await desktop.start()
}

/** Reports a failed start visibly and exits, instead of leaving an empty window. */
function failStart(error: unknown): void {
  dialog.showErrorBox(say('window.notStarted'), describeStartFailure(error, options.profile.folder))
  app.exit(1)
}

/**
 * Starts the app, unless it already runs.
 * @NOTE Without a folder it can write to, Electron would report a running instance, and the app
 *   would end without a word. An app that already runs is taken for a hanging one, and killed, if
 *   it is handed more than 32 KiB, such as a link of a web page.
 */
async function start(): Promise<void> {
  try {
    mkdirSync(options.profile.folder, { recursive: true, mode: 0o700 })
    accessSync(options.profile.folder, constants.W_OK)
    // The gateway would begin with an empty folder in the place of a disk that is not connected.
    const { dataDir } = options.launch
    if (dataDir !== null) accessSync(path.dirname(path.resolve(dataDir)))
  } catch (error) {
    await app.whenReady()
    chooseLanguage(options)
    throw error
  }
  const shortened = shortenLink(process.argv.slice(1))
  if (shortened) {
    const { appImage } = options.environment
    app.relaunch({ args: shortened, ...(appImage !== null && { execPath: appImage }) })
    app.exit(0)
  } else if (app.requestSingleInstanceLock()) await run(options)
  else app.quit()
}

const options = readOptions()
// Some launchers are ready before the app is loaded, too late for both switches; every window
// enables the sandbox by itself as well.
if (!app.isReady()) {
  app.enableSandbox()
  if (process.platform === 'linux') {
    // Wayland grants global shortcuts through a portal only.
    app.commandLine.appendSwitch('enable-features', 'GlobalShortcutsPortal')
    void app.whenReady().then(withholdGraphicsDriver())
  }
  if (!options.state.current.usesGraphicsCard) app.disableHardwareAcceleration()
}
// Not awaited: Electron becomes ready only after this module has been evaluated.
void start().catch(failStart)
