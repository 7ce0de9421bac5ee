import type { Storage } from '../../storage/index.ts'

/** Tables that locate files but do not use them, and copies of other tables. */
const PASSED_OVER =
  /^(file|blob|retrieval|sqlite|schema|root_secret)(_|$)|_search($|_)|^(user_password|throttle|request)/
/**
 * Tables without row numbers that may mention files; the others contain only ids of other objects.
 */
const WITHOUT_ROWS = ['knowledge_file', 'setting', 'plugin_user_valves']
const ROWS = 20

interface TextTable {
  readonly name: string
  readonly columns: readonly string[]
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

const joined = ({ columns }: TextTable): string =>
  columns.map((name) => `coalesce(${quote(name)}, '')`).join(" || ' ' || ")

/**
 * Yields every text in the database, row by row.
 * @NOTE It reads the tables of all domains, including future ones: a file counts as unused only if
 *   nothing mentions it, and a fixed list of places would become incomplete.
 */
export function* readEverything({ sqlite }: Pick<Storage, 'sqlite'>): Generator<string> {
  const tables = sqlite
    .prepare<[], { name: string; sql: string }>(
      "select name, sql from sqlite_master where type = 'table' order by name",
    )
    .all()
    .filter(({ name, sql }) => !PASSED_OVER.test(name) && !/^create virtual/i.test(sql))
  for (const { name, sql } of tables) {
    const columns = (
      sqlite.pragma(`table_info(${quote(name)})`) as { name: string; type: string }[]
    )
      .filter(({ type }) => /text|json|^$/i.test(type))
      .map((column) => column.name)
    if (columns.length === 0) continue
    const table = { name, columns }
    if (/without rowid/i.test(sql)) {
      if (WITHOUT_ROWS.includes(name)) yield* readAll(sqlite, table)
    } else yield* readRows(sqlite, table)
  }
}

function* readAll(sqlite: Storage['sqlite'], table: TextTable): Generator<string> {
  for (const { text } of sqlite
    .prepare<[], { text: string }>(`select ${joined(table)} as text from ${quote(table.name)}`)
    .all())
    yield text
}

function* readRows(sqlite: Storage['sqlite'], table: TextTable): Generator<string> {
  const page = sqlite.prepare<[number, number], { place: number; text: string }>(
    `select rowid as place, ${joined(table)} as text from ${quote(table.name)} where rowid > ? order by rowid limit ?`,
  )
  let after = -1
  for (;;) {
    const rows = page.all(after, ROWS)
    for (const { text } of rows) yield text
    if (rows.length < ROWS) return
    after = rows.at(-1)!.place
  }
}
