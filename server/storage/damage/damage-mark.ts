import { readFileSync, rmSync } from 'node:fs'
import { writeFileAtomically } from '../../lib/write-file-atomically.ts'
import { sizeOf } from './inspect-file.ts'

/**
 * Returns the file that records a fault found while running, because the next start only checks the
 * surface.
 */
export const damageMarkOf = (database: string): string => `${database}.damaged`

/** Records a fault for the next start. */
export const markDamaged = (database: string, fault: string): void =>
  writeFileAtomically(damageMarkOf(database), fault)

/** Returns the recorded fault, or null. */
export function readDamageMark(database: string): string | null {
  return sizeOf(damageMarkOf(database)) === null
    ? null
    : readFileSync(damageMarkOf(database), 'utf8')
}

/** Removes the recorded fault after the file was found sound again. */
export const removeDamageMark = (database: string): void =>
  rmSync(damageMarkOf(database), { force: true })
