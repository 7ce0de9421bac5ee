import type { CompiledQuery } from 'kysely'
import type { Logger } from '../../lib/logger.ts'
import { onlyOnSqlite } from '../only-on-sqlite.ts'
import { createBuilder, createRowStatements, toCount, type Pace, type Storage } from '../storage.ts'
import { createWriteTurns } from '../sqlite/write-turns.ts'
import type { OthersChanges } from './others-changes.ts'
import { PostgresDeletions } from './postgres-deletions.ts'
import { PostgresQuery } from './postgres-query.ts'
import { PostgresTransactions, type Connections } from './postgres-transactions.ts'
import type { GatewayLock } from './gateway-lock.ts'
import { numberPlaces } from './placeholders.ts'
import { postgresDialect } from './postgres-dialect.ts'

const PACE: Pace = { milliseconds: 100, rows: 25, rowsRead: 500, chatsRead: 64 }

/** Names of statements that a connection keeps prepared, one for each text; they are few. */
class StatementNames {
  readonly #names = new Map<string, string>()

  get(sql: string): string {
    const name = this.#names.get(sql) ?? `s${this.#names.size + 1}`
    this.#names.set(sql, name)
    return name
  }
}

/** Dependencies of a PostgreSQL storage. */
export interface PostgresParts {
  readonly pool: Connections
  readonly log?: Logger | undefined
  readonly isStrict?: boolean | undefined
  /** Reports when another gateway uses the database. */
  readonly lock?: GatewayLock | null
  /** Changes by other gateways on the database; null if there are none. */
  readonly changes?: OthersChanges | null
}

/** Creates the storage on a pool of connections whose schema is up to date. */
export function createPostgresStorage({
  pool,
  log,
  isStrict = false,
  lock = null,
  changes = null,
}: PostgresParts): Storage {
  const names = new StatementNames()
  const transactions = new PostgresTransactions(pool, { isStrict, lock })
  let isOpen = true
  let deletions: PostgresDeletions | undefined

  const once = <Row>({ sql, parameters }: CompiledQuery<Row>) => ({
    query: new PostgresQuery<unknown[], Row>(transactions, { text: sql, names: null }),
    parameters,
  })
  const all: Storage['all'] = (built) => {
    const { query, parameters } = once(built.compile())
    return query.all(...parameters)
  }
  const builder = createBuilder(postgresDialect)
  const storage: Storage = {
    builder,
    ...createRowStatements(builder, {
      get: (query) => storage.get(query),
      run: (query) => storage.run(query),
    }),
    engine: 'postgres',
    dialect: postgresDialect,
    get sqlite(): never {
      throw onlyOnSqlite()
    },
    get isOpen() {
      return isOpen
    },
    all,
    allBeside: all,
    get: async (built) => (await all(built))[0],
    count: async (query) => (await storage.get(toCount(query)))!.count,
    async run(built) {
      const { query, parameters } = once(built.compile())
      return (await query.run(...parameters)).changes
    },
    prepare: (sql) =>
      new PostgresQuery(transactions, { ...numberPlaces(sql), name: names.get(sql) }),
    transaction: (work) => transactions.run(work),
    pace: PACE,
    get inTransaction() {
      return transactions.current() !== undefined
    },
    afterCommit(work) {
      const unit = transactions.current()
      if (unit) unit.afterCommit(work)
      else work()
    },
    writeTurns: createWriteTurns(),
    get deletions() {
      return (deletions ??= new PostgresDeletions(storage, log))
    },
    onOthersChange: (tables, follow) => changes?.follow(tables, follow),
    isGone: false,
    ping: async () => void (await pool.query('select 1')),
    get connections() {
      const { totalCount: total, idleCount: idle, waitingCount: waiting } = pool
      return { used: total - idle, idle, waiting }
    },
    async backup() {
      throw onlyOnSqlite('Make backups with pg_dump.', 'backup_elsewhere')
    },
    close() {
      if (!isOpen) return
      isOpen = false
      void lock?.close()
      void changes?.close()
      pool
        .end()
        .catch((error: unknown) => log?.warn({ error }, 'connections to the database were closed'))
    },
  }
  return storage
}
