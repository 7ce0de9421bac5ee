import type { Client } from 'pg'
import { migrations as allMigrations } from '../migrations/all.ts'
import type { Migration } from '../migrations/migration.ts'
import type { Storage } from '../storage.ts'
import { GatewayLock, type Sharing } from './gateway-lock.ts'
import { migratePostgres } from './migrate-postgres.ts'
import { OthersChanges } from './others-changes.ts'
import { PostgresServer, type ServerOptions } from './postgres-server.ts'
import { PostgresStorage } from './postgres-storage.ts'

/** Options for opening a PostgreSQL database. */
export interface PostgresOptions extends ServerOptions {
  /** The steps of the schema; all of the program's own except in tests. */
  readonly migrations?: readonly Migration[]
  /** Refuses statements of an ended transaction; for tests. */
  readonly isStrict?: boolean
  /**
   * Lock mode that excludes gateways which cannot share the database; without it, as for reading
   * only, nothing is locked.
   */
  readonly sharing?: Sharing
}

async function lockDatabase(
  server: PostgresServer,
  options: ConstructorParameters<typeof GatewayLock>[1],
): Promise<GatewayLock> {
  const lock = new GatewayLock(() => server.connect(), options)
  await server.whenReady(() => lock.open())
  return lock
}

const migrate = (
  server: PostgresServer,
  migrations: readonly Migration[] = allMigrations,
): Promise<void> =>
  server.whenReady(async () => {
    const client = await server.connect()
    try {
      await migratePostgres(client, migrations)
    } finally {
      await client.end().catch(() => undefined)
    }
  })

/** Starts receiving changes of other gateways, so that nothing is read before that. */
async function followOthers(
  server: PostgresServer,
  { log }: PostgresOptions,
): Promise<OthersChanges> {
  const changes = new OthersChanges(() => server.connect(), server.applicationName, log)
  await changes.open()
  return changes
}

/**
 * Opens a PostgreSQL database and migrates its schema; throws a `StartError` with advice before
 * anything in it is changed.
 */
export async function openPostgres(options: PostgresOptions): Promise<Storage> {
  const { log, isStrict, sharing, migrations } = options
  const server = await PostgresServer.load(options)
  // Locked before anything in it is changed.
  const lock = sharing ? await lockDatabase(server, { sharing, log }) : null
  try {
    await migrate(server, migrations)
    const changes = sharing === 'several' ? await followOthers(server, options) : null
    return new PostgresStorage(server.createPool(), { log, isStrict, lock, changes })
  } catch (error) {
    await lock?.close()
    throw error
  }
}

/** The only connection to a database that no gateway may use meanwhile. */
export interface LoneConnection {
  readonly client: Client
  close(): Promise<void>
}

/** Connects to a database, migrates its schema, and keeps gateways away from it. */
export async function connectAlone(address: string): Promise<LoneConnection> {
  const server = await PostgresServer.load({ address })
  const lock = await lockDatabase(server, { sharing: 'alone' })
  try {
    await migrate(server)
    const client = await server.connect()
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
