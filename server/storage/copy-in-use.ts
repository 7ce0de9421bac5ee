import Sqlite from 'better-sqlite3'

const ALL_PAGES = 0x7fff_ffff

/**
 * Copies a database that is in use, for backups and snapshots alike. In one go, so that it is one
 * state, however much others write meanwhile: copied in pieces, SQLite would begin anew after each
 * write of another connection. For threads, as it takes long.
 */
export async function copyInUse(database: string, target: string): Promise<void> {
  const sqlite = new Sqlite(database, { readonly: true, fileMustExist: true, timeout: 5000 })
  try {
    await sqlite.backup(target, { progress: () => ALL_PAGES })
  } finally {
    sqlite.close()
  }
}
