import type { Client } from 'pg'
import { StartError } from '../../config/start-error.ts'

/** Minimum version: older ones cannot continue a search if a scope excludes most of the nearest. */
const LEAST_VERSION = [0, 8] as const

interface Versions {
  /** Version the server would install. */
  readonly offered: string | null
  /** Version installed in the database. */
  readonly added: string | null
}

function isEnough(version: string | null): boolean {
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number)
  return major > LEAST_VERSION[0] || (major === LEAST_VERSION[0] && minor >= LEAST_VERSION[1])
}

async function readVersions(client: Client): Promise<Versions> {
  const { rows } = await client.query<Versions>(
    "select (select default_version from pg_available_extensions where name = 'vector') as offered, " +
      "(select extversion from pg_extension where extname = 'vector') as added",
  )
  return rows[0]!
}

/** Returns true if the account may create tables; reported first. */
async function mayMakeTables(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ allowed: string | null }>(
    "select has_schema_privilege(current_schema(), 'create')::text as allowed",
  )
  return rows[0]?.allowed === 'true'
}

async function change(client: Client, statement: string): Promise<void> {
  try {
    await client.query(statement)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === '42501')) throw error
    throw new StartError(
      `The account in DATABASE_URL may not add pgvector to the database. Let an administrator run this statement in it: ${statement}; (nothing was changed).`,
      { cause: error },
    )
  }
}

/**
 * Installs pgvector, which compares the vectors of documents, in the database, or throws a
 * `StartError` with advice.
 */
export async function addVectorExtension(client: Client): Promise<void> {
  const { offered, added } = await readVersions(client)
  if (isEnough(added) || !(await mayMakeTables(client))) return
  if (!isEnough(offered))
    throw new StartError(
      `The PostgreSQL that DATABASE_URL names has ${offered === null ? 'no pgvector' : `pgvector ${offered}`}. Install pgvector ${LEAST_VERSION.join('.')} or newer on its server, and start the gateway again. Nothing was changed.`,
    )
  await change(client, added === null ? 'create extension vector' : 'alter extension vector update')
}
