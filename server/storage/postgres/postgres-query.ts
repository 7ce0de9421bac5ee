import type { QueryResult } from 'pg'
import type { PreparedQuery } from '../sqlite/prepared-query.ts'
import { toBindable } from '../storage.ts'
import type { PostgresTransactions } from './postgres-transactions.ts'
import type { Statement } from './placeholders.ts'

/** A statement to be sent; if it has a name, a connection prepares it once. */
interface NamedStatement extends Statement {
  readonly name?: string
}

/** PostgreSQL refuses the character 0 in texts, so it is replaced by a replacement character. */
const toStorable = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('\0')
    ? value.replaceAll('\0', '\u{fffd}')
    : toBindable(value)

/** Returns the values in the order of `$1`, `$2`, …, from ordered or named values. */
function orderValues({ names }: NamedStatement, values: readonly unknown[]): unknown[] {
  if (names === null) return values.map(toStorable)
  const named = values[0] as Readonly<Record<string, unknown>>
  return names.map((name) => toStorable(named[name]))
}

/** Matches a statement that returns all columns of a table. */
const ALL_COLUMNS = /^select (?:distinct )?(?:"?\w+"?\.)?\*|\breturning \*$/

/** Removes the row numbers, which SQLite returns only if a statement names them. */
function hideRowNumbers(rows: readonly unknown[]): void {
  for (const row of rows) delete (row as { rowid?: unknown }).rowid
}

/** A statement on PostgreSQL connections. */
export class PostgresQuery<Values extends unknown[], Row> implements PreparedQuery<Values, Row> {
  readonly #transactions: PostgresTransactions
  readonly #statement: NamedStatement
  readonly #isPlucked: boolean

  constructor(transactions: PostgresTransactions, statement: NamedStatement, isPlucked = false) {
    this.#transactions = transactions
    this.#statement = statement
    this.#isPlucked = isPlucked
  }

  pluck(): PostgresQuery<Values, Row> {
    return new PostgresQuery(this.#transactions, this.#statement, true)
  }

  async all(...values: Values): Promise<Row[]> {
    const { rows } = await this.#send(values)
    if (ALL_COLUMNS.test(this.#statement.text)) hideRowNumbers(rows)
    return this.#isPlucked ? rows.map((row) => (row as unknown as [Row])[0]) : (rows as Row[])
  }

  /** The database server reads, so no thread is needed. */
  allBeside(...values: Values): Promise<Row[]> {
    return this.all(...values)
  }

  async get(...values: Values): Promise<Row | undefined> {
    return (await this.all(...values))[0]
  }

  async run(...values: Values): Promise<{ readonly changes: number }> {
    return { changes: (await this.#send(values)).rowCount ?? 0 }
  }

  async take<Result>(values: Values, take: (rows: Iterable<Row>) => Result): Promise<Result> {
    return take(await this.all(...values))
  }

  #send(values: readonly unknown[]): Promise<QueryResult> {
    const { name, text } = this.#statement
    const query = {
      text,
      ...(name !== undefined && { name }),
      values: orderValues(this.#statement, values),
      ...(this.#isPlucked && { rowMode: 'array' }),
    }
    return this.#transactions.execute(async (client) => {
      try {
        return await client.query(query)
      } catch (error) {
        // Adds the statement without its values, for the log.
        throw error instanceof Error ? Object.assign(error, { statement: text }) : error
      }
    })
  }
}
