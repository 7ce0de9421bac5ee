/** A part of a text: plain words, or a Markdown table. */
export interface TextPart {
  readonly kind: 'words' | 'table'
  readonly text: string
}

const DELIMITER = /^\s*\|?\s*:?-{3,}:?\s*(\|\s*:?-{3,}:?\s*)*\|?\s*$/
const hasCells = (line: string | undefined): boolean => line?.includes('|') ?? false

/** Returns the number of lines from here on that form a table: a header, a divider, and rows. */
function countTable(lines: readonly string[], from: number): number {
  const divider = lines[from + 1]
  if (!hasCells(lines[from]) || !hasCells(divider) || !DELIMITER.test(divider ?? '')) return 0
  let end = from + 2
  while (hasCells(lines[end])) end += 1
  return end - from
}

/** Finds the Markdown tables that document parsers insert into otherwise plain text. */
export function splitTables(text: string): readonly TextPart[] {
  const lines = text.split('\n')
  const parts: TextPart[] = []
  let words: string[] = []
  const endWords = (): void => {
    if (words.some((line) => line.trim() !== ''))
      parts.push({ kind: 'words', text: words.join('\n') })
    words = []
  }
  for (let index = 0; index < lines.length;) {
    const count = countTable(lines, index)
    if (count === 0) words.push(lines[index]!)
    else {
      endWords()
      parts.push({ kind: 'table', text: lines.slice(index, index + count).join('\n') })
    }
    index += Math.max(1, count)
  }
  endWords()
  return parts
}
