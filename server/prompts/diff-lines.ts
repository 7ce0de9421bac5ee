/** One line of a comparison; several of the same kind in a long one. */
interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Lines of one kind that follow each other. */
interface Block {
  readonly kind: DiffLine['kind']
  readonly lines: readonly string[]
}

/**
 * Maximum number of line pairs compared; larger changes are shown as one removed and one added
 * block.
 */
const MOST_PAIRS = 1_000_000

/**
 * Maximum number of lines listed one by one. A text of line breaks has half a million of them, and
 * listing each would hold up all other requests, and the page that shows them.
 */
const MOST_LISTED = 5000

const toLines = ({ kind, lines }: Block): DiffLine[] => lines.map((text) => ({ kind, text }))

function listBlocks(blocks: readonly Block[]): DiffLine[] {
  const filled = blocks.filter(({ lines }) => lines.length > 0)
  const count = filled.reduce((sum, { lines }) => sum + lines.length, 0)
  return count <= MOST_LISTED
    ? filled.flatMap(toLines)
    : filled.map(({ kind, lines }) => ({ kind, text: lines.join('\n') }))
}

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

function diffMiddle(from: readonly string[], to: readonly string[]): Block[] {
  if (from.length * to.length > MOST_PAIRS)
    return [
      { kind: 'removed', lines: from },
      { kind: 'added', lines: to },
    ]
  const lengths = commonLengths(from, to)
  const blocks: { kind: DiffLine['kind']; lines: string[] }[] = []
  const add = (kind: DiffLine['kind'], text: string): void => {
    const last = blocks.at(-1)
    if (last?.kind === kind) last.lines.push(text)
    else blocks.push({ kind, lines: [text] })
  }
  let i = 0
  let j = 0
  while (i < from.length && j < to.length) {
    if (from[i] === to[j]) {
      add('same', from[i]!)
      i += 1
      j += 1
    } else if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!) add('removed', from[i++]!)
    else add('added', to[j++]!)
  }
  return [
    ...blocks,
    { kind: 'removed', lines: from.slice(i) },
    { kind: 'added', lines: to.slice(j) },
  ]
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
  return listBlocks([
    { kind: 'same', lines: from.slice(0, head) },
    ...diffMiddle(from.slice(head, from.length - tail), to.slice(head, to.length - tail)),
    { kind: 'same', lines: from.slice(from.length - tail) },
  ])
}
