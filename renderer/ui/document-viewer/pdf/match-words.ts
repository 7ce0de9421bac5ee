/** A stretch of a text, in UTF-16 units. */
export interface TextRange {
  readonly start: number
  readonly end: number
}

/** The letters and digits of a text alone, each with the place it came from. */
interface Letters {
  readonly text: string
  readonly places: readonly TextRange[]
}

/** So many letters in a row have to be the same: fewer of them stand everywhere on a page. */
const RUN = 12
/**
 * So many letters between two runs still belong to the passage: marks of footnotes, numbers of
 * lines, heads of pages.
 */
const GAP = 40

const IS_LETTER = /[\p{L}\p{N}]/u

function toLetters(text: string): Letters {
  let letters = ''
  const places: TextRange[] = []
  let start = 0
  for (const point of text) {
    const end = start + point.length
    // Composed, wide and joined letters become plain ones, accents of their own fall away.
    for (const letter of point.normalize('NFKD').toLowerCase()) {
      if (!IS_LETTER.test(letter)) continue
      letters += letter
      for (let unit = 0; unit < letter.length; unit++) places.push({ start, end })
    }
    start = end
  }
  return { text: letters, places }
}

/** Stretches of `page` made of runs that stand in `quote` too. */
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
 * Where a passage stands on a page whose text was read another way: spaces, ends of lines, marks,
 * accents and divided words may differ. What repeats only a little of it elsewhere is left out.
 * Empty when it is not there.
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
