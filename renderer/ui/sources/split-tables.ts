/** A stretch of a text: words as they are, or a table written in Markdown. */
export interface TextPart {
  readonly kind: 'words' | 'table'
  readonly text: string
}

const DELIMITER = /^\s*\|?\s*:?-{3,}:?\s*(\|\s*:?-{3,}:?\s*)*\|?\s*$/
const hasCells = (line: string | undefined): boolean => line?.includes('|') ?? false

/** How many lines from here on are a table: a head, what divides it off, and rows. */
function countTable(lines: readonly string[], from: number): number {
  const divider = lines[from + 1]
  if (!hasCells(lines[from]) || !hasCells(divider) || !DELIMITER.test(divider ?? '')) return 0
  let end = from + 2
  while (hasCells(lines[end])) end += 1
  return end - from
}

/** Finds the tables that readers of documents write into a text that is no Markdown otherwise. */
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
