import {
  HandleEmptyInListsPlugin,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  replaceWithNoncontingentExpression,
} from 'kysely'
import type { Dialect, TimeUnit } from '../dialect.ts'

const TIMES: Readonly<Record<TimeUnit, string>> = { day: 'YYYY-MM-DD', hour: 'YYYY-MM-DD HH24:00' }

/** Evaluated once per statement; otherwise the function would be called for each row. */
const queryOnce = (query: string): string => `(select words_query(${query}))`

/** SQL specific to PostgreSQL. */
export const postgresDialect: Dialect = {
  parts: {
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  // `in ()`, which SQLite accepts.
  plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
  like: 'ilike',
  withoutCase: (expression) => `lower(${expression} collate "C")`,
  // PostgreSQL chooses the index from its statistics.
  through: () => '',
  unindexed: (column) => column,
  keepOrder: (order) => ` order by ${order}`,
  // With statistics of a time when a chat was short, a join would read all its messages at every step.
  eachIn: (known, table, condition) =>
    `from ${known} cross join lateral (select * from ${table} where ${condition} offset 0) ${table.split(' ').at(-1)}`,
  joined: (column) => `string_agg(distinct ${column}, ',')`,
  localTime: (column, unit) => `to_char(to_timestamp(${column}), '${TIMES[unit]}')`,
  countIn: (document, path) => `count_in(${document}, '${path.replaceAll('.', ',')}')`,
  tokens: (side) => `message.${side}_tokens`,
  putWords: ({ index, columns, rows }) => {
    const names = columns.map((_, place) => `text_${place}`)
    const words = names.map((name) => `words(${name}::text)`).join(' || ')
    return (
      `insert into ${index} (rowid, words) select number::bigint, ${words} from (${rows}) given (number, ${names.join(', ')}) ` +
      'where true on conflict (rowid) do update set words = excluded.words'
    )
  },
  matches: (alias, _index, query) => `${alias}.words @@ ${queryOnce(query)}`,
  rank: (alias, query) => `-ts_rank(${alias}.words, ${queryOnce(query)})`,
}
