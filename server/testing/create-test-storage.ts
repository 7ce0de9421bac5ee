import type Sqlite from 'better-sqlite3'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openStorage, type Storage } from '../storage/index.ts'
import type { Migration } from '../storage/migrations/migration.ts'
import { createPostgresTestStorage } from './create-postgres-test-storage.ts'

interface SchemaEntry {
  readonly name: string
  readonly type: string
  readonly sql: string
}

/**
 * True on PostgreSQL; for tests of features only SQLite's file has: its plans, pages and locks, and
 * programs that read it.
 */
export const isOnPostgres = Boolean(process.env['TEST_DATABASE_URL'])

const IN_MEMORY = ':memory:'
const LEDGER = 'schema_migration'
const SHORTCUT = 'whole-schema'

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Names of the tables that are created together with a word index. */
function listMadeAlong(sqlite: Sqlite.Database): Set<string> {
  const tables = sqlite.pragma('table_list') as { name: string; type: string }[]
  return new Set(tables.filter(({ type }) => type === 'shadow').map(({ name }) => name))
}

/** Returns the settings of a word index as statements that restore them. */
function copySettings(sqlite: Sqlite.Database, index: string): string[] {
  const settings = sqlite
    .prepare(`select quote(k), quote(v) from ${quoteName(`${index}_config`)} where k <> 'version'`)
    .raw()
    .all() as [string, string][]
  const name = quoteName(index)
  return settings.map(
    ([key, value]) => `insert into ${name} (${name}, rank) values (${key}, ${value})`,
  )
}

/** Returns the rows of a table as statements that restore them. */
function copyRows(sqlite: Sqlite.Database, table: string): string[] {
  const columns = sqlite.pragma(`table_info(${quoteName(table)})`) as { name: string }[]
  const quoted = columns.map(({ name }) => `quote(${quoteName(name)})`).join(" || ',' || ")
  const rows = sqlite
    .prepare(`select ${quoted} from ${quoteName(table)}`)
    .pluck()
    .all() as string[]
  return rows.map((values) => `insert into ${quoteName(table)} values (${values})`)
}

/** Returns a single migration with the result of all migrations, which take five times as long. */
function writeShortcut(): Migration {
  const storage = openStorage({ path: IN_MEMORY })
  const { sqlite } = storage
  const madeAlong = listMadeAlong(sqlite)
  const entries = sqlite
    .prepare(
      "select name, type, sql from sqlite_schema where sql is not null and name not like 'sqlite\\_%' escape '\\' order by rowid",
    )
    .all() as SchemaEntry[]
  const own = entries.filter(({ name }) => !madeAlong.has(name))
  const copyContent = ({ name, sql }: SchemaEntry): string[] =>
    /^create virtual/i.test(sql) ? copySettings(sqlite, name) : copyRows(sqlite, name)
  const statements = [
    ...own.filter(({ name }) => name !== LEDGER).map(({ sql }) => sql),
    ...own.filter(({ type }) => type === 'table').flatMap(copyContent),
  ]
  storage.close()
  return { id: SHORTCUT, statements: [statements.join(';\n')] }
}

let shortcut: Migration | undefined

/**
 * Opens a new in-memory database with the whole schema, or the one at a path; uses PostgreSQL with
 * `TEST_DATABASE_URL`.
 */
export function createTestStorage(file = IN_MEMORY): Storage {
  const address = process.env['TEST_DATABASE_URL']
  if (address) return createPostgresTestStorage(address, file === IN_MEMORY ? null : file)
  if (file !== IN_MEMORY) return openStorage({ path: file })
  shortcut ??= writeShortcut()
  const storage = openStorage({ path: IN_MEMORY, migrations: [shortcut] })
  storage.sqlite.prepare(`delete from ${LEDGER} where id = ?`).run(SHORTCUT)
  const steps = storage.sqlite.prepare(`select count(*) from ${LEDGER}`).pluck().get()
  storage.sqlite.pragma(`user_version = ${steps as number}`)
  return storage
}

let schemaFile: Buffer | undefined

/** Returns the file of an empty database with the whole schema, created once. */
function readSchemaFile(): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'chat-gateway-schema-'))
  try {
    const file = path.join(folder, 'schema.db')
    openStorage({ path: file }).close()
    return readFileSync(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Writes a migrated database, which saves a gateway most of the time of its first start. */
export function writeEmptyDatabase(file: string): void {
  schemaFile ??= readSchemaFile()
  writeFileSync(file, schemaFile, { mode: 0o600 })
}
