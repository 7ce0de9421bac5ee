import type { ChatCompletionChunk } from '#contract/completions.ts'

/**
 * Reads frames that differ from one before only in their text, as nearly all frames of an answer do, without parsing
 * the rest of them again.
 */
export interface FrameRepeater {
  /** The text of such a frame; null when the frame has to be parsed. */
  read(data: string): string | null
  /**
   * The texts of the frames that these bytes begin with, all of such a kind, as one text or one by one; null when the first
   * frame or one among them is not.
   */
  readRun(bytes: Buffer, joinsText: boolean): { readonly texts: readonly string[]; readonly length: number } | null
  /** The frame that was learnt, with another text. */
  repeat(text: string): ChatCompletionChunk
  /** Learns from a frame that was parsed. */
  learn(data: string, chunk: ChatCompletionChunk): void
}

interface Pattern {
  readonly before: string
  readonly after: string
  readonly chunk: ChatCompletionChunk
  readonly choice: ChatCompletionChunk['choices'][number]
  /** Made for the first run only, as the frames of some senders never repeat. */
  run?: Run
}

/** What stands before, between and after the texts of frames that follow each other. */
interface Run {
  readonly head: Buffer
  readonly separator: Buffer
  readonly tail: Buffer
}

const NAME = '"content":'
const FIELD = 'data: '

/** Inside JSON texts quotes are escaped, so that the only place where name and value stand like this is the field itself. */
function toPattern(data: string, chunk: ChatCompletionChunk): Pattern | null {
  const [choice, other] = chunk.choices
  if (!choice || other || !choice.delta.content) return null
  const field = NAME + JSON.stringify(choice.delta.content)
  const at = data.indexOf(field)
  if (at === -1 || data.includes(field, at + 1)) return null
  return { before: data.slice(0, at + NAME.length), after: data.slice(at + field.length), chunk, choice }
}

/** The text of a JSON text; null when it is anything but one. */
function readText(literal: string): string | null {
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

function toRun({ before, after }: Pattern): Run {
  const head = Buffer.from(`${FIELD}${before}"`)
  const tail = Buffer.from(`"${after}\n\n`)
  return { head, separator: Buffer.concat([tail, head]), tail }
}

const standsAt = (bytes: Buffer, at: number, part: Buffer): boolean =>
  at + part.length <= bytes.length && part.compare(bytes, at, at + part.length) === 0

/**
 * Whether the same bytes stand at two places, compared eight at a time, because a call of the runtime for every frame costs
 * several times as much. Eight bytes that are no number are never equal, which no bytes of a JSON text are.
 */
function isRepeated(view: DataView, first: number, second: number, length: number): boolean {
  if (second + length > view.byteLength) return false
  const words = length >> 3
  for (let word = 0; word < words; word += 1) {
    if (view.getFloat64(first + word * 8, true) !== view.getFloat64(second + word * 8, true)) return false
  }
  for (let at = words * 8; at < length; at += 1) if (view.getUint8(first + at) !== view.getUint8(second + at)) return false
  return true
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20

function isEscaped(bytes: Buffer, at: number): boolean {
  let before = at
  while (bytes[before - 1] === BACKSLASH) before -= 1
  return (at - before) % 2 === 1
}

/** Shared by all streams, because a run is read in one go. */
let scratch = Buffer.alloc(64 * 1024)

/** What is in `scratch`: texts without their quotes one after the other, each with its end unless they are one. */
interface Copied {
  readonly size: number
  readonly ends: readonly number[]
  /** Of the whole frames they were taken from. */
  readonly length: number
}

/** Copies the texts of the frames that these bytes begin with, up to a control character, which no JSON text has. */
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
    const hasNext = known === -1 ? standsAt(bytes, at, separator) : isRepeated(view, known, at, separator.length)
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

/** The texts in `scratch`; null when one of them is no JSON text. */
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

export function createFrameRepeater(): FrameRepeater {
  let pattern: Pattern | null = null
  return {
    read(data) {
      if (!pattern || !data.startsWith(pattern.before) || !data.endsWith(pattern.after)) return null
      return readText(data.slice(pattern.before.length, data.length - pattern.after.length))
    },
    readRun(bytes, joinsText) {
      if (!pattern) return null
      const run = (pattern.run ??= toRun(pattern))
      if (!standsAt(bytes, 0, run.head)) return null
      const copied = copyTexts(bytes, run, joinsText)
      const texts = copied.length === 0 ? null : readTexts(copied)
      return texts && { texts, length: copied.length }
    },
    repeat(text) {
      const { chunk, choice } = pattern!
      return { ...chunk, choices: [{ ...choice, delta: { ...choice.delta, content: text } }] }
    },
    learn(data, chunk) {
      pattern = toPattern(data, chunk)
    },
  }
}
