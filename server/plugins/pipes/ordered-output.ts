import type { CallOrigin } from '../../lib/call-origin.ts'
import type { SentEvent } from '../../lib/plugin-events.ts'
import type { CompletionFrame } from '../../providers/index.ts'
import { Channel } from './channel.ts'

type Item = { readonly frame: CompletionFrame } | { readonly event: SentEvent }

const isText = ({ type }: SentEvent): boolean => type === 'message' || type === 'replace'

/**
 * The text and the events of a pipe in the order in which its code produced them: both change the
 * same message, and storing an event takes longer than passing on a text.
 */
export class OrderedOutput {
  readonly #origin: Pick<CallOrigin, 'tell' | 'allTold'>
  /** Frame without text, with which readers of the stream receive the text of an event at once. */
  readonly #silence: CompletionFrame
  readonly #items = new Channel<Item>()
  /** Events that are still in the channel. */
  readonly #untold: SentEvent[] = []
  #isOver = false

  constructor(origin: Pick<CallOrigin, 'tell' | 'allTold'>, silence: CompletionFrame) {
    this.#origin = origin
    this.#silence = silence
  }

  /** Reports an event after the text before it; at once if the text is no longer read. */
  readonly tell = (event: SentEvent): void => {
    if (this.#isOver) return this.#origin.tell(event)
    this.#untold.push(event)
    void this.#items.push([{ event }])
  }

  /** See `Channel`. */
  push(frames: readonly CompletionFrame[]): Promise<void> {
    return this.#items.push(frames.map((frame) => ({ frame })))
  }

  end(error?: unknown): void {
    this.#items.end(error)
  }

  /** Yields the frames; each waits until the events before it are stored. */
  async *frames(): AsyncGenerator<CompletionFrame, void, void> {
    const silence = this.#silence
    try {
      for await (const item of this.#items) {
        if ('frame' in item) yield item.frame
        else {
          this.#untold.shift()
          this.#origin.tell(item.event)
          await this.#origin.allTold()
          if (isText(item.event)) yield silence
        }
      }
    } finally {
      this.#isOver = true
      for (const event of this.#untold.splice(0)) this.#origin.tell(event)
    }
  }
}
