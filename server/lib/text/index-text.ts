import { toIndexText, wordsOf } from './words.ts'

/**
 * Maximum length of a text that is indexed unchanged, which takes some milliseconds however many
 * words it has.
 */
export const SHORT_TEXT = 32 * 1024
/** Maximum length of a text that is indexed. */
const LONGEST_LOOK = 1024 * 1024
/**
 * Maximum number of further words of a long text, and of their characters. Indexing time grows
 * faster than the number of distinct words.
 */
const FURTHER_WORDS = 6000
const FURTHER_CHARACTERS = 48 * 1024
const WORDS_IN_A_STEP = 500

/** Returns true if a text is too long to be indexed at once. */
export const isLongText = (text: string): boolean => text.length > SHORT_TEXT

/**
 * Returns the index text of a possibly long text, in short steps: its beginning unchanged, and each
 * further distinct word once, up to a limit. Thus one text never occupies the database for long,
 * and is found by all but its rarest words.
 */
export function* toBoundedIndexText(text: string): Generator<void, string> {
  if (!isLongText(text)) return toIndexText(text)
  const seen = new Set<string>()
  const further: string[] = []
  let [end, characters, count] = [0, 0, 0]
  for (const word of wordsOf(text.slice(0, LONGEST_LOOK))) {
    if ((count += 1) % WORDS_IN_A_STEP === 0) yield
    const folded = word.text.toLowerCase()
    const isKnown = seen.has(folded)
    seen.add(folded)
    if (word.end <= SHORT_TEXT) end = word.end
    else if (!isKnown) {
      characters += word.text.length
      if (further.length === FURTHER_WORDS || characters > FURTHER_CHARACTERS) break
      further.push(word.text)
    }
  }
  yield
  return `${toIndexText(text.slice(0, end))} ${further.join(' ')}`
}
