/** Character that opens a list while typing: prompts, attachments, or mentions. */
export type TypedMark = '/' | '#' | '@'

/** A trigger character and the text after it, directly before the caret. */
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

/**
 * Returns the word being typed at the caret; a trigger character inside a word or path does not
 * count.
 */
export function findTypedWord(text: string, caret: number, mark: TypedMark): TypedWord | null {
  const match = AT_CARET[mark].exec(text.slice(0, caret))
  if (!match) return null
  const word = match[1] ?? ''
  return { start: caret - word.length - 1, end: caret, word }
}

/** Returns the text with the word replaced, and the resulting caret position. */
export function replaceTypedWord(
  text: string,
  { start, end }: TypedWord,
  piece: string,
): { readonly text: string; readonly caret: number } {
  return { text: text.slice(0, start) + piece + text.slice(end), caret: start + piece.length }
}
