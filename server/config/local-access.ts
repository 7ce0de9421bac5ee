import { rmSync } from 'node:fs'
import path from 'node:path'
import { writeFileAtomically } from '../lib/write-file-atomically.ts'
import type { Config } from './config.ts'

const fileOf = (config: Config): string => path.join(config.dataDir, 'local-access.json')

/** Lets programs of the same person on this machine sign in; the file is readable by its owner only. */
export function writeLocalAccess(config: Config, token: string): void {
  writeFileAtomically(fileOf(config), `${JSON.stringify({ token })}\n`)
}

/** Removes the file at exit. */
export function removeLocalAccess(config: Config): void {
  rmSync(fileOf(config), { force: true })
}
