import Sqlite from 'better-sqlite3'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { StartError } from '../config/start-error.ts'
import { toStartError } from './errors.ts'

export const DATABASE_NAME = 'chat-gateway.db'

/** Data folder owned by this process until `release`. */
export interface DataDirectory {
  readonly path: string
  readonly databaseFile: string
  release(): void
}

/**
 * Several instances started at once need a few tries until one has the lock; the others fail after
 * this time.
 */
const LOCK_WAIT_MILLISECONDS = 500

/**
 * Creates a folder and the missing ones above it.
 * @NOTE One by one, because Node's `recursive` never returns where the system allows no folders,
 *   such as below `/proc`.
 */
function createLevels(folder: string): void {
  if (existsSync(folder)) return
  createLevels(path.dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another instance may have created it meanwhile.
    if (!existsSync(folder)) throw error
  }
}

function createFolder(folder: string): void {
  try {
    createLevels(path.resolve(folder))
    // Refuses a file of that name.
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new StartError(
      `The data folder ${folder} cannot be made. Check the permissions, or choose another one with DATA_DIR.`,
      {
        reason: 'read-only',
        cause,
      },
    )
  }
}

function describeHolder(processFile: string): string {
  const isThere = statSync(processFile, { throwIfNoEntry: false })?.isFile()
  const text = isThere ? readFileSync(processFile, 'utf8').trim() : ''
  return /^\d+$/.test(text) ? `process ${text}` : 'another process'
}

/**
 * Node has no file locks, but SQLite does: the system releases them with the process, so a kill
 * leaves nothing behind.
 */
function lock(folder: string, processFile: string): Sqlite.Database {
  const file = path.join(folder, 'gateway.lock')
  let sqlite: Sqlite.Database | undefined
  try {
    sqlite = new Sqlite(file, { timeout: LOCK_WAIT_MILLISECONDS })
    sqlite.pragma('journal_mode = MEMORY')
    sqlite.exec('begin exclusive')
    return sqlite
  } catch (error) {
    sqlite?.close()
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'SQLITE_NOTADB')
      throw new StartError(
        `${file} is not the lock of a Chat Gateway. Remove it and start again.`,
        { cause: error },
      )
    if (!code.startsWith('SQLITE_BUSY')) throw toStartError(error, file)
    const holder = describeHolder(processFile)
    throw new StartError(
      `A Chat Gateway already uses the data folder ${folder} (${holder}). Use that one, or stop it first.`,
      {
        reason: 'locked',
        exitCode: 5,
        cause: error,
      },
    )
  }
}

/**
 * Creates the data folder if needed and locks it; a second instance gets a `StartError` that names
 * the holder.
 */
export function openDataDirectory(folder: string): DataDirectory {
  createFolder(folder)
  const processFile = path.join(folder, 'gateway.pid')
  const held = lock(folder, processFile)
  try {
    writeFileSync(processFile, `${process.pid}\n`, { mode: 0o600 })
  } catch (error) {
    held.close()
    throw toStartError(error, processFile)
  }
  return {
    path: folder,
    databaseFile: path.join(folder, DATABASE_NAME),
    release() {
      rmSync(processFile, { force: true })
      held.close()
    },
  }
}
