/** One line of a comparison. */
interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/**
 * Maximum number of line pairs compared; larger changes are shown as one removed and one added
 * block.
 */
const MOST_PAIRS = 1_000_000

const toLines = (kind: DiffLine['kind'], lines: readonly string[]): DiffLine[] =>
  lines.map((text) => ({ kind, text }))

/**
 * `lengths[i][j]` is the number of lines that `from` after i and `to` after j have in common, in
 * order.
 */
function commonLengths(from: readonly string[], to: readonly string[]): Uint32Array[] {
  const lengths = Array.from({ length: from.length + 1 }, () => new Uint32Array(to.length + 1))
  for (let i = from.length - 1; i >= 0; i -= 1) {
    const row = lengths[i]!
    const below = lengths[i + 1]!
    for (let j = to.length - 1; j >= 0; j -= 1)
      row[j] = from[i] === to[j] ? below[j + 1]! + 1 : Math.max(below[j]!, row[j + 1]!)
  }
  return lengths
}

function diffMiddle(from: readonly string[], to: readonly string[]): DiffLine[] {
  if (from.length * to.length > MOST_PAIRS)
    return [...toLines('removed', from), ...toLines('added', to)]
  const lengths = commonLengths(from, to)
  const found: DiffLine[] = []
  let i = 0
  let j = 0
  while (i < from.length && j < to.length) {
    if (from[i] === to[j]) {
      found.push({ kind: 'same', text: from[i]! })
      i += 1
      j += 1
    } else if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!)
      found.push({ kind: 'removed', text: from[i++]! })
    else found.push({ kind: 'added', text: to[j++]! })
  }
  return [...found, ...toLines('removed', from.slice(i)), ...toLines('added', to.slice(j))]
}

/** Compares two texts line by line, with as many lines kept as possible. */
export function diffLines(before: string, after: string): DiffLine[] {
  const from = before.split('\n')
  const to = after.split('\n')
  const shorter = Math.min(from.length, to.length)
  let head = 0
  while (head < shorter && from[head] === to[head]) head += 1
  let tail = 0
  while (tail < shorter - head && from.at(-1 - tail) === to.at(-1 - tail)) tail += 1
  return [
    ...toLines('same', from.slice(0, head)),
    ...diffMiddle(from.slice(head, from.length - tail), to.slice(head, to.length - tail)),
    ...toLines('same', from.slice(from.length - tail)),
  ]
}
