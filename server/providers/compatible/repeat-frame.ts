import type { ChatCompletionChunk } from '#contract/completions.ts'
import { readRun, readText, toRun, type Run } from './read-run.ts'

interface Pattern {
  readonly before: string
  readonly after: string
  readonly chunk: ChatCompletionChunk
  readonly choice: ChatCompletionChunk['choices'][number]
  /** Created for the first run only, because the frames of some senders never repeat. */
  run?: Run
}

const NAME = '"content":'

/**
 * Quotes inside JSON strings are escaped, so name and value can occur in this form only in the
 * field itself.
 */
function toPattern(data: string, chunk: ChatCompletionChunk): Pattern | null {
  const [choice, other] = chunk.choices
  if (!choice || other || !choice.delta.content) return null
  const field = NAME + JSON.stringify(choice.delta.content)
  const at = data.indexOf(field)
  if (at === -1 || data.includes(field, at + 1)) return null
  return {
    before: data.slice(0, at + NAME.length),
    after: data.slice(at + field.length),
    chunk,
    choice,
  }
}

/**
 * Reads frames that differ from an earlier one only in their text, like nearly all frames of an
 * answer, without parsing the rest of them again.
 */
export class FrameRepeater {
  #pattern: Pattern | null = null

  /** Returns the text of such a frame; null if the frame has to be parsed. */
  read(data: string): string | null {
    const pattern = this.#pattern
    if (!pattern || !data.startsWith(pattern.before) || !data.endsWith(pattern.after)) return null
    return readText(data.slice(pattern.before.length, data.length - pattern.after.length))
  }

  /** Like the function `readRun`; returns null before a frame was learned. */
  readRun(bytes: Buffer, joinsText: boolean): ReturnType<typeof readRun> {
    const pattern = this.#pattern
    return pattern && readRun(bytes, (pattern.run ??= toRun(pattern)), joinsText)
  }

  /** Returns the learned frame with another text. */
  repeat(text: string): ChatCompletionChunk {
    const { chunk, choice } = this.#pattern!
    return { ...chunk, choices: [{ ...choice, delta: { ...choice.delta, content: text } }] }
  }

  /** Uses a parsed frame as the pattern for the following ones. */
  learn(data: string, chunk: ChatCompletionChunk): void {
    this.#pattern = toPattern(data, chunk)
  }
}
