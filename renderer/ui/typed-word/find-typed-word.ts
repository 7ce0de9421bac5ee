/**
 * What calls up a list while somebody types: a prompt, something to attach, or somebody to mention.
 */
export type TypedMark = '/' | '#' | '@'

/** A mark and what follows it, right before the caret. */
export interface TypedWord {
  readonly start: number
  readonly end: number
  readonly word: string
}

const AT_CARET: Readonly<Record<TypedMark, RegExp>> = {
  '/': /(?:^|\s)\/([\p{L}\p{N}._-]*)$/u,
  '#': /(?:^|\s)#([\p{L}\p{N}._-]*)$/u,
  '@': /(?:^|[\s(])@([\p{L}\p{N}._-]*)$/u,
}

/** The word that is being typed at the caret; a mark inside of a word or a path is none. */
export function findTypedWord(text: string, caret: number, mark: TypedMark): TypedWord | null {
  const match = AT_CARET[mark].exec(text.slice(0, caret))
  if (!match) return null
  const word = match[1] ?? ''
  return { start: caret - word.length - 1, end: caret, word }
}

/** The text with a piece in place of the word, and where the caret stands then. */
export function replaceTypedWord(
  text: string,
  { start, end }: TypedWord,
  piece: string,
): { readonly text: string; readonly caret: number } {
  return { text: text.slice(0, start) + piece + text.slice(end), caret: start + piece.length }
}
