import Sqlite from 'better-sqlite3'

const ALL_PAGES = 0x7fff_ffff

/**
 * Copies a database in use, for backups and snapshots. In one step, so that it is one state,
 * regardless of concurrent writes: if copied in pieces, SQLite would restart after each write of
 * another connection. For threads, because it takes long.
 */
export async function copyInUse(database: string, target: string): Promise<void> {
  const sqlite = new Sqlite(database, { readonly: true, fileMustExist: true, timeout: 5000 })
  try {
    await sqlite.backup(target, { progress: () => ALL_PAGES })
  } finally {
    sqlite.close()
  }
}
