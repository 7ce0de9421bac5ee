import type Sqlite from 'better-sqlite3'
import type { Logger } from '../../lib/logger.ts'
import { SLICE_MILLISECONDS } from '../../lib/turns.ts'
import { backUpOnline } from '../backups/back-up-online.ts'
import { Checkpoints } from '../checkpoints/index.ts'
import { FileDeletions } from '../deletions/index.ts'
import { ReadThread } from '../reading/read-thread.ts'
import { Storage, type Pace } from '../storage.ts'
import { Transactions } from '../transactions.ts'
import { connectToRead } from './connect.ts'
import { DatabasePlace } from './database-place.ts'
import { SqliteQuery } from './prepared-query.ts'
import { sqliteDialect } from './sqlite-dialect.ts'

const PACE: Pace = { milliseconds: SLICE_MILLISECONDS, rows: 1, rowsRead: 64, chatsRead: 1 }

/** Options of a storage in a file or in memory. */
export interface SqliteStorageOptions {
  readonly log?: Logger
  /** Refuses statements of an ended transaction; for tests. */
  readonly isStrict?: boolean
}

/** The storage in a SQLite file, or in memory. */
export class SqliteStorage extends Storage {
  readonly engine = 'sqlite'
  readonly pace = PACE
  readonly connections = null
  readonly sqlite: Sqlite.Database
  protected readonly transactions: Transactions
  readonly #log: Logger | undefined
  /** A separate connection, so that it never sees data that may still be rolled back. */
  readonly #reader: Sqlite.Database
  readonly #place: DatabasePlace
  readonly #looks: readonly Sqlite.Statement[]
  readonly #checkpoints: Checkpoints | null
  readonly #thread: ReadThread | null
  #deletions: FileDeletions | undefined

  /** `sqlite` has a schema that is up to date. */
  constructor(sqlite: Sqlite.Database, { log, isStrict = false }: SqliteStorageOptions) {
    super(sqliteDialect)
    const { memory, name } = sqlite
    const { writeTurns } = this
    this.sqlite = sqlite
    this.#log = log
    this.#place = new DatabasePlace(sqlite)
    this.#reader = memory ? sqlite : connectToRead(name)
    this.#looks = [sqlite, this.#reader].map((connection) =>
      connection.prepare('select 1 from sqlite_schema limit 1'),
    )
    this.#checkpoints = memory ? null : new Checkpoints({ sqlite, writeTurns, log })
    this.#thread = memory ? null : new ReadThread(name)
    this.transactions = new Transactions({
      writer: sqlite,
      reader: this.#reader,
      turns: writeTurns,
      onWrite: () => this.#checkpoints?.noteWrite(),
      isStrict,
    })
  }

  get isOpen(): boolean {
    return this.sqlite.open
  }

  /** Created on first use, because tests open databases with an older schema. */
  get deletions(): FileDeletions {
    return (this.#deletions ??= new FileDeletions(this, this.#log))
  }

  prepare<Values extends unknown[], Row>(sql: string): SqliteQuery<Values, Row> {
    return new SqliteQuery({ transactions: this.transactions, thread: this.#thread }, sql)
  }

  onOthersChange(): void {}

  get isGone(): boolean {
    return this.#place.isEmpty
  }

  ping(): void {
    this.#place.check()
    for (const look of this.#looks) look.get()
  }

  backup(target: string): Promise<void> {
    return backUpOnline(this.sqlite, target)
  }

  close(): void {
    if (!this.isOpen) return
    this.#checkpoints?.close()
    void this.#thread?.close()
    this.#reader.close()
    if (this.isGone) {
      this.#log?.error('the file of the database is gone; it is written again')
      this.#place.fill()
    }
    this.sqlite.close()
  }
}
