import { BACKSLASH, QUOTE } from './json-bytes.ts'
import { NOTHING_PLAIN, type PlainRange } from '../fast/plain-stretch.ts'

/**
 * Length from which a text is an image or audio, which code that inspects the surrounding fields
 * does not need.
 */
const LONG_TEXT = 64 * 1024
/** Maximum number of texts; JSON with more contains something other than a few long ones. */
const MOST_TEXTS = 4096
const SPACE = 0x20
/** Subtracting a space from a byte below it borrows, which sets the highest bit of that byte. */
const [SPACES, HIGH_BITS] = [0x20202020, 0x80808080]
const BLOCK_WORDS = 1024
const STAND_IN = Buffer.from('"-"')

const isSign = (byte: number): boolean => byte >= SPACE

/**
 * Checks four bytes at once, and evaluates the result only at the end of the block.
 *
 * @NOTE A separate function, because the engine deoptimizes a nested loop each time the inner one
 *   ends, and unoptimized code allocates an object for each of these numbers.
 */
function hasControl(words: Int32Array, from: number): boolean {
  let found = 0
  for (let at = from; at < from + BLOCK_WORDS; at += 4) {
    const [one, two, three, four] = [words[at]!, words[at + 1]!, words[at + 2]!, words[at + 3]!]
    found |=
      ((one - SPACES) & ~one) |
      ((two - SPACES) & ~two) |
      ((three - SPACES) & ~three) |
      ((four - SPACES) & ~four)
  }
  return (found & HIGH_BITS) !== 0
}

/**
 * Returns true if a text is represented in JSON unchanged: without control characters and
 * backslashes.
 */
function isPlain(text: Buffer): boolean {
  if (text.includes(BACKSLASH)) return false
  const skipped = Math.min(-text.byteOffset & 3, text.length)
  const words = new Int32Array(text.buffer, text.byteOffset + skipped, (text.length - skipped) >> 2)
  let at = 0
  for (; at + BLOCK_WORDS <= words.length; at += BLOCK_WORDS)
    if (hasControl(words, at)) return false
  const rest = text.subarray(skipped + at * 4)
  return text.subarray(0, skipped).every(isSign) && rest.every(isSign)
}

function isEscaped(bytes: Buffer, at: number): boolean {
  let before = at
  while (bytes[before - 1] === BACKSLASH) before -= 1
  return (at - before) % 2 === 1
}

/** Returns the position of the next quote; a known stretch holds none. */
function findQuote(json: Buffer, from: number, known: PlainRange): number {
  if (from > known.from) return json.indexOf(QUOTE, from)
  const before = json.subarray(from, known.from).indexOf(QUOTE)
  return before === -1 ? json.indexOf(QUOTE, known.to) : from + before
}

function isPlainOutside(known: PlainRange, json: Buffer, { from, to }: PlainRange): boolean {
  if (known.from < from || known.to > to) return isPlain(json.subarray(from, to))
  return isPlain(json.subarray(from, known.from)) && isPlain(json.subarray(known.to, to))
}

/**
 * Returns JSON with each long text replaced by a short one, so that its fields can be checked
 * without creating strings of megabytes. Null if that would not help, or if a long text contains
 * escapes that require a parser. The encoding of the bytes is not checked. `known` is a stretch of
 * them that needs no second look.
 */
export function withoutLongTexts(json: Buffer, known: PlainRange = NOTHING_PLAIN): Buffer | null {
  const parts: Buffer[] = []
  let [from, count] = [0, 0]
  for (let at = json.indexOf(QUOTE); at !== -1; at = json.indexOf(QUOTE, at)) {
    count += 1
    if (count > MOST_TEXTS) return null
    let end = findQuote(json, at + 1, known)
    while (end !== -1 && isEscaped(json, end)) end = findQuote(json, end + 1, known)
    if (end === -1) return null
    if (end - at > LONG_TEXT) {
      if (!isPlainOutside(known, json, { from: at + 1, to: end })) return null
      parts.push(json.subarray(from, at), STAND_IN)
      from = end + 1
    }
    at = end + 1
  }
  return parts.length === 0 ? null : Buffer.concat([...parts, json.subarray(from)])
}
