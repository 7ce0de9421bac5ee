/** Environment variables used by the shell; the rest is passed to the gateway unchanged. */
export interface ShellEnvironment {
  readonly dataDir: string | null
  readonly port: number
  readonly logLevel: string
  /** Path of the AppImage file; the running program is unpacked elsewhere. */
  readonly appImage: string | null
  /** Path of the portable program of Windows; the running program is unpacked elsewhere. */
  readonly portableProgram: string | null
  /** True if the display server is Wayland, where global shortcuts are granted through a portal. */
  readonly isWayland: boolean
  /** Environment of the gateway process, without switches that change how Node itself runs. */
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

/**
 * Keeps GTK, which shows dialogs only, from loading the driver of the graphics card into this
 * process. Must be called before Electron is ready. Returns a function that ends this for programs
 * that are started later.
 */
export function withholdGraphicsDriver(target: NodeJS.ProcessEnv = process.env): () => void {
  if (target['GDK_GL'] !== undefined) return () => undefined
  target['GDK_GL'] = 'disable'
  return () => void delete target['GDK_GL']
}

/** Reads the environment; otherwise the shell's only access to `process.env`. */
export function readEnvironment(source: NodeJS.ProcessEnv = process.env): ShellEnvironment {
  const inherited = Object.entries(source).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !NOT_INHERITED.has(entry[0]),
  )
  return Object.freeze({
    dataDir: source['DATA_DIR'] || null,
    port: parsePort(source['PORT']),
    logLevel: source['LOG_LEVEL'] || 'info',
    appImage: source['APPIMAGE'] || null,
    portableProgram: source['PORTABLE_EXECUTABLE_FILE'] || null,
    isWayland: source['XDG_SESSION_TYPE'] === 'wayland' || Boolean(source['WAYLAND_DISPLAY']),
    forGateway: Object.freeze({ ...Object.fromEntries(inherited), DESKTOP_CHANNEL: '1' }),
  })
}
