/**
 * A section of text with one structure. Blocks are contiguous; white space belongs to the block
 * before it.
 */
export interface Block {
  readonly kind: 'heading' | 'prose' | 'table' | 'code'
  readonly start: number
  readonly end: number
  /** For headings: 1 is the outermost. */
  readonly level?: number
  readonly title?: string
  /** For tables: end of the header rows. */
  readonly headerEnd?: number
}

/** Yields the lines of a text with their ends, without copying them. */
export function* linesOf(
  text: string,
  start: number,
  end: number,
): Generator<{ start: number; end: number }> {
  let from = start
  while (from < end) {
    const found = text.indexOf('\n', from)
    const to = found === -1 || found >= end ? end : found + 1
    yield { start: from, end: to }
    from = to
  }
}
