import { toIndexText, wordsOf } from './words.ts'

/**
 * Characters that are put into an index of words as they stand, which takes some milliseconds
 * however many words they are.
 */
export const SHORT_TEXT = 32 * 1024
/** Beyond these characters of a text nothing is looked for. */
const LONGEST_LOOK = 1024 * 1024
/**
 * Further words of a long text, and their characters. The time an index takes grows faster than the
 * number of different words.
 */
const FURTHER_WORDS = 6000
const FURTHER_CHARACTERS = 48 * 1024
const WORDS_IN_A_STEP = 500

/** Whether a text is more than can be put into an index at once. */
export const isLongText = (text: string): boolean => text.length > SHORT_TEXT

/**
 * What is put into an index of words of a text that may be long, in short steps: its beginning as
 * it stands, and of what follows each further word once, up to a bound. So one text never takes the
 * database for long, and is found by all but its rarest words.
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
