import Sqlite from 'better-sqlite3'

const LARGEST_LOG_BYTES = 64 * 1024 * 1024

/**
 * Opens a connection that never loses an acknowledged write: write-ahead log, synced at every
 * commit.
 */
export function connect(path: string): Sqlite.Database {
  const sqlite = new Sqlite(path, { timeout: 5000 })
  try {
    sqlite.pragma('journal_mode = WAL')
    sqlite.pragma('synchronous = FULL')
    sqlite.pragma('foreign_keys = ON')
    sqlite.pragma('trusted_schema = OFF')
    sqlite.pragma('cell_size_check = ON')
    sqlite.pragma('temp_store = MEMORY')
    sqlite.pragma(`journal_size_limit = ${LARGEST_LOG_BYTES}`)
    if (process.platform === 'darwin') {
      sqlite.pragma('fullfsync = ON')
      sqlite.pragma('checkpoint_fullfsync = ON')
    }
  } catch (error) {
    sqlite.close()
    throw error
  }
  return sqlite
}

/** Opens a connection that only reads a database that is open for writing. */
export function connectToRead(path: string): Sqlite.Database {
  const sqlite = new Sqlite(path, { readonly: true, fileMustExist: true, timeout: 5000 })
  try {
    sqlite.pragma('trusted_schema = OFF')
    sqlite.pragma('cell_size_check = ON')
    sqlite.pragma('temp_store = MEMORY')
  } catch (error) {
    sqlite.close()
    throw error
  }
  return sqlite
}
