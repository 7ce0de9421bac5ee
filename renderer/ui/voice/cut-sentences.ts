/** What can be spoken of a text, and how much of the text that is. */
export interface CutText {
  readonly pieces: readonly string[]
  /** Characters that are done with. */
  readonly length: number
}

/** A shorter piece waits for the next one, as single words sound broken. */
const SHORTEST = 12
/** A longer one is cut where it can be. */
const LONGEST = 500

const SENTENCE_END = /[.!?…]+["'”’)\]]*(?=\s)|[。！？]+[”’」』）]*|\n/g
const PARAGRAPH_END = /\n\s*\n/g
/** The number of a list entry is no sentence. */
const LIST_NUMBER = /^\s*\d{1,3}[.)]$/

/** Parts that are shown and never read: what ends them, by what begins them. */
const SILENT: readonly { readonly begin: RegExp; readonly end: (begin: string) => RegExp }[] = [
  {
    begin: /^[ \t]{0,3}(`{3,}|~{3,})/,
    end: (fence) => new RegExp(`\\n[ \\t]{0,3}${fence.trim()}[^\\n]*(\\n|$)`),
  },
  { begin: /^<details[\s>]/i, end: () => /<\/details>\s*/i },
  { begin: /^\$\$/, end: () => /\$\$\s*(\n|$)/ },
]

/** The words of a piece of Markdown as they are spoken; empty where there are none. */
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

/** Where a part that is never read ends; null where none begins, -1 while its end is not there. */
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

/** Where the first piece ends; -1 while nobody can tell. */
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
 * Cuts what can be spoken by now off the beginning of an answer that may still grow. Code, formulas
 * on lines of their own and what tools did are left out.
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
    // What may become a fence is waited for.
    if (isLineStart && !isDone && /^[ \t]{0,3}(?:`{1,2}|~{1,2}|\$|<[a-z]*)$/i.test(rest)) break
    const end = endOfPiece(rest, splitOn)
    if (end === -1 && !isDone) break
    const length = end === -1 ? rest.length : end
    push(rest.slice(0, length))
    at += length
  }
  return { pieces, length: at }
}
