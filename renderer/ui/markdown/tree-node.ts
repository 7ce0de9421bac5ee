/** An element as the parser hands it over. */
export interface TreeNode {
  readonly tagName?: string
  readonly value?: string
  readonly properties?: Readonly<Record<string, unknown>>
  readonly children?: readonly TreeNode[]
}

/** All text inside. */
export const toText = (node: TreeNode | undefined): string =>
  node?.value ?? node?.children?.map(toText).join('') ?? ''

/** The language a piece of code was marked with; empty for none. */
export function languageOf(node: TreeNode | undefined): string {
  const names = node?.properties?.className
  const name = Array.isArray(names)
    ? names.find((each) => typeof each === 'string' && each.startsWith('language-'))
    : undefined
  return typeof name === 'string' ? name.slice('language-'.length).toLowerCase() : ''
}
