import { existsSync } from 'node:fs'
import path from 'node:path'

/**
 * Where the parts of the app lie, seen from the built entry `out/main/index.js`, inside and outside
 * of an archive.
 */
export function toAppPaths(mainFolder: string) {
  const root = path.resolve(mainFolder, '../..')
  return {
    root,
    preload: path.join(root, 'out/preload/bridge.cjs'),
    server: path.join(root, 'out/server/index.js'),
    /** The Python of plugins, beside the archive of the packaged app. */
    python: path.join(path.dirname(root), 'python'),
    icon: path.join(root, 'resources/icons/icon-256.png'),
    tray: path.join(
      root,
      'resources/icons',
      process.platform === 'darwin' ? 'trayTemplate.png' : 'tray.png',
    ),
  }
}

/** A file of this name beside the program keeps everything the app writes there too. */
const PORTABLE_MARK = 'chat-gateway.portable'

/**
 * The profile beside the program, when the mark lies there; null otherwise. `program` is what a
 * person sees as the app: the AppImage, the bundle of macOS, else the executable.
 */
export function findPortableProfile(program: string): string | null {
  const bundle = program.indexOf('.app/Contents/')
  const folder = path.dirname(bundle === -1 ? program : program.slice(0, bundle))
  return existsSync(path.join(folder, PORTABLE_MARK))
    ? path.join(folder, 'chat-gateway-data')
    : null
}

/** The files of one profile. */
export function toProfilePaths(profile: string, dataDir: string | null) {
  return {
    /**
     * Holds the root key where there is no keychain, and cookies of the window. The gateway keeps
     * plugins out of it.
     */
    folder: path.resolve(profile),
    data: path.resolve(dataDir ?? path.join(profile, 'data')),
    state: path.join(profile, 'shell.json'),
    rootKeyRecord: path.join(profile, 'root-key.json'),
    rootKeyFile: path.join(profile, 'root-key'),
    logs: path.join(profile, 'logs'),
    updateMark: path.join(profile, 'update.json'),
  }
}

export type AppPaths = ReturnType<typeof toAppPaths>
export type ProfilePaths = ReturnType<typeof toProfilePaths>
