import path from 'node:path'
import type Sqlite from 'better-sqlite3'
import { getLoadablePath } from 'sqlite-vec'

/** SQLite opens the library itself, and does not support archives. */
const outsideArchive = (file: string): string =>
  file.replace(`app.asar${path.sep}`, `app.asar.unpacked${path.sep}`)

/**
 * Adds the tables of vectors (sqlite-vec) to a connection. Returns null on success, else the reason
 * as a sentence for users; everything but vectors works without. `library` is for tests.
 */
export function addVectorTables(sqlite: Sqlite.Database, library?: string): string | null {
  try {
    sqlite.loadExtension(library ?? outsideArchive(getLoadablePath()))
    return null
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return `The part of the program that keeps vectors (sqlite-vec) cannot be loaded, so documents are found by their words only: ${reason}`
  }
}
