import { homedir } from 'node:os'
import path from 'node:path'
import type { Environment } from './env.ts'

/**
 * Returns the folder for compiled code between starts: the user's cache folder, never the data
 * folder, which contains nothing that is ever executed. `NODE_DISABLE_COMPILE_CACHE` disables it as
 * usual.
 */
export function compileCacheFolder(environment: Environment): string | null {
  if (environment.NODE_DISABLE_COMPILE_CACHE) return null
  const base =
    process.platform === 'win32'
      ? environment.LOCALAPPDATA
      : process.platform === 'darwin'
        ? path.join(homedir(), 'Library', 'Caches')
        : environment.XDG_CACHE_HOME || path.join(homedir(), '.cache')
  return base ? path.join(base, 'chat-gateway', 'compiled') : null
}
