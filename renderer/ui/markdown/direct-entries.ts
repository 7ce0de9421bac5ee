interface Tree {
  tagName?: string
  properties?: Record<string, unknown>
  children?: Tree[]
}

/** Elements with a sign or an edge beside their text. */
const DIRECTED = new Set(['blockquote', 'li'])

/**
 * Lets each of them begin on the side where its own text does, whatever the language of the text
 * around it.
 */
export const directEntries = () => {
  const walk = (node: Tree): void => {
    if (DIRECTED.has(node.tagName ?? '')) node.properties = { ...node.properties, dir: 'auto' }
    node.children?.forEach(walk)
  }
  return (tree: unknown): void => walk(tree as Tree)
}
