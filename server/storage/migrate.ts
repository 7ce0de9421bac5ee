import type Sqlite from 'better-sqlite3'
import type { Migration } from './migrations/migration.ts'

/**
 * Identifies the file as one of the gateway ("CGWY"), so that another program's database is never
 * mistaken for a damaged or old one.
 */
export const APPLICATION_ID = 0x43475759

/** Called before and after each statement; only tests that kill the process in between pass one. */
export type MigrationHook = (place: string) => void

const CREATE_LEDGER =
  'create table if not exists schema_migration (id text primary key, applied_at integer not null) strict'

/** Returns the ids of the applied steps, in order; empty for a new database. */
export function readAppliedSteps(sqlite: Sqlite.Database): string[] {
  const ledger = sqlite
    .prepare("select 1 from sqlite_schema where type = 'table' and name = 'schema_migration'")
    .get()
  return ledger
    ? (sqlite.prepare('select id from schema_migration order by rowid').pluck().all() as string[])
    : []
}

/** Returns the steps not applied yet. */
export function findPendingSteps(
  sqlite: Sqlite.Database,
  migrations: readonly Migration[],
): Migration[] {
  const applied = new Set(readAppliedSteps(sqlite))
  return migrations.filter(({ id }) => !applied.has(id))
}

function applyStep(sqlite: Sqlite.Database, step: Migration, hook: MigrationHook): void {
  const apply = sqlite.transaction(() => {
    hook(`${step.id}: begin`)
    sqlite.exec(CREATE_LEDGER)
    for (const [index, statement] of step.statements.entries()) {
      sqlite.exec(statement)
      hook(`${step.id}: statement ${index + 1}`)
    }
    const [orphan] = sqlite.pragma('foreign_key_check') as { table: string; parent: string }[]
    if (orphan)
      throw new Error(
        `Step ${step.id} would leave rows of ${orphan.table} without their ${orphan.parent}.`,
      )
    const applied = sqlite
      .prepare('insert into schema_migration (id, applied_at) values (?, unixepoch())')
      .run(step.id)
    sqlite.pragma(`application_id = ${APPLICATION_ID}`)
    sqlite.pragma(`user_version = ${applied.lastInsertRowid}`)
    hook(`${step.id}: before commit`)
  })
  apply.exclusive()
  hook(`${step.id}: committed`)
}

/**
 * Migrates the schema, one transaction per step. Foreign keys are off meanwhile, else rebuilding a
 * table would delete the rows that refer to it; each step is checked for orphans before it is
 * committed.
 */
export function migrate(
  sqlite: Sqlite.Database,
  migrations: readonly Migration[],
  hook: MigrationHook = () => undefined,
): void {
  sqlite.pragma('foreign_keys = OFF')
  for (const step of findPendingSteps(sqlite, migrations)) applyStep(sqlite, step, hook)
  sqlite.pragma('foreign_keys = ON')
}
