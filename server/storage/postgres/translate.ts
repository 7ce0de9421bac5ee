/** Strings and quoted names are matched as a whole. */
const PARTS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\b[a-z_]\w*\b/gi

/** Words with another meaning in PostgreSQL. */
const WORDS: Readonly<Record<string, string>> = {
  // In PostgreSQL this is the current database user.
  user: '"user"',
  // Case-insensitive, as in SQLite.
  like: 'ilike',
}

/** Phrases of the steps, each with its PostgreSQL equivalent. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bcross join (\S+(?: (?!on\b)\w+)?) on\b/g, 'join $1 on'],
  [/(\S+) = (\S+) collate nocase\b/g, 'lower($1) = lower($2)'],
  [/((?:\w+\.)?\w+) collate nocase\b/g, 'lower($1)'],
  [/^insert or ignore ([^]*)$/, 'insert $1 on conflict do nothing'],
  [/ is not (?=[\d-])/g, ' is distinct from '],
  [/ is (?=[\d-])/g, ' is not distinct from '],
  [/\bcast\((\w+\([^()]*\)) as integer\)/g, 'whole_number($1)'],
  // A value read from a document is a text.
  [/(json_extract\([^()]*\)) = (\d+)/g, "$1 = '$2'"],
]

/**
 * Translates a statement of a published step to PostgreSQL. The steps were written for SQLite and
 * never change; statements of the stores use the SQL both share.
 */
export function translateStatement(sql: string): string {
  const shared = PHRASES.reduce((phrased, [pattern, said]) => phrased.replace(pattern, said), sql)
  return shared.replaceAll(PARTS, (part) => WORDS[part] ?? part)
}
