import { foldWord, wordsOf, type Word } from './words.ts'

/** Words that have to follow each other. With `isPrefix` the last one may be incomplete. */
export interface Phrase {
  readonly words: readonly string[]
  readonly isPrefix: boolean
}

/** Marks around a match; from the private use area, so that no text has to be escaped. */
const OPEN = '\uE000'
const CLOSE = '\uE001'
const MARKS = /[\uE000\uE001]/g
const BEFORE = 60
const AFTER = 140
/**
 * Maximum number of characters searched word by word. In a longer text the excerpt starts at the
 * first occurrence of a word of the query.
 */
const LONGEST_LOOK = 64 * 1024

interface Range {
  readonly start: number
  readonly end: number
}

function endsWith(folded: readonly string[], { words, isPrefix }: Phrase): boolean {
  const offset = folded.length - words.length
  return (
    offset >= 0 &&
    words.every((word, index) => {
      const found = folded[offset + index]!
      return isPrefix && index === words.length - 1 ? found.startsWith(word) : found === word
    })
  )
}

/** Returns the first match and the matches within range of it. */
function findMatches(text: string, phrases: readonly Phrase[]): Range[] {
  const wanted = phrases.map(({ words, isPrefix }) => ({ words: words.map(foldWord), isPrefix }))
  const seen: Word[] = []
  const folded: string[] = []
  const matches: Range[] = []
  for (const word of wordsOf(text)) {
    if (matches[0] && word.start > matches[0].end + AFTER) break
    seen.push(word)
    folded.push(foldWord(word.text))
    for (const phrase of wanted) {
      if (endsWith(folded, phrase))
        matches.push({ start: seen.at(-phrase.words.length)!.start, end: word.end })
    }
  }
  return matches.sort((one, other) => one.start - other.start || other.end - one.end)
}

/** Moves a cut to the nearest space towards `limit`, so that no word and no character is split. */
function cutAt(text: string, place: number, limit: number): number {
  if (place <= 0 || place >= text.length) return Math.max(0, Math.min(place, text.length))
  const step = place < limit ? 1 : -1
  for (let index = place; index !== limit; index += step) if (/\s/.test(text[index]!)) return index
  return text.codePointAt(place - 1)! > 0xffff ? place - 1 : place
}

const clean = (text: string): string => text.replace(MARKS, '').replace(/\s+/g, ' ')

/**
 * Returns the part of a long text around the first word spelled as in the query; its beginning if
 * there is none.
 */
function findPart(text: string, phrases: readonly Phrase[]): string {
  if (text.length <= LONGEST_LOOK) return text
  const beginning = text.slice(0, LONGEST_LOOK)
  if (findMatches(beginning, phrases).length > 0) return beginning
  const places = phrases
    .map(({ words }) => text.indexOf(words[0] ?? '', LONGEST_LOOK))
    .filter((place) => place !== -1)
  if (places.length === 0) return beginning
  const from = Math.max(0, Math.min(...places) - BEFORE * 2)
  return text.slice(from, from + LONGEST_LOOK)
}

/** Returns an excerpt of a text around its first match, with every match in it marked. */
export function writeSnippet(whole: string, phrases: readonly Phrase[]): string {
  const text = findPart(whole, phrases)
  const matches = findMatches(text, phrases)
  const first = matches[0] ?? { start: 0, end: 0 }
  const start = cutAt(text, first.start - BEFORE, first.start)
  const end = cutAt(text, first.end + AFTER, first.end)
  let snippet = ''
  let place = start
  for (const match of matches) {
    if (match.start < place || match.end > end) continue
    snippet +=
      clean(text.slice(place, match.start)) +
      OPEN +
      clean(text.slice(match.start, match.end)) +
      CLOSE
    place = match.end
  }
  snippet += clean(text.slice(place, end))
  return (start > 0 ? '…' : '') + snippet.trim() + (end < text.length ? '…' : '')
}
