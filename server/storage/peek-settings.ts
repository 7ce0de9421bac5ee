import { existsSync } from 'node:fs'
import { connectToRead } from './sqlite/connect.ts'

/**
 * Returns the stored settings, in raw form, of a database that is not open yet; empty if it cannot
 * be read. Changes nothing.
 */
export function peekSettings(databaseFile: string): ReadonlyMap<string, string> {
  if (!existsSync(databaseFile)) return new Map()
  try {
    const sqlite = connectToRead(databaseFile)
    try {
      const rows = sqlite.prepare('select key, value from setting').all()
      return new Map((rows as { key: string; value: string }[]).map((row) => [row.key, row.value]))
    } finally {
      sqlite.close()
    }
  } catch {
    // The start itself checks a database that is damaged or of another version.
    return new Map()
  }
}
