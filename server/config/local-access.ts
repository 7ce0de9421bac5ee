import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { writeRunFile } from '../lib/write-file-atomically.ts'
import type { Config } from './config.ts'

const fileOf = (config: Pick<Config, 'dataDir'>): string =>
  path.join(config.dataDir, 'local-access.json')

/**
 * Writes the token by which clients of the same OS user on this machine sign in; only the owner can
 * read the file.
 */
export function writeLocalAccess(config: Config, token: string): void {
  writeRunFile(fileOf(config), `${JSON.stringify({ token })}\n`)
}

/** Removes the file at exit. */
export function removeLocalAccess(config: Config): void {
  rmSync(fileOf(config), { force: true })
}

/**
 * Returns the token of the gateway of a data folder; null if there is none or it may not be read.
 */
export function readLocalAccess(dataDir: string): string | null {
  try {
    const { token } = JSON.parse(readFileSync(fileOf({ dataDir }), 'utf8')) as { token?: unknown }
    return typeof token === 'string' ? token : null
  } catch {
    return null
  }
}
