import { isUtf8 } from 'node:buffer'

const FIELD = 'data: '
const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20

/** Bytes before, between and after the texts of consecutive frames. */
export interface Run {
  readonly head: Buffer
  readonly separator: Buffer
  readonly tail: Buffer
}

/** Returns the string of a JSON string literal; null for anything else. */
export function readText(literal: string): string | null {
  if (literal.length < 2 || !literal.startsWith('"') || !literal.endsWith('"')) return null
  const inner = literal.slice(1, -1)
  if (!inner.includes('"') && !inner.includes('\\')) return inner
  try {
    const text: unknown = JSON.parse(literal)
    return typeof text === 'string' ? text : null
  } catch {
    return null
  }
}

/** Returns the bytes around the texts of frames that begin and end with this JSON. */
export function toRun({ before, after }: { readonly before: string; readonly after: string }): Run {
  const head = Buffer.from(`${FIELD}${before}"`)
  const tail = Buffer.from(`"${after}\n\n`)
  return { head, separator: Buffer.concat([tail, head]), tail }
}

const standsAt = (bytes: Buffer, at: number, part: Buffer): boolean =>
  at + part.length <= bytes.length && part.compare(bytes, at, at + part.length) === 0

/**
 * Returns true if the same bytes occur at two positions. Compares eight at a time, because a
 * runtime call for every frame costs several times as much. Eight bytes that form NaN never compare
 * equal, but JSON text contains no such bytes.
 */
function isRepeated(view: DataView, first: number, second: number, length: number): boolean {
  if (second + length > view.byteLength) return false
  const words = length >> 3
  for (let word = 0; word < words; word += 1) {
    if (view.getFloat64(first + word * 8, true) !== view.getFloat64(second + word * 8, true))
      return false
  }
  for (let at = words * 8; at < length; at += 1)
    if (view.getUint8(first + at) !== view.getUint8(second + at)) return false
  return true
}

function isEscaped(bytes: Buffer, at: number): boolean {
  let before = at
  while (bytes[before - 1] === BACKSLASH) before -= 1
  return (at - before) % 2 === 1
}

/** Shared by all streams, because a run is read synchronously. */
let scratch = Buffer.alloc(64 * 1024)

/**
 * Contents of `scratch`: texts without their quotes one after the other, each with its end unless
 * they are joined.
 */
interface Copied {
  readonly size: number
  readonly ends: readonly number[]
  /** Length of the complete frames from which the texts were copied. */
  readonly length: number
}

/**
 * Copies the texts of the frames at the start of these bytes, up to a control character, which
 * cannot occur in JSON text.
 */
function copyTexts(bytes: Buffer, { head, separator, tail }: Run, joinsText: boolean): Copied {
  if (scratch.length < bytes.length) scratch = Buffer.alloc(bytes.length)
  const target = scratch
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const ends: number[] = []
  let [size, length, known] = [0, 0, -1]
  let at = head.length
  let to = 0
  for (;;) {
    let byte = 0
    while (at < bytes.length && (byte = bytes[at]!) !== QUOTE && byte >= SPACE) {
      target[to] = byte
      to += 1
      at += 1
    }
    if (byte !== QUOTE || at === bytes.length) break
    if (isEscaped(bytes, at)) {
      target[to] = QUOTE
      to += 1
      at += 1
      continue
    }
    const hasNext =
      known === -1 ? standsAt(bytes, at, separator) : isRepeated(view, known, at, separator.length)
    if (!hasNext && !standsAt(bytes, at, tail)) break
    size = to
    if (!joinsText) ends.push(size)
    length = at + tail.length
    if (!hasNext) break
    known = at
    at += separator.length
  }
  return { size, ends: joinsText ? [size] : ends, length }
}

/** Returns the texts in `scratch`; null if one of them is not valid JSON text. */
function readTexts({ size, ends }: Copied): readonly string[] | null {
  const isPlain = !scratch.subarray(0, size).includes(BACKSLASH)
  const texts: string[] = []
  let begin = 0
  for (const end of ends) {
    const inner = scratch.toString('utf8', begin, end)
    const text = isPlain ? inner : readText(`"${inner}"`)
    if (text === null) return null
    texts.push(text)
    begin = end
  }
  return texts
}

/**
 * Returns the texts of the frames at the start of these bytes, joined or one by one, and the number
 * of bytes of those frames. Null if the first frame is a different one, or the bytes between the
 * quotes are not valid JSON text.
 */
export function readRun(
  bytes: Buffer,
  run: Run,
  joinsText: boolean,
): { readonly texts: readonly string[]; readonly length: number } | null {
  if (!standsAt(bytes, 0, run.head)) return null
  const copied = copyTexts(bytes, run, joinsText)
  const texts = copied.length === 0 ? null : readTexts(copied)
  return texts && { texts, length: copied.length }
}

/**
 * Returns how many of these bytes are frames of the run whose texts are valid JSON text in complete
 * UTF-8.
 */
export function measureRun(bytes: Buffer, run: Run): number {
  if (!standsAt(bytes, 0, run.head)) return 0
  const { size, length } = copyTexts(bytes, run, true)
  if (length === 0 || !isUtf8(bytes.subarray(0, length))) return 0
  const texts = scratch.subarray(0, size)
  return !texts.includes(BACKSLASH) || readText(`"${texts.toString('utf8')}"`) !== null ? length : 0
}
