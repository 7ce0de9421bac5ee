/** A range of a text, in UTF-16 units. */
export interface TextRange {
  readonly start: number
  readonly end: number
}

/** Letters and digits of a text, each with its original position. */
interface Letters {
  readonly text: string
  readonly places: readonly TextRange[]
}

/** Minimum number of equal letters in a row: shorter matches occur everywhere on a page. */
const RUN = 12
/**
 * Maximum number of letters between two runs of one passage: footnote marks, line numbers, page
 * headers.
 */
const GAP = 40

const IS_LETTER = /[\p{L}\p{N}]/u

function toLetters(text: string): Letters {
  let letters = ''
  const places: TextRange[] = []
  let start = 0
  for (const point of text) {
    const end = start + point.length
    // Composed, wide and ligature characters become plain letters; combining accents are dropped.
    for (const letter of point.normalize('NFKD').toLowerCase()) {
      if (!IS_LETTER.test(letter)) continue
      letters += letter
      for (let unit = 0; unit < letter.length; unit++) places.push({ start, end })
    }
    start = end
  }
  return { text: letters, places }
}

/** Returns ranges of `page` that consist of runs also found in `quote`. */
function findRuns(page: string, quote: string): TextRange[] {
  const length = Math.min(RUN, quote.length)
  const runs = new Set<string>()
  for (let place = 0; place + length <= quote.length; place++)
    runs.add(quote.slice(place, place + length))
  const found: { start: number; end: number }[] = []
  for (let place = 0; place + length <= page.length; place++) {
    if (!runs.has(page.slice(place, place + length))) continue
    const last = found.at(-1)
    if (last && place - last.end <= GAP) last.end = place + length
    else found.push({ start: place, end: place + length })
  }
  return found
}

/**
 * Finds a passage on a page whose text was extracted differently: spaces, line ends, punctuation,
 * accents and hyphenation may differ. Places that repeat only a small part of it are left out.
 * Empty if it is not found.
 */
export function matchWords(page: string, quote: string): readonly TextRange[] {
  const [letters, wanted] = [toLetters(page), toLetters(quote)]
  if (wanted.text === '') return []
  const found = findRuns(letters.text, wanted.text)
  const longest = Math.max(0, ...found.map(({ start, end }) => end - start))
  return found
    .filter(({ start, end }) => (end - start) * 3 >= longest)
    .map(({ start, end }) => ({
      start: letters.places[start]!.start,
      end: letters.places[end - 1]!.end,
    }))
}
