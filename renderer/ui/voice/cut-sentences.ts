/** Speakable pieces of a text, and the length of text they cover. */
export interface CutText {
  readonly pieces: readonly string[]
  /** Number of characters processed. */
  readonly length: number
}

/**
 * Minimum length of a piece; a shorter one is joined with the next, as single words sound
 * disjointed.
 */
const SHORTEST = 12
/** Length above which a piece is split if possible. */
const LONGEST = 500

const SENTENCE_END = /[.!?…]+["'”’)\]]*(?=\s)|[。！？]+[”’」』）]*|\n/g
const PARAGRAPH_END = /\n\s*\n/g
/** A list number is not a sentence. */
const LIST_NUMBER = /^\s*\d{1,3}[.)]$/

/** Parts that are never read aloud: their end patterns by their start patterns. */
const SILENT: readonly { readonly begin: RegExp; readonly end: (begin: string) => RegExp }[] = [
  {
    begin: /^[ \t]{0,3}(`{3,}|~{3,})/,
    end: (fence) => new RegExp(`\\n[ \\t]{0,3}${fence.trim()}[^\\n]*(\\n|$)`),
  },
  { begin: /^<details[\s>]/i, end: () => /<\/details>\s*/i },
  { begin: /^\$\$/, end: () => /\$\$\s*(\n|$)/ },
]

/** Returns the speakable text of a piece of Markdown; empty if there is none. */
export function toSpeakable(markdown: string): string {
  const text = markdown
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/\s*\[\^?\d+(?:\s*,\s*\d+)*\]/g, '')
    .replace(/https?:\/\/([^\s/)]+)[^\s)]*/g, '$1')
    .replace(/<[^>]{1,200}>/g, ' ')
    .replace(/^\s*(?:#{1,6}|>+|[-*+]|\d{1,3}[.)])\s+/gm, '')
    .replace(/^\s*\|?(?:\s*:?-{2,}:?\s*\|)+\s*:?-*:?\s*$/gm, '')
    .replace(/\|/g, ', ')
    .replace(/(\*\*|__|~~|`+)/g, '')
    .replace(/(^|\s)[*_](\S[^*_]*)[*_](?=\s|[.,!?]|$)/g, '$1$2')
    .replace(/\s+/g, ' ')
    .replace(/^[\s,]+|[\s,]+$/g, '')
  return /[\p{L}\p{N}]/u.test(text) ? text : ''
}

/**
 * Returns the end of a part that is never read aloud; null if none starts here, -1 if its end has
 * not arrived.
 */
function endOfSilent(text: string): number | null {
  for (const { begin, end } of SILENT) {
    const found = begin.exec(text)
    if (!found) continue
    const from = found[0].length
    const last = end(found[1] ?? '').exec(text.slice(from))
    return last ? from + last.index + last[0].length : -1
  }
  return null
}

/** Returns the end of the first piece; -1 if it is not known yet. */
function endOfPiece(text: string, splitOn: string): number {
  if (splitOn === 'none') return -1
  const ends = splitOn === 'paragraphs' ? PARAGRAPH_END : SENTENCE_END
  for (const found of text.matchAll(ends)) {
    const end = found.index + found[0].length
    const piece = text.slice(0, end)
    const isLine = piece.endsWith('\n')
    if (LIST_NUMBER.test(piece)) continue
    if (isLine || piece.trim().length >= SHORTEST) return end
  }
  if (text.length <= LONGEST) return -1
  const space = text.lastIndexOf(' ', LONGEST)
  return space > 0 ? space : LONGEST
}

/**
 * Cuts the currently speakable pieces off the beginning of an answer that may still grow. Code,
 * standalone formulas and tool output are left out.
 */
export function cutSentences(text: string, isDone: boolean, splitOn = 'punctuation'): CutText {
  const pieces: string[] = []
  let at = 0
  const push = (raw: string): void => {
    const words = toSpeakable(raw)
    if (words !== '') pieces.push(words)
  }
  while (at < text.length) {
    const rest = text.slice(at)
    const isLineStart = at === 0 || text[at - 1] === '\n'
    const silent = isLineStart ? endOfSilent(rest) : null
    if (silent === -1) return { pieces, length: isDone ? text.length : at }
    if (silent !== null) {
      at += silent
      continue
    }
    // Waits if the text may become a fence.
    if (isLineStart && !isDone && /^[ \t]{0,3}(?:`{1,2}|~{1,2}|\$|<[a-z]*)$/i.test(rest)) break
    const end = endOfPiece(rest, splitOn)
    if (end === -1 && !isDone) break
    const length = end === -1 ? rest.length : end
    push(rest.slice(0, length))
    at += length
  }
  return { pieces, length: at }
}
