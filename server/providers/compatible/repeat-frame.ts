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
  readonly separator: string
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
  const head = `${FIELD}${before}"`
  const tail = `"${after}\n\n`
  return { head: Buffer.from(head), separator: tail + head, tail: Buffer.from(tail) }
}

/** Texts of JSON texts without their quotes, which stand between separators; null when one of them is anything else. */
function readTexts(run: string, separator: string, joinsText: boolean): readonly string[] | null {
  const joined = run.replaceAll(separator, '')
  if (/[\r\n]/.test(joined)) return null
  const isPlain = !/["\\]/.test(joined)
  if (isPlain && joinsText) return [joined]
  const inner = run.split(separator)
  if (isPlain) return inner
  const texts = inner.map((text) => readText(`"${text}"`))
  if (!texts.every((text) => text !== null)) return null
  return joinsText ? [texts.join('')] : texts
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
      const { head, separator, tail } = (pattern.run ??= toRun(pattern))
      if (bytes.length < head.length || head.compare(bytes, 0, head.length) !== 0) return null
      const end = bytes.lastIndexOf(tail)
      if (end < head.length) return null
      const texts = readTexts(bytes.toString('utf8', head.length, end), separator, joinsText)
      return texts && { texts, length: end + tail.length }
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
