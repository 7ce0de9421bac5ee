export interface ComparedLine {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Table size above which everything between the equal ends is shown as replaced. */
const MOST_CELLS = 4_000_000

const kept = (lines: readonly string[], kind: ComparedLine['kind']): ComparedLine[] =>
  lines.map((text) => ({ kind, text }))

/** Returns the lengths of the longest common subsequence from each pair of positions on. */
function measure(before: readonly string[], after: readonly string[]): Uint32Array[] {
  const rows = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1))
  for (let row = before.length - 1; row >= 0; row -= 1)
    for (let column = after.length - 1; column >= 0; column -= 1)
      rows[row]![column] =
        before[row] === after[column]
          ? rows[row + 1]![column + 1]! + 1
          : Math.max(rows[row + 1]![column]!, rows[row]![column + 1]!)
  return rows
}

function compareMiddle(before: readonly string[], after: readonly string[]): ComparedLine[] {
  if (before.length * after.length > MOST_CELLS)
    return [...kept(before, 'removed'), ...kept(after, 'added')]
  const rows = measure(before, after)
  const lines: ComparedLine[] = []
  let row = 0
  let column = 0
  while (row < before.length && column < after.length) {
    if (before[row] === after[column]) {
      lines.push({ kind: 'same', text: before[row]! })
      row += 1
      column += 1
    } else if (rows[row + 1]![column]! >= rows[row]![column + 1]!)
      lines.push({ kind: 'removed', text: before[row++]! })
    else lines.push({ kind: 'added', text: after[column++]! })
  }
  return [...lines, ...kept(before.slice(row), 'removed'), ...kept(after.slice(column), 'added')]
}

/** Compares two texts line by line. */
export function compareLines(one: string, other: string): ComparedLine[] {
  const before = one.split('\n')
  const after = other.split('\n')
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before.at(-1 - end) === after.at(-1 - end)
  )
    end += 1
  return [
    ...kept(before.slice(0, start), 'same'),
    ...compareMiddle(
      before.slice(start, before.length - end),
      after.slice(start, after.length - end),
    ),
    ...kept(before.slice(before.length - end), 'same'),
  ]
}
