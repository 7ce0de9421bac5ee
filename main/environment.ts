/** What the shell takes from the environment; the rest is handed to the gateway as it is. */
export interface ShellEnvironment {
  readonly dataDir: string | null
  readonly port: number
  readonly logLevel: string
  /** The file an AppImage was started from; what runs is unpacked elsewhere. */
  readonly appImage: string | null
  /** Whether the display is Wayland's, where programs get keys of the whole system by a portal. */
  readonly isWayland: boolean
  /**
   * The environment of the gateway process. Switches that change how Node itself runs are left out.
   */
  readonly forGateway: Readonly<Record<string, string>>
}

const DEFAULT_PORT = 8642
const NOT_INHERITED = new Set([
  'NODE_OPTIONS',
  'NODE_PATH',
  'ELECTRON_RUN_AS_NODE',
  'DATABASE_RECOVERY',
  'PACKAGED_PYTHON',
])

function parsePort(text: string | undefined): number {
  const port = text === undefined || text.trim() === '' ? DEFAULT_PORT : Number(text)
  return Number.isInteger(port) && port >= 0 && port <= 65_535 ? port : DEFAULT_PORT
}

/** The only place of the shell that reads `process.env`. */
export function readEnvironment(source: NodeJS.ProcessEnv = process.env): ShellEnvironment {
  const inherited = Object.entries(source).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !NOT_INHERITED.has(entry[0]),
  )
  return Object.freeze({
    dataDir: source['DATA_DIR'] || null,
    port: parsePort(source['PORT']),
    logLevel: source['LOG_LEVEL'] || 'info',
    appImage: source['APPIMAGE'] || null,
    isWayland: source['XDG_SESSION_TYPE'] === 'wayland' || Boolean(source['WAYLAND_DISPLAY']),
    forGateway: Object.freeze({ ...Object.fromEntries(inherited), DESKTOP_CHANNEL: '1' }),
  })
}
