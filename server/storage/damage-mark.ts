import { readFileSync, rmSync } from 'node:fs'
import { writeFileAtomically } from '../lib/write-file-atomically.ts'
import { sizeOf } from './inspect-file.ts'

/**
 * The file that remembers a fault found while running, because the next start only looks at the
 * surface.
 */
export const damageMarkOf = (database: string): string => `${database}.damaged`

/** Notes a fault for the next start. */
export const markDamaged = (database: string, fault: string): void =>
  writeFileAtomically(damageMarkOf(database), fault)

/** The fault that was noted, or null. */
export function readDamageMark(database: string): string | null {
  return sizeOf(damageMarkOf(database)) === null
    ? null
    : readFileSync(damageMarkOf(database), 'utf8')
}

/** Forgets the fault after the file was found sound again. */
export const removeDamageMark = (database: string): void =>
  rmSync(damageMarkOf(database), { force: true })
