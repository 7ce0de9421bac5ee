import path from 'node:path'
import type { Environment } from './env.ts'

/**
 * Facts about the machine that the location depends on; a parameter so that every system's rule can
 * be tested anywhere.
 */
export interface Machine {
  readonly platform: NodeJS.Platform
  readonly homeFolder: string
}

/** Returns the system's usual folder for user data, if `DATA_DIR` is not set. */
export function defaultDataFolder(
  environment: Environment,
  { platform, homeFolder }: Machine,
): string {
  if (platform === 'darwin')
    return path.posix.join(homeFolder, 'Library', 'Application Support', 'Chat Gateway')
  if (platform === 'win32') {
    return path.win32.join(
      environment.APPDATA || path.win32.join(homeFolder, 'AppData', 'Roaming'),
      'Chat Gateway',
    )
  }
  const shared = environment.XDG_DATA_HOME
  const base =
    shared && path.posix.isAbsolute(shared)
      ? shared
      : path.posix.join(homeFolder, '.local', 'share')
  return path.posix.join(base, 'chat-gateway')
}

/**
 * Returns the data folder of the desktop app: below the folder where its window stores its data.
 */
export function desktopDataFolder(
  environment: Environment,
  { platform, homeFolder }: Machine,
): string {
  if (platform === 'darwin')
    return path.posix.join(homeFolder, 'Library', 'Application Support', 'Chat Gateway', 'data')
  if (platform === 'win32') {
    return path.win32.join(
      environment.APPDATA || path.win32.join(homeFolder, 'AppData', 'Roaming'),
      'Chat Gateway',
      'data',
    )
  }
  return path.posix.join(
    environment.XDG_CONFIG_HOME || path.posix.join(homeFolder, '.config'),
    'Chat Gateway',
    'data',
  )
}

/**
 * Returns the folders where gateways of the account keep secrets, wherever the data of this one is
 * located: both usual data folders, the desktop app's with its profile, and the files of the
 * keychains. Empty if plugins cannot be kept out of folders.
 */
export function secretFolders(environment: Environment, machine: Machine): readonly string[] {
  if (machine.platform !== 'linux') return []
  const data = defaultDataFolder(environment, machine)
  const keychains = ['keyrings', 'kwalletd'].map((name) =>
    path.posix.join(path.posix.dirname(data), name),
  )
  return [data, path.posix.dirname(desktopDataFolder(environment, machine)), ...keychains]
}
