import path from 'node:path'
import type { Environment } from './env.ts'

/**
 * The machine's facts the location depends on; a parameter so that every system's rule can be
 * tested anywhere.
 */
export interface Machine {
  readonly platform: NodeJS.Platform
  readonly homeFolder: string
}

/**
 * Where a person's data lives by the custom of the system, when `DATA_DIR` names no other place.
 */
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

/** Where the desktop app keeps its data: below the folder its window stores its own things in. */
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
 * Where gateways of the account keep secrets, wherever the data of this one lies: both usual data
 * folders, the desktop app's with its profile, and the files of the keychains. Empty where plugins
 * cannot be kept out of folders.
 */
export function secretFolders(environment: Environment, machine: Machine): readonly string[] {
  if (machine.platform !== 'linux') return []
  const data = defaultDataFolder(environment, machine)
  const keychains = ['keyrings', 'kwalletd'].map((name) =>
    path.posix.join(path.posix.dirname(data), name),
  )
  return [data, path.posix.dirname(desktopDataFolder(environment, machine)), ...keychains]
}
