import type { Client } from 'pg'
import { StartError } from '../../config/start-error.ts'
import { connectAlone, type LoneConnection } from '../postgres/open-postgres.ts'
import { postgresDialect } from '../postgres/postgres-dialect.ts'
import {
  inGroups,
  ROWS_AT_ONCE,
  SET_GENERATION,
  type Counters,
  type DataSource,
  type DataTarget,
  type Row,
  type Value,
  type WordsToIndex,
} from './end.ts'
import type { MovedTable } from './tables.ts'

/** Maximum number of values of a statement. */
const MOST_VALUES = 65_535

const named = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

/** `($1, $2), ($3, $4)`. */
function placesOf(rows: readonly Row[], types: readonly string[] = []): string {
  let place = 0
  const toPlace = (_: Value, column: number): string => `$${(place += 1)}${types[column] ?? ''}`
  return rows.map((row) => `(${row.map(toPlace).join(', ')})`).join(', ')
}

/** Reads through a cursor, because a table may be larger than the memory. */
async function* readFrom(client: Client, text: string): AsyncGenerator<Row[]> {
  await client.query(`declare moved no scroll cursor for ${text}`)
  try {
    for (;;) {
      const { rows } = await client.query<Value[]>({
        text: `fetch ${ROWS_AT_ONCE / 5} from moved`,
        rowMode: 'array',
      })
      if (rows.length === 0) return
      yield rows
    }
  } finally {
    await client.query('close moved')
  }
}

const COUNTERS = `select t.relname as table, a.attname as column, pg_get_serial_sequence(quote_ident(t.relname), a.attname) as sequence
  from pg_class t join pg_attribute a on a.attrelid = t.oid
  where t.relkind = 'r' and t.relnamespace = current_schema()::regnamespace and a.attidentity <> '' and t.relname <> 'schema_migration'`

interface CounterRow {
  readonly table: string
  readonly column: string
  readonly sequence: string
}

class PostgresEnd {
  protected readonly connection: LoneConnection

  protected constructor(connection: LoneConnection) {
    this.connection = connection
  }

  protected get client(): Client {
    return this.connection.client
  }

  query(text: string): AsyncIterable<Row[]> {
    return readFrom(this.client, text)
  }

  protected async listCounters(): Promise<CounterRow[]> {
    return (await this.client.query<CounterRow>(COUNTERS)).rows
  }

  async close(): Promise<void> {
    await this.client.query('rollback').catch(() => undefined)
    await this.connection.close()
  }
}

/** A database that no gateway uses, in its current state. */
export class PostgresSource extends PostgresEnd implements DataSource {
  static async open(address: string): Promise<PostgresSource> {
    const source = new PostgresSource(await connectAlone(address))
    await source.client.query('begin isolation level repeatable read read only')
    return source
  }

  async counters(): Promise<Counters> {
    const counters = new Map<string, number>()
    for (const { table, column, sequence } of await this.listCounters()) {
      if (column === 'rowid') continue
      const { rows } = await this.client.query<{ last: number }>(
        `select case when is_called then last_value else 0 end as last from ${sequence}`,
      )
      counters.set(table, rows[0]!.last)
    }
    return counters
  }
}

/** A database with a schema and no rows; everything is written in one transaction. */
export class PostgresTarget extends PostgresEnd implements DataTarget {
  #constraints: readonly {
    readonly table: string
    readonly name: string
    readonly text: string
  }[] = []

  static async open(address: string, tables: readonly MovedTable[]): Promise<PostgresTarget> {
    const target = new PostgresTarget(await connectAlone(address))
    try {
      await target.#begin(tables)
      return target
    } catch (error) {
      await target.close()
      throw error
    }
  }

  async write({ name, columns }: MovedTable, rows: readonly Row[]): Promise<void> {
    for (const group of inGroups(
      rows,
      Math.min(ROWS_AT_ONCE, Math.floor(MOST_VALUES / columns.length)),
    ))
      await this.client.query(
        `insert into "${name}" (${named(columns)}) values ${placesOf(group)}`,
        group.flat(),
      )
  }

  async writeWords({ index, columns, rows }: WordsToIndex): Promise<void> {
    const types = ['::bigint', ...columns.map(() => '::text')]
    for (const group of inGroups(rows)) {
      const values = `values ${placesOf(group, types)}`
      await this.client.query(
        postgresDialect.putWords({ index, columns, rows: values }),
        group.flat(),
      )
    }
  }

  async keep(counters: Counters): Promise<void> {
    for (const { table, name, text } of this.#constraints)
      await this.client.query(`alter table ${table} add constraint "${name}" ${text}`)
    await this.#forEachTable('enable trigger user')
    await this.client.query(SET_GENERATION)
    for (const { table, column, sequence } of await this.listCounters())
      await this.client.query(
        `select setval('${sequence}', greatest(found.last, 1), found.last > 0)
          from (select greatest(coalesce(max("${column}"), 0), $1::bigint) as last from "${table}") found`,
        [counters.get(table) ?? 0],
      )
    await this.client.query('commit')
  }

  async #begin(tables: readonly MovedTable[]): Promise<void> {
    await this.client.query('begin')
    for (const { name } of tables) {
      const { rows } = await this.client.query(`select 1 from "${name}" limit 1`)
      if (rows.length > 0)
        throw new StartError(
          `The database that --to names is in use: there are rows in ${name}. Name an empty one. Nothing was changed.`,
        )
    }
    // Triggers are not needed for rows copied unchanged, and the rows arrive in any order.
    await this.#forEachTable('disable trigger user')
    const { rows } = await this.client.query<{ table: string; name: string; text: string }>(
      `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as text from pg_constraint
        where contype = 'f' and connamespace = current_schema()::regnamespace`,
    )
    this.#constraints = rows
    for (const { table, name } of rows)
      await this.client.query(`alter table ${table} drop constraint "${name}"`)
  }

  async #forEachTable(change: string): Promise<void> {
    const { rows } = await this.client.query<{ table: string }>(
      "select oid::regclass::text as table from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace",
    )
    for (const { table } of rows) await this.client.query(`alter table ${table} ${change}`)
  }
}
