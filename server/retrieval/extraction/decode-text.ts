import { open } from 'node:fs/promises'
import chardet from 'chardet'
import iconv from 'iconv-lite'
import { Refusal } from './refusal.ts'

const SAMPLE_BYTES = 256 * 1024
const CHUNK_BYTES = 1024 * 1024
const NOT_TEXT = 'This file contains no readable text.'

const BYTE_ORDER_MARKS: readonly (readonly [string, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

function isUtf8(sample: Buffer): boolean {
  try {
    // The sample may end inside a character.
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true })
    return true
  } catch {
    return false
  }
}

/**
 * Detects UTF-16 without a byte order mark: spaces, line ends and digits have a zero byte on one
 * side only.
 */
function guessUtf16(sample: Buffer): string | null {
  let [little, big] = [0, 0]
  for (let at = 0; at + 1 < sample.length; at += 2) {
    const [first, second] = [sample[at]!, sample[at + 1]!]
    if (second === 0 && first >= 0x0a && first < 0x40) little += 1
    if (first === 0 && second >= 0x0a && second < 0x40) big += 1
  }
  const needed = sample.length / 64
  if (little > needed && little > big * 10) return 'utf-16le'
  return big > needed && big > little * 10 ? 'utf-16be' : null
}

const LETTER_NEXT_TO_SYMBOL = /\p{Ll}[¡-¿×÷]|[¡-¿×÷]\p{Ll}/gu
const oddities = (text: string): number => text.match(LETTER_NEXT_TO_SYMBOL)?.length ?? 0

/**
 * Central European text is easily mistaken for Western; then symbols such as "³" occur inside
 * words.
 */
function guessLatin(sample: Buffer): string {
  const western = iconv.decode(sample, 'windows-1252')
  const inWestern = oddities(western)
  if (inWestern * 200 < sample.length / 10) return 'windows-1252'
  const candidates = ['windows-1250', 'iso-8859-2'].map(
    (encoding) => [encoding, oddities(iconv.decode(sample, encoding))] as const,
  )
  const [best, count] = candidates.reduce((left, right) => (right[1] < left[1] ? right : left))
  return count < inWestern ? best : 'windows-1252'
}

const LATIN = /^(ISO-8859-[129]|windows-125[0247])$/i
/** Maximum difference in points from the best guess at which another one may still be right. */
const CLOSE_CONFIDENCE = 60

/** Encodings with undefined bytes in the sample are wrong, regardless of letter frequency. */
function guessByFrequency(sample: Buffer): string {
  const matches = chardet.analyse(sample).filter(({ name }) => iconv.encodingExists(name))
  const best = matches[0]?.confidence ?? 0
  const close = matches.filter(({ confidence }) => confidence >= best - CLOSE_CONFIDENCE)
  const holes = close.map(({ name }) => iconv.decode(sample, name).match(/\ufffd/g)?.length ?? 0)
  const fewest = Math.min(...holes)
  return close[holes.indexOf(fewest)]?.name ?? 'windows-1252'
}

/**
 * Returns the name of the encoding, as spelled by `iconv-lite`. Throws if the bytes are no text.
 */
export function detectEncoding(sample: Buffer): string {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) =>
    mark.every((byte, index) => sample[index] === byte),
  )
  if (marked) return marked[0]
  const hasZero = sample.includes(0)
  if (!hasZero && isUtf8(sample)) return 'utf-8'
  const wide = guessUtf16(sample)
  if (wide) return wide
  // A few zero bytes in text are noise; many indicate binary numbers.
  if (hasZero && sample.filter((byte) => byte === 0).length > sample.length / 500)
    throw new Refusal(NOT_TEXT)
  if (isUtf8(sample)) return 'utf-8'
  const guess = guessByFrequency(sample)
  return LATIN.test(guess) ? guessLatin(sample) : guess
}

interface Decoder {
  write(bytes: Buffer): string
  end(): string
}

function createDecoder(encoding: string): Decoder {
  if (encoding === 'utf-8') {
    const decoder = new TextDecoder('utf-8')
    return {
      write: (bytes) => decoder.decode(bytes, { stream: true }),
      end: () => decoder.decode(),
    }
  }
  const decoder = iconv.getDecoder(encoding)
  return { write: (bytes) => decoder.write(bytes), end: () => decoder.end() ?? '' }
}

interface TextOptions {
  /** Called with the number of bytes read so far. */
  readonly onBytes?: (read: number) => void
  /** Encoding declared by the format, used unless the bytes are UTF-8 or have a byte order mark. */
  readonly declared?: string | null
}

/** Unambiguous bytes take precedence over a declaration, and that over a guess. */
function chooseEncoding(sample: Buffer, declared: string | null): string {
  if (!declared || !iconv.encodingExists(declared)) return detectEncoding(sample)
  const isMarked = BYTE_ORDER_MARKS.some(([, mark]) =>
    mark.every((byte, index) => sample[index] === byte),
  )
  return isMarked || isUtf8(sample) ? detectEncoding(sample) : declared
}

/** Yields the text of a file in chunks of about a megabyte, regardless of its size. */
export async function* readText(
  path: string,
  { onBytes, declared = null }: TextOptions = {},
): AsyncGenerator<string> {
  await using file = await open(path)
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  let decoder: Decoder | null = null
  let total = 0
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES)
    if (bytesRead === 0) break
    const bytes = buffer.subarray(0, bytesRead)
    decoder ??= createDecoder(chooseEncoding(bytes.subarray(0, SAMPLE_BYTES), declared))
    total += bytesRead
    onBytes?.(total)
    yield decoder.write(bytes)
  }
  if (decoder) yield decoder.end()
}

/** Decodes bytes like `readText`. */
export function decodeBytes(bytes: Uint8Array, declared: string | null = null): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return iconv.decode(buffer, chooseEncoding(buffer.subarray(0, SAMPLE_BYTES), declared))
}
