import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root, run } from './run-step.ts'

const packageFolder = path.join(root, 'node_modules/electron')

function binaryIn(folder: string): string | null {
  const name =
    { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[
      process.platform as string
    ] ?? 'electron'
  const file = path.join(folder, name)
  return existsSync(file) ? file : null
}

function downloadedBinary(): string | null {
  const note = path.join(packageFolder, 'path.txt')
  if (!existsSync(note)) return null
  const file = path.join(packageFolder, 'dist', readFileSync(note, 'utf8').trim())
  return existsSync(file) ? file : null
}

/**
 * Finds Electron on this machine: in the folder named by `ELECTRON_OVERRIDE_DIST_PATH`, or
 * downloaded earlier.
 */
export function findElectron(): string | null {
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH']
  return override ? binaryIn(override) : downloadedBinary()
}

/**
 * Finds Electron, or lets its package download it from the official site; resolves with null if
 * that is unreachable.
 */
export async function obtainElectron(): Promise<string | null> {
  const found = findElectron()
  if (found || !existsSync(path.join(packageFolder, 'install.js'))) return found
  console.log('Downloading the desktop runtime (about 120 MB, once) …')
  await run('node', [path.join(packageFolder, 'install.js')], {
    timeout: 600_000,
    stdio: ['ignore', 'inherit', 'ignore'],
  })
  return downloadedBinary()
}

/** Returns the reason no window can be shown on this machine; null if one can. */
export function missingDisplay(): string | null {
  if (process.platform !== 'linux') return null
  if (!process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY']) return 'there is no display'
  return process.getuid?.() === 0 ? 'the window does not run as root' : null
}
