import { existsSync } from 'node:fs'
import { connectToRead } from './connect.ts'

/**
 * What is stored in the table of settings, as it is written there, of a database nobody has opened
 * yet; nothing where it cannot be read. Nothing is changed by it.
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
    // A database that is damaged or of another version is looked at by the start itself.
    return new Map()
  }
}
