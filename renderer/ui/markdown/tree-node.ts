/** A syntax tree node of the parser. */
export interface TreeNode {
  readonly tagName?: string
  readonly value?: string
  readonly properties?: Readonly<Record<string, unknown>>
  readonly children?: readonly TreeNode[]
}

/** Returns all text in a node. */
export const toText = (node: TreeNode | undefined): string =>
  node?.value ?? node?.children?.map(toText).join('') ?? ''

/** Returns the language of a code block; empty if none is given. */
export function languageOf(node: TreeNode | undefined): string {
  const names = node?.properties?.className
  const name = Array.isArray(names)
    ? names.find((each) => typeof each === 'string' && each.startsWith('language-'))
    : undefined
  return typeof name === 'string' ? name.slice('language-'.length).toLowerCase() : ''
}
