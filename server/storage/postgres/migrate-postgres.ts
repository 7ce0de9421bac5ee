import type { Client } from 'pg'
import { StartError } from '../../config/start-error.ts'
import { readProgram } from '../../config/program.ts'
import type { Migration } from '../migrations/migration.ts'
import { functionsWith, LETTER_RULES } from './functions.ts'
import { tellingStatements } from './told-tables.ts'
import { translateSchemaStatement } from './translate-schema.ts'
import { addVectorExtension } from './vector-extension.ts'

/** Id of the lock for schema changes, among all locks of the database. */
const SCHEMA_LOCK = 0x43475759

const LEDGER = `create table if not exists schema_migration
  (id text collate "C" primary key, applied_at bigint not null, place bigint generated always as identity)`

async function readAppliedSteps(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ found: unknown }>(
    "select to_regclass('schema_migration')::text as found",
  )
  if (rows[0]?.found === null) return []
  const applied = await client.query<{ id: string }>(
    'select id from schema_migration order by place',
  )
  return applied.rows.map(({ id }) => id)
}

/** Checks that the applied steps are the first of the program's steps, in order. */
function refuseForeignSteps(applied: readonly string[], migrations: readonly Migration[]): void {
  if (applied.length > migrations.length)
    throw new StartError(
      `The database that DATABASE_URL names has schema ${applied.length}, but Chat Gateway ${readProgram().version} knows schemas ` +
        `up to ${migrations.length}. Start the newer Chat Gateway again. Nothing was changed.`,
      { reason: 'newer-schema' },
    )
  if (applied.some((id, index) => id !== migrations[index]?.id))
    throw new StartError(
      'The database that DATABASE_URL names was not made by this program, or its record of schema steps is wrong. ' +
        'Name another database. Nothing was changed.',
    )
}

async function readLetterRule(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    'select collname as name from pg_collation where collname = any ($1)',
    [LETTER_RULES],
  )
  const rule = LETTER_RULES.find((name) => rows.some((row) => row.name === name))
  if (rule) return rule
  throw new StartError(
    'The PostgreSQL that DATABASE_URL names knows no letters beyond ASCII. Use one built with ICU, or with the locale C.UTF-8. Nothing was changed.',
  )
}

async function applyStep(client: Client, step: Migration): Promise<void> {
  const statements = step.postgres ?? step.statements.flatMap(translateSchemaStatement)
  for (const statement of statements) await client.query(statement)
  await client.query('insert into schema_migration (id, applied_at) values ($1, unixepoch())', [
    step.id,
  ])
}

/**
 * Migrates the schema in one transaction, which holds a lock: of several gateways that start at
 * once one does it, and the others find it done.
 */
export async function migratePostgres(
  client: Client,
  migrations: readonly Migration[],
): Promise<void> {
  await client.query('begin')
  try {
    await client.query('select pg_advisory_xact_lock($1)', [SCHEMA_LOCK])
    const applied = await readAppliedSteps(client)
    refuseForeignSteps(applied, migrations)
    await addVectorExtension(client)
    const pending = migrations.slice(applied.length)
    if (pending.length > 0) {
      for (const statement of [...functionsWith(await readLetterRule(client)), LEDGER])
        await client.query(statement)
      for (const step of pending) await applyStep(client, step)
      for (const statement of tellingStatements()) await client.query(statement)
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
