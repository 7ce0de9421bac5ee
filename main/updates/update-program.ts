import type { AppUpdater, CancellationToken, ProgressInfo, UpdateInfo } from 'electron-updater'
import type { Logger } from '../profile/log.ts'
import type { UpdateFeed } from './update-feed.ts'
import { UpdateError } from './update-problem.ts'

/** A version offered by the feed. */
export interface FoundUpdate {
  readonly version: string
  readonly notes: string
  /** Digest of the file for this system, in base64. */
  readonly sha512: string
}

/** Checks for, downloads and verifies new versions. */
export interface UpdateProgram {
  /** Resolves with the newest version; null if this one is the newest. */
  look(): Promise<FoundUpdate | null>
  /** Resolves with the verified file. */
  download(onShare: (share: number) => void, signal: AbortSignal): Promise<string>
  /** Hands over to the system's installer; the app exits after that. */
  install(startsAgain: boolean): void
}

export interface UpdateProgramOptions {
  readonly platform: NodeJS.Platform
  readonly feed: UpdateFeed
  readonly isPackaged: boolean
  readonly log: Logger
}

const LONGEST_NOTES = 20_000
/** Largest download if the feed does not state the size of its file. */
const LARGEST_FILE = 2 * 1024 ** 3
const TAGS = /<[^>]*>/g
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
}

/** Feeds provide notes as text or HTML; only the plain text is shown. */
export function toPlainNotes(notes: UpdateInfo['releaseNotes']): string {
  const text = Array.isArray(notes)
    ? notes.map(({ version, note }) => `${version}\n${note ?? ''}`).join('\n\n')
    : (notes ?? '')
  return text
    .replaceAll(TAGS, '')
    .replaceAll(/&(amp|lt|gt|quot|nbsp);/g, (_, name: string) => ENTITIES[name]!)
    .replaceAll(/[^\P{C}\n\t]/gu, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
    .slice(0, LONGEST_NOTES)
}

async function createUpdater({ platform, feed, isPackaged, log }: UpdateProgramOptions) {
  const library = await import('electron-updater')
  const kinds = { win32: library.NsisUpdater, darwin: library.MacUpdater }
  const Kind = platform === 'win32' || platform === 'darwin' ? kinds[platform] : null
  const updater: AppUpdater = Kind ? new Kind() : new library.AppImageUpdater()
  updater.updateConfigPath = feed.configFile
  updater.forceDevUpdateConfig = !isPackaged
  updater.autoDownload = false
  updater.autoInstallOnAppQuit = false
  updater.allowDowngrade = false
  updater.disableWebInstaller = true
  // Each file is downloaded as a whole; differential downloads are not used.
  updater.disableDifferentialDownload = true
  const write = (level: 'debug' | 'info' | 'warn') => (message: unknown) =>
    log[level]({ message: String(message) }, 'updates')
  updater.logger = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('warn'),
  }
  return { updater, CancellationToken: library.CancellationToken }
}

/** End of the name of the file that the library downloads, and of packages it never downloads. */
const FORMATS = {
  win32: { own: '.exe', others: [] },
  darwin: { own: '.zip', others: ['.pkg', '.dmg'] },
  linux: { own: '.appimage', others: ['.rpm', '.deb', '.pacman'] },
} as const

/**
 * Returns the file of a feed that the library downloads: a feed may list one per architecture, and
 * packages of other formats.
 */
function findOwnFile(
  { files }: UpdateInfo,
  platform: NodeJS.Platform,
): UpdateInfo['files'][number] | undefined {
  const { own, others } =
    platform === 'win32' || platform === 'darwin' ? FORMATS[platform] : FORMATS.linux
  const pathOf = (url: string): string =>
    new URL(url, 'https://feed.invalid').pathname.toLowerCase()
  const fitting = files.filter(({ url }) => pathOf(url).endsWith(own))
  return (
    fitting.find(({ url }) => url.includes(process.arch)) ??
    fitting[0] ??
    files.find(({ url }) => !others.some((end) => pathOf(url).endsWith(end)))
  )
}

/** Reads an offer together with the digest of the file that the library downloads and verifies. */
export function readFound(info: UpdateInfo, platform: NodeJS.Platform): FoundUpdate {
  const { version, releaseNotes } = info
  const sha512 = findOwnFile(info, platform)?.sha512
  if (!sha512)
    throw new UpdateError('unreadable', `The feed names no checksum for version ${version}.`)
  return { version, notes: toPlainNotes(releaseNotes), sha512 }
}

/** The update library, which is loaded with the first check. */
export class ElectronUpdateProgram implements UpdateProgram {
  readonly #options: UpdateProgramOptions
  #loaded: ReturnType<typeof createUpdater> | null = null
  #largest = LARGEST_FILE

  constructor(options: UpdateProgramOptions) {
    this.#options = options
  }

  async look(): Promise<FoundUpdate | null> {
    const { updater } = await this.#load()
    const result = await updater.checkForUpdates()
    if (!result) throw new UpdateError('not-installed', 'This build cannot be updated.')
    const { updateInfo, isUpdateAvailable } = result
    const { platform } = this.#options
    this.#largest = findOwnFile(updateInfo, platform)?.size ?? LARGEST_FILE
    if (isUpdateAvailable) return readFound(updateInfo, platform)
    if (updater.currentVersion.compare(updateInfo.version) > 0)
      throw new UpdateError('older', updateInfo.version)
    return null
  }

  async download(onShare: (share: number) => void, signal: AbortSignal): Promise<string> {
    const loaded = await this.#load()
    const { updater } = loaded
    const token: CancellationToken = new loaded.CancellationToken()
    const cancel = (): void => token.cancel()
    const refusals: UpdateError[] = []
    const tell = ({ percent, total, transferred }: ProgressInfo): void => {
      if (Math.max(total, transferred) <= this.#largest)
        return onShare(Math.min(1, Math.max(0, percent / 100)))
      refusals.push(new UpdateError('checksum', 'The server sends more than was announced.'))
      cancel()
    }
    signal.addEventListener('abort', cancel)
    updater.on('download-progress', tell)
    try {
      const [file] = await updater.downloadUpdate(token)
      if (file === undefined) throw new Error('Nothing was downloaded.')
      return file
    } catch (error) {
      throw refusals[0] ?? error
    } finally {
      signal.removeEventListener('abort', cancel)
      updater.off('download-progress', tell)
    }
  }

  install(startsAgain: boolean): void {
    void this.#loaded?.then(({ updater }) => updater.quitAndInstall(true, startsAgain))
  }

  #load(): ReturnType<typeof createUpdater> {
    return (this.#loaded ??= createUpdater(this.#options))
  }
}
