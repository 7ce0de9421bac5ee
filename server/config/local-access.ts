import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { writeRunFile } from '../lib/write-file-atomically.ts'
import type { Config } from './config.ts'

const fileOf = (config: Pick<Config, 'dataDir'>): string =>
  path.join(config.dataDir, 'local-access.json')

/**
 * Lets programs of the same person on this machine sign in; the file is readable by its owner only.
 */
export function writeLocalAccess(config: Config, token: string): void {
  writeRunFile(fileOf(config), `${JSON.stringify({ token })}\n`)
}

/** Removes the file at exit. */
export function removeLocalAccess(config: Config): void {
  rmSync(fileOf(config), { force: true })
}

/** The token of the gateway of a data folder; null when there is none or it may not be read. */
export function readLocalAccess(dataDir: string): string | null {
  try {
    const { token } = JSON.parse(readFileSync(fileOf({ dataDir }), 'utf8')) as { token?: unknown }
    return typeof token === 'string' ? token : null
  } catch {
    return null
  }
}
