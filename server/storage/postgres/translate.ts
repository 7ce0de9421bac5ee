/** Texts and quoted names stay whole. */
const PARTS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\b[a-z_]\w*\b/gi

/** Words that mean something else in PostgreSQL. */
const WORDS: Readonly<Record<string, string>> = {
  // The account PostgreSQL itself is used with.
  user: '"user"',
  // Without regard to case, as SQLite compares.
  like: 'ilike',
}

/** Turns of phrase of the steps, each with how PostgreSQL says it. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bcross join (\S+(?: (?!on\b)\w+)?) on\b/g, 'join $1 on'],
  [/(\S+) = (\S+) collate nocase\b/g, 'lower($1) = lower($2)'],
  [/((?:\w+\.)?\w+) collate nocase\b/g, 'lower($1)'],
  [/^insert or ignore ([^]*)$/, 'insert $1 on conflict do nothing'],
  [/ is not (?=[\d-])/g, ' is distinct from '],
  [/ is (?=[\d-])/g, ' is not distinct from '],
  [/\bcast\((\w+\([^()]*\)) as integer\)/g, 'whole_number($1)'],
  // What is read from a document is a text.
  [/(json_extract\([^()]*\)) = (\d+)/g, "$1 = '$2'"],
]

/**
 * A statement of a published step as PostgreSQL takes it. The steps were written for SQLite and
 * never change; what the stores send is written in the SQL both share.
 */
export function translateStatement(sql: string): string {
  const shared = PHRASES.reduce((phrased, [pattern, said]) => phrased.replace(pattern, said), sql)
  return shared.replaceAll(PARTS, (part) => WORDS[part] ?? part)
}
