interface Tree {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: Tree[]
}

/** An element that replaces a part of the text. */
interface Piece {
  readonly tagName: string
  readonly properties: Record<string, unknown>
  readonly text: string
}

const CLOSED = new Set(['code', 'pre', 'a'])

/**
 * Returns a plugin of the markdown parser that replaces matches in the text with elements, except
 * in code and links.
 */
export function splitText(
  pattern: RegExp,
  toPiece: (match: RegExpExecArray) => Piece,
): () => (tree: unknown) => void {
  const split = (text: string): Tree[] | null => {
    const pieces: Tree[] = []
    let end = 0
    for (const match of text.matchAll(pattern)) {
      if (match.index > end) pieces.push({ type: 'text', value: text.slice(end, match.index) })
      const { tagName, properties, text: inner } = toPiece(match)
      pieces.push({
        type: 'element',
        tagName,
        properties,
        children: [{ type: 'text', value: inner }],
      })
      end = match.index + match[0].length
    }
    if (pieces.length === 0) return null
    if (end < text.length) pieces.push({ type: 'text', value: text.slice(end) })
    return pieces
  }
  const walk = (node: Tree): void => {
    node.children = node.children?.flatMap((child) => {
      if (child.type === 'text') return split(child.value ?? '') ?? [child]
      if (!CLOSED.has(child.tagName ?? '')) walk(child)
      return [child]
    })
  }
  return () => (tree) => walk(tree as Tree)
}
