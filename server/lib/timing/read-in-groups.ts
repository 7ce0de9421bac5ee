/** The id of a row, and the number of bytes of its long columns. */
export interface SizedId {
  readonly id: string
  readonly bytes: number
}

/** Maximum number of rows read in one statement, and of their bytes after the first row. */
const MOST_ROWS = 64
const MOST_BYTES = 256 * 1024

/** Splits rows into groups that are read quickly: few rows, and fewer if they are long. */
export function* groupBySize(rows: Iterable<SizedId>): Generator<string[]> {
  let [group, room]: [string[], number] = [[], MOST_BYTES]
  for (const { id, bytes } of rows) {
    if (group.length > 0 && (group.length === MOST_ROWS || bytes > room)) {
      yield group
      ;[group, room] = [[], MOST_BYTES]
    }
    group.push(id)
    room -= bytes
  }
  if (group.length > 0) yield group
}

/**
 * Yields rows in the order of their ids. They are read in groups, because a statement for each is a
 * round trip to a database server; those deleted meanwhile are left out.
 */
export async function* readInGroups<Row extends { readonly id: string }>(
  ids: Iterable<SizedId>,
  read: (ids: readonly string[]) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  for (const group of groupBySize(ids)) {
    const found = new Map((await read(group)).map((row) => [row.id, row]))
    for (const id of group) {
      const row = found.get(id)
      if (row) yield row
    }
  }
}
