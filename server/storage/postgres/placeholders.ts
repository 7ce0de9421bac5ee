/** A statement as PostgreSQL takes it. */
export interface Statement {
  readonly text: string
  /** Names of the values in the order of `$1`, `$2`, …; null where values are given in order. */
  readonly names: readonly string[] | null
}

/** Texts and quoted names stay whole. */
const PARTS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\?|@\w+/g

/** Where a name of a value stands in the list of names; new ones are added. */
function placeOf(names: string[], name: string): number {
  const known = names.indexOf(name)
  return known === -1 ? names.push(name) : known + 1
}

/** Values of prepared statements stand as `?` or `@name`, which PostgreSQL knows as `$1`, `$2`, … */
export function numberPlaces(sql: string): Statement {
  const names: string[] = []
  let places = 0
  const text = sql.replaceAll(PARTS, (part) => {
    if (part === '?') return `$${(places += 1)}`
    return /^@\w/.test(part) ? `$${placeOf(names, part.slice(1))}` : part
  })
  return { text, names: names.length > 0 ? names : null }
}
