import { existsSync, renameSync, rmSync } from 'node:fs'
import type Sqlite from 'better-sqlite3'
import { StartError } from '../../config/start-error.ts'
import { openDataDirectory, type DataDirectory } from '../data-directory.ts'
import { openStorage } from '../index.ts'
import { sqliteDialect } from '../sqlite/sqlite-dialect.ts'
import type { Storage } from '../storage.ts'
import {
  inGroups,
  SET_GENERATION,
  type Counters,
  type DataSource,
  type DataTarget,
  type Row,
  type WordsToIndex,
} from './end.ts'
import type { MovedTable } from './tables.ts'

const named = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')
const places = (names: readonly string[]): string => names.map(() => '?').join(', ')

/** The database in the folder of a gateway that is not running. */
export class SqliteSource implements DataSource {
  readonly #folder: DataDirectory
  readonly #storage: Storage

  constructor(path: string) {
    this.#folder = openDataDirectory(path)
    try {
      if (!existsSync(this.#folder.databaseFile))
        throw new StartError(`There is no database in ${path}. Name the folder with --data-dir.`)
      this.#storage = openStorage({ path: this.#folder.databaseFile })
    } catch (error) {
      this.#folder.release()
      throw error
    }
  }

  query(text: string): AsyncIterable<Row[]> {
    return readFrom(this.#storage.sqlite, text)
  }

  counters(): Promise<Counters> {
    const rows = this.#storage.sqlite.prepare('select name, seq from sqlite_sequence').raw().all()
    return Promise.resolve(new Map(rows as [string, number][]))
  }

  close(): Promise<void> {
    this.#storage.close()
    this.#folder.release()
    return Promise.resolve()
  }
}

async function* readFrom(sqlite: Sqlite.Database, text: string): AsyncGenerator<Row[]> {
  // Another statement of the same connection may write meanwhile, so groups are complete arrays.
  yield* inGroups(sqlite.prepare(text).raw().iterate() as Iterable<Row>)
}

/** A new database in a folder that has none; it gets its name when it is complete. */
export class SqliteTarget implements DataTarget {
  readonly #folder: DataDirectory
  readonly #file: string
  readonly #storage: Storage
  readonly #sqlite: Sqlite.Database
  readonly #triggers: readonly string[]

  constructor(path: string) {
    this.#folder = openDataDirectory(path)
    this.#file = `${this.#folder.databaseFile}.moving`
    try {
      if (existsSync(this.#folder.databaseFile))
        throw new StartError(`${path} holds a database already. Name an empty folder.`)
      this.#removeFiles()
      this.#storage = openStorage({ path: this.#file })
    } catch (error) {
      this.#folder.release()
      throw error
    }
    this.#sqlite = this.#storage.sqlite
    this.#sqlite.pragma('foreign_keys = off')
    this.#triggers = this.#removeTriggers()
    this.#sqlite.exec('begin')
  }

  query(text: string): AsyncIterable<Row[]> {
    return readFrom(this.#sqlite, text)
  }

  write({ name, columns }: MovedTable, rows: readonly Row[]): Promise<void> {
    const insert = this.#sqlite.prepare(
      `insert into "${name}" (${named(columns)}) values (${places(columns)})`,
    )
    for (const row of rows) insert.run(row)
    return Promise.resolve()
  }

  writeWords({ index, columns, rows }: WordsToIndex): Promise<void> {
    const values = `values (?, ${places(columns)})`
    const put = this.#sqlite.prepare(sqliteDialect.putWords({ index, columns, rows: values }))
    for (const row of rows) put.run(row)
    return Promise.resolve()
  }

  keep(counters: Counters): Promise<void> {
    const sqlite = this.#sqlite
    const isCounted = sqlite
      .prepare("select 1 from sqlite_schema where name = ? and sql like '%autoincrement%'")
      .pluck()
    const forget = sqlite.prepare('delete from sqlite_sequence where name = ?')
    const count = sqlite.prepare('insert into sqlite_sequence (name, seq) values (?, ?)')
    for (const [table, number] of counters) {
      if (isCounted.get(table) === undefined) continue
      forget.run(table)
      count.run(table, number)
    }
    sqlite.exec(SET_GENERATION)
    for (const trigger of this.#triggers) sqlite.exec(trigger)
    const lost = sqlite.pragma('foreign_key_check') as readonly { table: string }[]
    if (lost.length > 0)
      throw new Error(
        `${lost.length} rows refer to what is not there, the first in ${lost[0]!.table}.`,
      )
    sqlite.exec('commit')
    sqlite.pragma('wal_checkpoint(truncate)')
    this.#storage.close()
    renameSync(this.#file, this.#folder.databaseFile)
    return Promise.resolve()
  }

  close(): Promise<void> {
    if (this.#storage.isOpen) this.#storage.close()
    this.#removeFiles()
    this.#folder.release()
    return Promise.resolve()
  }

  /** The triggers would repeat changes that are copied anyway. */
  #removeTriggers(): string[] {
    const triggers = this.#sqlite
      .prepare<[], { name: string; sql: string }>(
        "select name, sql from sqlite_schema where type = 'trigger'",
      )
      .all()
    for (const { name } of triggers) this.#sqlite.exec(`drop trigger "${name}"`)
    return triggers.map(({ sql }) => sql)
  }

  #removeFiles(): void {
    for (const ending of ['', '-wal', '-shm']) rmSync(`${this.#file}${ending}`, { force: true })
  }
}
