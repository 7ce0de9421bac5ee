import { sql, type RawBuilder } from 'kysely'

/**
 * Returns a list of ids for a condition of the query builder: a single JSON value, which keeps the
 * statement the same for any number of them.
 */
export const among = (ids: Iterable<string>): RawBuilder<string> =>
  sql<string>`(select value from json_each(${JSON.stringify([...ids])}))`
