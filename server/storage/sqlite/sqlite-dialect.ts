import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Dialect, TimeUnit } from '../dialect.ts'

const TIMES: Readonly<Record<TimeUnit, string>> = { day: '%Y-%m-%d', hour: '%Y-%m-%d %H:00' }

/** Names of token counts in the usage of an answer, the preferred ones first. */
const TOKENS = {
  input: ['input_tokens', 'prompt_tokens', 'prompt_eval_count'],
  output: ['output_tokens', 'completion_tokens', 'eval_count'],
} as const

/** SQL specific to SQLite. */
export const sqliteDialect: Dialect = {
  parts: {
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
  like: 'like',
  withoutCase: (expression) => `${expression} collate nocase`,
  through: (index) => ` indexed by ${index}`,
  unindexed: (column) => `+${column}`,
  // Joins are executed row by row, in the written order.
  keepOrder: () => '',
  // A cross join keeps its order; otherwise whole chats or folders would be read at every step.
  eachIn: (known, table, condition) => `from ${known} cross join ${table} where ${condition}`,
  joined: (column) => `group_concat(distinct ${column})`,
  localTime: (column, unit) => `strftime('${TIMES[unit]}', ${column}, 'unixepoch', 'localtime')`,
  countIn: (document, path) => `cast(json_extract(${document}, '$.${path}') as integer)`,
  tokens: (side) => {
    const found = TOKENS[side].map((name) => `message.extra ->> '$.usage.${name}'`).join(', ')
    return `min(1000000000, max(0, coalesce(cast(coalesce(${found}) as integer), 0)))`
  },
  putWords: ({ index, columns, rows }) =>
    `insert or replace into ${index} (rowid, ${columns.join(', ')}) ${rows}`,
  matches: (alias, index, query) =>
    alias === index ? `${index} match ${query}` : `${alias}.${index} match ${query}`,
  rank: (alias) => `${alias}.rank`,
}
