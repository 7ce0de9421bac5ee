/** A statement in PostgreSQL syntax. */
export interface Statement {
  readonly text: string
  /** Names of the values in the order of `$1`, `$2`, …; null if values are given in order. */
  readonly names: readonly string[] | null
}

/** Strings and quoted names are matched as a whole. */
const PARTS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\?|@\w+/g

/** Returns the index of a value's name in the list of names; adds new ones. */
function placeOf(names: string[], name: string): number {
  const known = names.indexOf(name)
  return known === -1 ? names.push(name) : known + 1
}

/**
 * Replaces the placeholders `?` or `@name` of prepared statements by `$1`, `$2`, … for PostgreSQL.
 */
export function numberPlaces(sql: string): Statement {
  const names: string[] = []
  let places = 0
  const text = sql.replaceAll(PARTS, (part) => {
    if (part === '?') return `$${(places += 1)}`
    return /^@\w/.test(part) ? `$${placeOf(names, part.slice(1))}` : part
  })
  return { text, names: names.length > 0 ? names : null }
}
