import pg from 'pg'
import { newId } from '../lib/ids.ts'
import { openPostgres } from '../storage/postgres/open-postgres.ts'
import { PostgresServer } from '../storage/postgres/postgres-server.ts'
import { PostgresStorage } from '../storage/postgres/postgres-storage.ts'
import type { Connections } from '../storage/postgres/postgres-transactions.ts'
import type { Storage } from '../storage/index.ts'

/** Returns the URL of the same server and account with another database. */
export function addressOf(server: string, database: string): string {
  const address = new URL(server)
  address.pathname = `/${database}`
  return address.href
}

/** Runs statements that concern whole databases. */
async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client(server)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Returns an unused database name; leftover databases are recognised by its prefix. */
const newName = (): string => `chat_gateway_test_${newId().replaceAll('-', '')}`

/** Creates an empty database. */
export async function createEmptyDatabase(server: string): Promise<string> {
  const name = newName()
  await administer(server, `create database ${name}`)
  return name
}

export const dropDatabase = (server: string, name: string): Promise<void> =>
  administer(server, `drop database if exists ${name} with (force)`)

/** Creates a database with the whole schema, once, as the template of others. */
export async function createTemplate(server: string): Promise<string> {
  const name = await createEmptyDatabase(server)
  const storage = await openPostgres({ address: addressOf(server, name) })
  storage.close()
  // Remaining connections would prevent copying.
  await administer(server, `alter database ${name} with allow_connections false`)
  await administer(
    server,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  )
  return name
}

/** Set by scripts that start many test processes, which then share one template. */
const given = process.env['TEST_DATABASE_TEMPLATE']
let template: Promise<string> | undefined = given ? Promise.resolve(given) : undefined

/** Copies are made one after the other, as PostgreSQL requires. */
let copying: Promise<unknown> = Promise.resolve()

function copyTemplate(server: string): Promise<string> {
  const made = copying.then(async () => {
    const source = await (template ??= createTemplate(server))
    const name = newName()
    // Without a log of the copy, which takes more than half of the time where nothing is flushed.
    await administer(server, `create database ${name} template ${source} strategy file_copy`)
    return name
  })
  copying = made.catch(() => undefined)
  return made
}

const byFile = new Map<string, Promise<string>>()

/** Returns the database assigned to a file, or a new one. */
function findDatabase(server: string, file: string | null): Promise<string> {
  if (file === null) return copyTemplate(server)
  const known = byFile.get(file) ?? copyTemplate(server)
  byFile.set(file, known)
  return known
}

/**
 * Drops the database that stands for a file or folder, which would otherwise remain until the end
 * of all tests.
 */
export async function dropDatabaseOf(
  file: string,
  server = process.env['TEST_DATABASE_URL'],
): Promise<void> {
  const name = byFile.get(file)
  if (!server || !name) return
  byFile.delete(file)
  await dropDatabase(server, await name)
}

/** Returns the environment of a gateway whose data are on a server instead of in a folder. */
export async function databaseInsteadOf(
  folder: string,
  server = process.env['TEST_DATABASE_URL'],
): Promise<Record<string, string>> {
  if (!server) return {}
  return {
    DATABASE_URL: addressOf(server, await findDatabase(server, folder)),
    WEBUI_SECRET_KEY: 'the secret of all tests',
  }
}

/** Connections wait until their database is created, because tests open a storage synchronously. */
export function createPostgresTestStorage(server: string, file: string | null): Storage {
  const database = findDatabase(server, file)
  const pool = database.then(async (name) => {
    const opened = await PostgresServer.load({ address: addressOf(server, name) })
    return opened.createPool()
  })
  const connections = {
    query: async (...values: Parameters<Connections['query']>) => (await pool).query(...values),
    connect: async () => (await pool).connect(),
    async end() {
      await (await pool).end()
      if (file === null) await dropDatabase(server, await database)
    },
  } as unknown as Connections
  return new PostgresStorage(connections)
}
