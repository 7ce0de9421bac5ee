import { sql, type RawBuilder } from 'kysely'
import type { Dialect } from './dialect.ts'

/** Returns the pattern of texts that contain these words; `%` and `_` have no meaning in them. */
export const toPattern = (words: string): string => `%${words.replace(/[\\%_]/g, '\\$&')}%`

/**
 * Returns a condition that one of these columns matches a pattern, ignoring the case of ASCII
 * letters.
 */
export function isLike(
  dialect: Dialect,
  columns: readonly (string | RawBuilder<string>)[],
  pattern: string,
): RawBuilder<boolean> {
  const each = columns.map((column) => {
    const value = typeof column === 'string' ? sql.ref(column) : column
    return sql`${value} ${sql.raw(dialect.like)} ${pattern} escape '\\'`
  })
  return sql`(${sql.join(each, sql` or `)})`
}
