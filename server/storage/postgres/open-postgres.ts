import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, ClientConfig, CustomTypesConfig, Pool } from 'pg'
import { StartError } from '../../config/start-error.ts'
import type { Logger } from '../../lib/logger.ts'
import { because, type Purpose } from '../../lib/outgoing/purpose.ts'
import { migrations as allMigrations } from '../migrations/all.ts'
import type { Migration } from '../migrations/migration.ts'
import type { Storage } from '../storage.ts'
import { isPassing, toPostgresStartError } from './explain-failure.ts'
import { GatewayLock, type Sharing } from './gateway-lock.ts'
import { migratePostgres } from './migrate-postgres.ts'
import { OthersChanges } from './others-changes.ts'
import { createPostgresStorage } from './postgres-storage.ts'

/** Options for opening a PostgreSQL database. */
export interface PostgresOptions {
  /** `postgres://account:password@host:port/database`. */
  readonly address: string
  /** The steps of the schema; all of the program's own except in tests. */
  readonly migrations?: readonly Migration[]
  readonly log?: Logger | undefined
  /** Refuses statements of an ended transaction; for tests. */
  readonly isStrict?: boolean
  /**
   * Lock mode that excludes gateways which cannot share the database; without it, as for reading
   * only, nothing is locked.
   */
  readonly sharing?: Sharing
  /** Name of this gateway among those that share the database. */
  readonly name?: string
  /** Time for which an unreachable server is retried. */
  readonly patience?: number
}

const PATIENCE_MILLISECONDS = 20_000
const PAUSE_MILLISECONDS = 500
const CONNECT_MILLISECONDS = 5000
const MOST_CONNECTIONS = 20
/** Time limit for a statement; after it the statement is abandoned, with its connection. */
const STATEMENT_MILLISECONDS = 10_000

/** Types whose values are converted to numbers like SQLite's, including booleans. */
const NUMBERS: Readonly<Record<number, (text: string) => number>> = {
  16: (text) => Number(text === 't'),
  20: Number,
  1700: Number,
}

/** Loads the library only if it is used; it is not bundled with the desktop app. */
const loadLibrary = async () => {
  try {
    return (await import('pg')).default
  } catch (cause) {
    throw new StartError(
      'The desktop app does not carry what PostgreSQL needs. Leave DATABASE_URL empty, or start the gateway without a window.',
      { cause },
    )
  }
}

type Library = Awaited<ReturnType<typeof loadLibrary>>

const PURPOSE: Purpose = { kind: 'shared_store', name: 'PostgreSQL' }

/**
 * Returns a client for the pool whose connections have the purpose of the database, whichever call
 * they are opened for.
 */
const withPurpose = ({ Client: Plain }: Library): typeof Client =>
  class extends Plain {
    override connect(): Promise<Client>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<Client> | void {
      return because(PURPOSE, () => (callback ? super.connect(callback) : super.connect()))
    }
  }

const readTypes = ({ types }: Library): CustomTypesConfig => ({
  getTypeParser: ((id: number, format?: 'text' | 'binary') =>
    NUMBERS[id] ?? types.getTypeParser(id, format as 'text')) as CustomTypesConfig['getTypeParser'],
})

const toPlainConfig = (address: string, name?: string): ClientConfig => ({
  connectionString: address,
  connectionTimeoutMillis: CONNECT_MILLISECONDS,
  application_name: toApplicationName(name),
})

/**
 * Returns the application name by which other users of the database identify the connections of a
 * gateway.
 */
const toApplicationName = (name?: string): string =>
  name === undefined ? 'chat-gateway' : `chat-gateway ${name}`

const toClientConfig = (library: Library, address: string, name?: string): ClientConfig => ({
  ...toPlainConfig(address, name),
  // Days are counted in the time zone of the gateway.
  // The server ends an abandoned statement too, which would otherwise go on taking its time.
  options: `-c default_transaction_isolation=serializable -c statement_timeout=${STATEMENT_MILLISECONDS + 1000} -c TimeZone=${Intl.DateTimeFormat().resolvedOptions().timeZone}`,
  types: readTypes(library),
  query_timeout: STATEMENT_MILLISECONDS,
  keepAlive: true,
})

/** Connects once and migrates the schema. */
async function prepareDatabase(
  library: Library,
  { address, migrations = allMigrations }: PostgresOptions,
): Promise<void> {
  const client = new library.Client(toPlainConfig(address))
  // An error that ends the connection also fails the current statement, which reports it.
  client.on('error', () => undefined)
  try {
    await because(PURPOSE, () => client.connect())
    await migratePostgres(client, migrations)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Opens a connection outside of the pool, for state bound to a connection. */
async function connectBeside(
  library: Library,
  { address, name }: Pick<PostgresOptions, 'address' | 'name'>,
): Promise<Client> {
  const client = new library.Client({ ...toPlainConfig(address, name), keepAlive: true })
  client.on('error', () => undefined)
  await because(PURPOSE, () => client.connect())
  return client
}

const lockInTime = (
  library: Library,
  options: PostgresOptions & { readonly sharing: Sharing },
): Promise<GatewayLock> =>
  tryInTime(options, async () => {
    const lock = new GatewayLock(() => connectBeside(library, options), options)
    await lock.open()
    return lock
  })

/** Starts receiving changes of other gateways, so that nothing is read before that. */
async function hearOthers(library: Library, options: PostgresOptions): Promise<OthersChanges> {
  const changes = new OthersChanges(
    () => connectBeside(library, options),
    toApplicationName(options.name),
    options.log,
  )
  await changes.open()
  return changes
}

const prepareInTime = (library: Library, options: PostgresOptions): Promise<void> =>
  tryInTime(options, () => prepareDatabase(library, options))

/** Retries while a database is starting. */
async function tryInTime<Result>(
  options: PostgresOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + (options.patience ?? PATIENCE_MILLISECONDS)
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error) || performance.now() > deadline)
        throw toPostgresStartError(error, options.address)
      await sleep(PAUSE_MILLISECONDS)
    }
  }
}

/** The only connection to a database that no gateway may use meanwhile. */
export interface LoneConnection {
  readonly client: Client
  close(): Promise<void>
}

/** Connects to a database, migrates its schema, and keeps gateways away from it. */
export async function connectAlone(address: string): Promise<LoneConnection> {
  const library = await loadLibrary()
  const lock = await lockInTime(library, { address, sharing: 'alone' })
  try {
    await prepareInTime(library, { address })
    const client = new library.Client({ ...toPlainConfig(address), types: readTypes(library) })
    client.on('error', () => undefined)
    await client.connect()
    return {
      client,
      async close() {
        await client.end().catch(() => undefined)
        await lock.close()
      },
    }
  } catch (error) {
    await lock.close()
    throw error
  }
}

/** Creates the pool of connections to a database whose schema is up to date. */
export async function createPool(
  address: string,
  { log, name }: Pick<PostgresOptions, 'log' | 'name'> = {},
): Promise<Pool> {
  const library = await loadLibrary()
  const pool = new library.Pool({
    ...toClientConfig(library, address, name),
    Client: withPurpose(library),
    max: MOST_CONNECTIONS,
  })
  pool.on('error', (error) =>
    log?.warn({ error: error.message }, 'a connection to the database was lost'),
  )
  return pool
}

/**
 * Opens a PostgreSQL database and migrates its schema; throws a `StartError` with advice before
 * anything in it is changed.
 */
export async function openPostgres(options: PostgresOptions): Promise<Storage> {
  const library = await loadLibrary()
  const { address, log, isStrict, sharing } = options
  // Locked before anything in it is changed.
  const lock = sharing ? await lockInTime(library, { ...options, sharing }) : null
  try {
    await prepareInTime(library, options)
    const changes = sharing === 'several' ? await hearOthers(library, options) : null
    const pool = await createPool(address, options)
    return createPostgresStorage({ pool, log, isStrict, lock, changes })
  } catch (error) {
    await lock?.close()
    throw error
  }
}
