// Checks whether the gateway uses a sentence whose values are written as `{{name}}`.
import { childrenOf, isNode, type SyntaxNode } from '../import-graph.ts'

/** Returns the parts of a text around its values; null if it is not a text. */
function piecesOf(node: unknown): string[] | null {
  if (!isNode(node)) return null
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? [node['value']] : null
  if (node.type === 'TemplateLiteral')
    return (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked)
  if (node.type !== 'BinaryExpression') return null
  const [left, right] = [piecesOf(node['left']), piecesOf(node['right'])]
  if (!left || !right) return null
  return [...left.slice(0, -1), (left.at(-1) ?? '') + (right[0] ?? ''), ...right.slice(1)]
}

/** Returns every text of a program, as the parts around its values. */
export function collectTexts(node: SyntaxNode): string[][] {
  const pieces = piecesOf(node)
  const inside = [...childrenOf(node)].flatMap(collectTexts)
  return pieces ? [pieces, ...inside] : inside
}

/** Returns the parts of a sentence between the pieces; null unless all pieces occur in order. */
function findRest(sentence: string, pieces: readonly string[]): string[] | null {
  const rest: string[] = []
  let from = 0
  for (const piece of pieces) {
    const found = sentence.indexOf(piece, from)
    if (found === -1) return null
    rest.push(sentence.slice(from, found))
    from = found + piece.length
  }
  return [...rest, sentence.slice(from)]
}

const toWords = (text: string): string[] =>
  text
    .split(/\{\{\w+\}\}/)
    .map((each) => each.replaceAll(/^[\s".(]+|[\s".)]+$/g, ''))
    .filter((each) => each !== '')

/** Requires at least two words, as a name and a full stop match any sentence. */
const saysSomething = (pieces: readonly string[]): boolean => /\w{2,}\W+\w/.test(pieces.join(' '))

/**
 * Returns true if a text of the gateway equals the sentence up to its values; or matches it, and the
 * gateway's texts contain the remaining words.
 */
export function isSpoken(sentence: string, texts: readonly (readonly string[])[]): boolean {
  const parts = sentence.split(/\{\{\w+\}\}/)
  const equals = (pieces: readonly string[]): boolean =>
    pieces.length === parts.length && pieces.every((piece, place) => piece === parts[place])
  if (texts.some(equals)) return true
  const isWritten = (words: string): boolean =>
    texts.some((pieces) => pieces.some((piece) => piece.includes(words)))
  return texts.filter(saysSomething).some((pieces) => {
    const worded = pieces.filter((piece) => piece.trim() !== '')
    const rest = findRest(sentence, worded)
    return rest?.flatMap(toWords).every(isWritten) ?? false
  })
}
