import { sql, type RawBuilder } from 'kysely'
import type { Storage } from '../../storage/index.ts'

/** Tables that locate files but do not use them, and copies of other tables. */
const PASSED_OVER =
  /^(file|blob|retrieval|sqlite|schema|root_secret)(_|$)|_search($|_)|^(user_password|throttle|request)/
/**
 * Tables without row numbers that may mention files; the others contain only ids of other objects.
 */
const WITHOUT_ROWS = ['knowledge_file', 'setting', 'plugin_user_valves']
const ROWS = 20

type Reader = Storage

/** A column of a table, and its place in the primary key, which is 0 outside of it. */
interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly key: number
  /** 1 if the rows of the table are numbered in the order in which they were added. */
  readonly hasRows: number
}

interface TextTable {
  readonly name: string
  readonly columns: readonly string[]
  /** Columns that order the rows, and by which reading goes on after a row. */
  readonly key: readonly string[]
}

const ON_SQLITE = sql<Column>`
  select t.name as "table", c.name, c.type, c.pk as "key",
    t.sql not like '%without rowid%' as "hasRows"
  from sqlite_master t join pragma_table_info(t.name) c
  where t.type = 'table' and t.sql not like 'create virtual%'
  order by t.name, c.cid`

/** Only tables whose rows are numbered have a column that PostgreSQL counts up. */
const ON_POSTGRES = sql<Column>`
  select t.relname as "table", c.attname as name, format_type(c.atttypid, null) as type,
    coalesce(array_position(k.conkey, c.attnum), 0) as "key",
    exists (select 1 from pg_attribute n where n.attrelid = t.oid and n.attidentity <> '')::integer as "hasRows"
  from pg_class t join pg_attribute c on c.attrelid = t.oid
    left join pg_constraint k on k.conrelid = t.oid and k.contype = 'p'
  where t.relkind = 'r' and t.relnamespace = current_schema()::regnamespace and c.attnum > 0 and not c.attisdropped
  order by t.relname, c.attnum`

function toTable(name: string, columns: readonly Column[], { engine }: Reader): TextTable {
  const primary = columns.filter(({ key }) => key > 0).toSorted((one, other) => one.key - other.key)
  const isNumbered = columns[0]!.hasRows === 1 && (engine === 'sqlite' || primary.length === 0)
  return {
    name,
    columns: columns.filter(({ type }) => /text|json|^$/i.test(type)).map((each) => each.name),
    key: isNumbered ? ['rowid'] : primary.map((each) => each.name),
  }
}

async function listTables(storage: Reader): Promise<TextTable[]> {
  const query = storage.engine === 'sqlite' ? ON_SQLITE : ON_POSTGRES
  const all = await storage.all({ compile: () => query.compile(storage.builder) })
  return [...Map.groupBy(all, ({ table }) => table)]
    .filter(([name]) => !PASSED_OVER.test(name))
    .filter(([name, [first]]) => first!.hasRows === 1 || WITHOUT_ROWS.includes(name))
    .map(([name, columns]) => toTable(name, columns, storage))
    .filter(({ columns }) => columns.length > 0)
}

/**
 * Yields every text in the database, row by row.
 * @NOTE It reads the tables of all domains, including future ones: a file counts as unused only if
 *   nothing mentions it, and a fixed list of places would become incomplete.
 */
export async function* readEverything(storage: Reader): AsyncGenerator<string> {
  for (const table of await listTables(storage)) yield* readTable(storage, table)
}

/** Reads by key instead of by place, because rows on PostgreSQL change places when they change. */
async function* readTable(
  storage: Reader,
  { name, columns, key }: TextTable,
): AsyncGenerator<string> {
  const keys = sql.join(key.map((column) => sql.ref(column)))
  const texts = columns.map((column) => sql`coalesce(${sql.ref(column)}, '')`)
  const places = key.map((column, place) => sql`${sql.ref(column)} as ${sql.ref(`key_${place}`)}`)
  let after: readonly unknown[] | null = null
  for (;;) {
    const start: RawBuilder<unknown> =
      after === null ? sql`` : sql`where (${keys}) > (${sql.join(after)})`
    const page: RawBuilder<Record<string, unknown> & { text: string }> = sql`
      select ${sql.join(places)}, ${sql.join(texts, sql` || ' ' || `)} as text
      from ${sql.table(name)} ${start} order by ${keys} limit ${sql.lit(ROWS)}`
    const rows = await storage.all({ compile: () => page.compile(storage.builder) })
    for (const { text } of rows) yield text
    if (rows.length < ROWS) return
    const last = rows.at(-1)!
    after = key.map((_, place) => last[`key_${place}`])
  }
}
