import { lstatSync } from 'node:fs'
import path from 'node:path'

/**
 * Returns the paths of the app's parts relative to the built entry point `out/main/index.js`,
 * inside and outside of an archive.
 */
export function toAppPaths(mainFolder: string) {
  const root = path.resolve(mainFolder, '../..')
  return {
    root,
    preload: path.join(root, 'out/preload/bridge.cjs'),
    server: path.join(root, 'out/server/index.js'),
    /** Python for plugins, beside the archive of the packaged app. */
    python: path.join(path.dirname(root), 'python'),
    icon: path.join(root, 'resources/icons/icon-256.png'),
    tray: path.join(
      root,
      'resources/icons',
      process.platform === 'darwin' ? 'trayTemplate.png' : 'tray.png',
    ),
  }
}

/** Name of a file that, located beside the program, makes the app store all its data there. */
const PORTABLE_MARK = 'chat-gateway.portable'

const ROOT = 0

/**
 * Returns the profile beside the program if the mark exists there; null otherwise. `program` is the
 * app as the user sees it: the AppImage, the macOS bundle, or else the executable.
 *
 * A mark or a profile of another account is ignored: in a folder that others can write to, they could
 * have the app open data they have prepared, with a key they know. Windows has no such number of an
 * account, and keeps others from folders of users by itself.
 */
export function findPortableProfile(program: string, account = process.getuid?.()): string | null {
  const bundle = program.indexOf('.app/Contents/')
  const folder = path.dirname(bundle === -1 ? program : program.slice(0, bundle))
  const profile = path.join(folder, 'chat-gateway-data')
  const ownerOf = (file: string) => lstatSync(file, { throwIfNoEntry: false })?.uid
  const owner = ownerOf(path.join(folder, PORTABLE_MARK))
  if (owner === undefined) return null
  const isTrusted = (uid: number): boolean =>
    account === undefined || uid === account || uid === ROOT
  return isTrusted(owner) && isTrusted(ownerOf(profile) ?? owner) ? profile : null
}

/** Returns the file paths of one profile. */
export function toProfilePaths(profile: string, dataDir: string | null) {
  return {
    /**
     * Contains the root key if there is no keychain, and the window's cookies. The gateway denies
     * plugins access to it.
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
