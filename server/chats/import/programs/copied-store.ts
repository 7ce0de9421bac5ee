import { copyFileSync, lstatSync, mkdtempSync, rmSync, type Stats } from 'node:fs'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { StoreError } from './program.ts'

const LARGEST = 4 * 1024 * 1024 * 1024
const MOST_TRIES = 3

type Row = Record<string, unknown>

function stateOf(file: string): Stats | undefined {
  const state = lstatSync(file, { throwIfNoEntry: false })
  return state?.isFile() === true ? state : undefined
}

const stampOf = (file: string): string => {
  const state = stateOf(file)
  return state ? `${state.size}:${state.mtimeMs}:${state.ino}` : 'none'
}

/** Copies a database and its log, again if its program wrote meanwhile. */
function copy(file: string, target: string): void {
  const log = `${file}-wal`
  for (let attempt = 1; attempt <= MOST_TRIES; attempt += 1) {
    const before = `${stampOf(file)} ${stampOf(log)}`
    copyFileSync(file, target)
    rmSync(`${target}-wal`, { force: true })
    if (stateOf(log)) copyFileSync(log, `${target}-wal`)
    if (before === `${stampOf(file)} ${stampOf(log)}`) return
  }
  throw new StoreError('The other program is writing right now. Close it, and try again.')
}

/**
 * The database of another program, read from a copy: the other program may be running, and a
 * database with a log beside it cannot be read without writing.
 */
export class CopiedStore {
  readonly #folder: string
  readonly #sqlite: Sqlite.Database

  constructor(file: string, room: string) {
    const state = stateOf(file)
    if (!state) throw new StoreError('The data of the program is no longer there.')
    if (state.size > LARGEST)
      throw new StoreError('The database of the program is larger than 4 GB and is not read.')
    this.#folder = mkdtempSync(`${room}-`)
    try {
      const target = path.join(this.#folder, 'store.db')
      copy(file, target)
      this.#sqlite = new Sqlite(target, { fileMustExist: true })
      this.#sqlite.pragma('trusted_schema = off')
    } catch (error) {
      rmSync(this.#folder, { recursive: true, force: true })
      throw error
    }
  }

  /** Returns the names of the columns of a table; empty if it does not exist. */
  columns(table: string): ReadonlySet<string> {
    return new Set(
      this.#sqlite.prepare('select name from pragma_table_info(?)').pluck().all(table) as string[],
    )
  }

  all(sql: string, ...values: unknown[]): Row[] {
    return this.#sqlite.prepare(sql).all(...values) as Row[]
  }

  /** Returns an iterator, because all rows at once may not fit into memory. */
  rows(sql: string, ...values: unknown[]): IterableIterator<Row> {
    return this.#sqlite.prepare(sql).iterate(...values) as IterableIterator<Row>
  }

  count(table: string, where = 'true', ...values: unknown[]): number {
    if (this.columns(table).size === 0) return 0
    return this.#sqlite
      .prepare(`select count(*) from "${table}" where ${where}`)
      .pluck()
      .get(...values) as number
  }

  close(): void {
    this.#sqlite.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** Runs `work` on a copy of a database and deletes the copy. */
export function withCopy(file: string, room: string, work: (store: CopiedStore) => void): void {
  const store = new CopiedStore(file, room)
  try {
    work(store)
  } catch (error) {
    if (error instanceof Sqlite.SqliteError)
      throw new StoreError(
        'The database of the program is damaged or of a version that is not known.',
      )
    throw error
  } finally {
    store.close()
  }
}
