// Finds visible text that does not come from the strings: in the markup of the UI, and in the menus
// and dialogs of the desktop app.
import { childrenOf, isNode, parse, type Source, type SyntaxNode } from '../import-graph.ts'

export interface PlainText {
  readonly file: string
  readonly text: string
}

/** Attributes and fields whose text is shown or read out. */
const SHOWN = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-placeholder',
  'aria-roledescription',
  'aria-valuetext',
  'buttons',
  'description',
  'detail',
  'error',
  'hint',
  'label',
  'message',
  'placeholder',
  'title',
  'tooltip',
])
/** Functions that show their text. */
const SHOWING = new Set(['announce', 'alert', 'confirm', 'setTitle', 'setToolTip', 'showErrorBox'])
/** Example URLs, and names that are the same in every language. */
const NO_LANGUAGE = /https?:\/\/\S*|\b(?:Electron)\b/g

const isSentence = (text: string): boolean => /\p{L}{2,}/u.test(text.replaceAll(NO_LANGUAGE, ''))

const nameOf = (node: unknown): string => {
  if (!isNode(node)) return ''
  const { name, value } = node as { name?: unknown; value?: unknown }
  if (typeof name === 'string') return name
  return typeof value === 'string' ? value : nameOf(name)
}

/** Returns the texts of a value in the source: alone, in a template, or as one of two choices. */
function textsOf(node: unknown): string[] {
  if (!isNode(node)) return []
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? [node['value']] : []
  if (node.type === 'TemplateLiteral')
    return (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked)
  if (node.type === 'JSXExpressionContainer') return textsOf(node['expression'])
  if (node.type === 'ConditionalExpression')
    return [...textsOf(node['consequent']), ...textsOf(node['alternate'])]
  if (node.type === 'LogicalExpression') return textsOf(node['right'])
  if (node.type === 'ArrayExpression') return (node['elements'] as unknown[]).flatMap(textsOf)
  return []
}

/** Returns true for names, code and URLs, which are not translated. */
function isExempt(node: SyntaxNode): boolean {
  const opening = node['openingElement']
  if (!isNode(opening)) return false
  const attributes = (opening['attributes'] as SyntaxNode[]).map(
    (each) => [nameOf(each['name']), textsOf(each['value'])[0]] as const,
  )
  return (
    ['code', 'kbd', 'pre', 'style'].includes(nameOf(opening['name'])) ||
    attributes.some(
      ([name, value]) => name === 'data-exempt' || (name === 'translate' && value === 'no'),
    )
  )
}

function shownBy(node: SyntaxNode): string[] {
  if (node.type === 'JSXText') return [String(node['value'])]
  if (node.type === 'JSXAttribute')
    return SHOWN.has(nameOf(node['name'])) ? textsOf(node['value']) : []
  if (node.type === 'JSXElement' || node.type === 'JSXFragment')
    return (node['children'] as SyntaxNode[])
      .filter(({ type }) => type === 'JSXExpressionContainer')
      .flatMap(textsOf)
  if (node.type === 'CallExpression')
    return SHOWING.has(nameOf(node['callee'])) ||
      SHOWING.has(nameOf((node['callee'] as SyntaxNode)['property']))
      ? (node['arguments'] as unknown[]).flatMap(textsOf)
      : []
  return []
}

/** Returns the texts of object fields that become menu items, dialogs and notes. */
const shownField = (node: SyntaxNode): string[] =>
  node.type === 'Property' && SHOWN.has(nameOf(node['key'])) ? textsOf(node['value']) : []

export function findPlainText(source: Source): PlainText[] {
  const found: string[] = []
  const looksAtFields = source.file.startsWith('main/')
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'JSXElement' && isExempt(node)) return
    found.push(...shownBy(node), ...(looksAtFields ? shownField(node) : []))
    childrenOf(node).forEach(visit)
  }
  visit(parse(source).program as unknown as SyntaxNode)
  return found
    .map((text) => text.trim())
    .filter(isSentence)
    .map((text) => ({ file: source.file, text }))
}
