import type { ChatCompletionChunk } from '#contract/completions.ts'
import { weave, type TextChange } from '../../chats/index.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { SentEvent } from '../../lib/plugin-events.ts'
import type { CompletionFrame } from '../../providers/index.ts'

type Frames = AsyncGenerator<CompletionFrame, void, void>
type Choice = ChatCompletionChunk['choices'][number]

/**
 * Maximum length of the texts of events of one answer, which wait in memory, and of the text sent
 * so far that is compared with a replacement.
 */
const MOST_CHARACTERS = 6 * 1024 * 1024
const MOST_COMPARED = 1024 * 1024

const tooLong = (): ServiceError =>
  new ServiceError(
    502,
    'Plugins wrote more into the answer by events than the gateway can keep. The events of the answer are in the traces of its plugins.',
    { code: 'answer_too_long' },
  )

/** Separates a text that replaces another one from what a reader cannot forget. */
const REPLACED = '\n\n'

const textOf = ({ choices }: ChatCompletionChunk): string => {
  const content = choices[0]?.delta.content
  return typeof content === 'string' ? content : ''
}

/** Returns true for a choice that says nothing; pipes send one after an event. */
const isSilent = ({ delta, finish_reason: reason }: Choice): boolean =>
  reason == null && Object.entries(delta).every(([name, value]) => name === 'role' || value === '')

/**
 * Texts that events of plugins write into the answer of a caller without a window: it receives what
 * the stored answer of a chat would contain (docs/plugin-contract.md, Events).
 */
export class EventTexts {
  readonly #changes: TextChange[] = []
  #writtenBy = (): number => 0
  /** Text a reader of the stream has received, and the text it receives next. */
  #sent = ''
  #waiting = ''
  #length = 0

  get isEmpty(): boolean {
    return this.#changes.length === 0
  }

  /** Sets the source of the number of characters the model has written. */
  follow(writtenBy: () => number): void {
    this.#writtenBy = writtenBy
  }

  /** Records the event if it changes the text. */
  note(event: SentEvent): void {
    if (event.type !== 'message' && event.type !== 'replace') return
    const { content } = event.data
    const isReplacement = event.type === 'replace'
    this.#length += content.length
    if (this.#length > MOST_CHARACTERS) return
    this.#changes.push({ at: this.#writtenBy(), isReplacement, content })
    this.#waiting += isReplacement ? this.#continuationBy(content) : content
  }

  /** Returns a text of the model with the changes at their positions; throws 502 if they are too long. */
  weave(text: string): string {
    this.#requireFit()
    return weave(text, this.#changes)
  }

  /**
   * Returns the chunks a reader of the stream receives for a chunk of the model; throws 502 if the
   * texts are too long.
   */
  insert(chunk: ChatCompletionChunk): readonly ChatCompletionChunk[] {
    this.#requireFit()
    const text = this.#waiting
    if (this.#sent.length <= MOST_COMPARED) this.#sent += text + textOf(chunk)
    if (text === '') return [chunk]
    this.#waiting = ''
    const [first] = chunk.choices
    const { id, object, created, model } = chunk
    const choice = { index: 0, delta: { content: text }, finish_reason: null }
    const inserted = { id, object, created, model, choices: [choice] } as ChatCompletionChunk
    return first && isSilent(first) ? [inserted] : [inserted, chunk]
  }

  /** Inserts the texts into a stream. */
  async *into(frames: Frames): Frames {
    for await (const frame of frames) {
      if ('choices' in frame) yield* this.insert(frame as ChatCompletionChunk)
      else yield frame
    }
  }

  #requireFit(): void {
    if (this.#length > MOST_CHARACTERS) throw tooLong()
  }

  /**
   * A stream cannot take a text back. Many plugins send the whole text again whenever it grows, so
   * that only its new part is sent; any other text follows the one it replaces.
   */
  #continuationBy(text: string): string {
    const received = this.#sent + this.#waiting
    if (this.#sent.length <= MOST_COMPARED && text.startsWith(received))
      return text.slice(received.length)
    return received === '' ? text : REPLACED + text
  }
}
