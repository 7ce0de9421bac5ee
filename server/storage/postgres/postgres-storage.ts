import type Sqlite from 'better-sqlite3'
import type { Logger } from '../../lib/logger.ts'
import { onlyOnSqlite } from '../only-on-sqlite.ts'
import { Storage, type ConnectionCounts, type Pace } from '../storage.ts'
import type { GatewayLock } from './gateway-lock.ts'
import type { FollowChanges, OthersChanges } from './others-changes.ts'
import { numberPlaces } from './placeholders.ts'
import { PostgresDeletions } from './postgres-deletions.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { PostgresQuery } from './postgres-query.ts'
import { PostgresTransactions, type Connections } from './postgres-transactions.ts'
import type { ToldTable } from './told-tables.ts'

const PACE: Pace = { milliseconds: 100, rows: 25, rowsRead: 500, chatsRead: 64 }

/** Dependencies of a PostgreSQL storage. */
export interface PostgresStorageOptions {
  readonly log?: Logger
  /** Refuses statements of an ended transaction; for tests. */
  readonly isStrict?: boolean
  /** Reports when another gateway uses the database. */
  readonly lock?: GatewayLock | null
  /** Changes by other gateways on the database; null if there are none. */
  readonly changes?: OthersChanges | null
}

/** The storage in a PostgreSQL database. */
export class PostgresStorage extends Storage {
  readonly engine = 'postgres'
  readonly isGone = false
  readonly pace = PACE
  readonly deletions: PostgresDeletions
  protected readonly transactions: PostgresTransactions
  readonly #pool: Connections
  readonly #log: Logger | undefined
  readonly #lock: GatewayLock | null
  readonly #changes: OthersChanges | null
  /** Names of statements that a connection keeps prepared, by their texts, which are few. */
  readonly #names = new Map<string, string>()
  #isOpen = true

  /** `pool` leads to a database whose schema is up to date. */
  constructor(
    pool: Connections,
    { log, isStrict = false, lock = null, changes = null }: PostgresStorageOptions = {},
  ) {
    super(postgresDialect)
    this.#pool = pool
    this.#log = log
    this.#lock = lock
    this.#changes = changes
    this.transactions = new PostgresTransactions(pool, { isStrict, lock })
    this.deletions = new PostgresDeletions(this, log)
  }

  get sqlite(): Sqlite.Database {
    throw onlyOnSqlite()
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  get connections(): ConnectionCounts {
    const { totalCount: total, idleCount: idle, waitingCount: waiting } = this.#pool
    return { used: total - idle, idle, waiting }
  }

  prepare<Values extends unknown[], Row>(sql: string): PostgresQuery<Values, Row> {
    const name = this.#names.get(sql) ?? `s${this.#names.size + 1}`
    this.#names.set(sql, name)
    return new PostgresQuery(this.transactions, { ...numberPlaces(sql), name })
  }

  protected override statement<Row>(text: string): PostgresQuery<unknown[], Row> {
    return new PostgresQuery(this.transactions, { text, names: null })
  }

  onOthersChange(tables: readonly ToldTable[], follow: FollowChanges): void {
    this.#changes?.follow(tables, follow)
  }

  async ping(): Promise<void> {
    await this.#pool.query('select 1')
  }

  async backup(): Promise<void> {
    throw onlyOnSqlite('Make backups with pg_dump.', 'backup_elsewhere')
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    void this.#lock?.close()
    void this.#changes?.close()
    this.#pool
      .end()
      .catch((error: unknown) =>
        this.#log?.warn({ error }, 'connections to the database were closed'),
      )
  }
}
