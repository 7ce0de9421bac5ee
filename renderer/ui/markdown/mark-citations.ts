interface Tree {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: Tree[]
}

/** `[1]`, `[2, 3]` and `[1][2]`; not a footnote, and not a place in a list such as `items[1]`. */
const MARK = /(?<![\w\]])\[(\d{1,3}(?:\s?,\s?\d{1,3}){0,9})\]|(?<=\[\d{1,3}\])\[(\d{1,3})\]/g
const CLOSED = new Set(['code', 'pre', 'a'])

function split(text: string): Tree[] | null {
  const pieces: Tree[] = []
  let end = 0
  for (const match of text.matchAll(MARK)) {
    if (match.index > end) pieces.push({ type: 'text', value: text.slice(end, match.index) })
    const numbers = match[1] ?? match[2]!
    pieces.push({ type: 'element', tagName: 'cite', properties: { numbers }, children: [{ type: 'text', value: match[0] }] })
    end = match.index + match[0].length
  }
  if (pieces.length === 0) return null
  if (end < text.length) pieces.push({ type: 'text', value: text.slice(end) })
  return pieces
}

function walk(node: Tree): void {
  node.children = node.children?.flatMap((child) => {
    if (child.type === 'text') return split(child.value ?? '') ?? [child]
    if (!CLOSED.has(child.tagName ?? '')) walk(child)
    return [child]
  })
}

/** Makes the numbers in brackets that may name a source elements of their own; what they mean is found out where they are drawn. */
export const markCitations = () => (tree: unknown) => walk(tree as Tree)
