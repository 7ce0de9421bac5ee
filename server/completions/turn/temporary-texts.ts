import { weave, type TextChange } from '../../chats/index.ts'
import type { SentEvent } from '../../lib/plugin-events.ts'

/** Texts that events wrote into an answer that is not stored; see `TextEvents` for stored ones. */
export class TemporaryTexts {
  readonly #changes: TextChange[] = []
  #writtenBy = (): number => 0

  /** Sets the source of the number of characters the run itself has written. */
  follow(writtenBy: () => number): void {
    this.#writtenBy = writtenBy
  }

  /** Records the event if it changes the text. */
  note(event: SentEvent): void {
    if (event.type !== 'message' && event.type !== 'replace') return
    const { content } = event.data
    const isReplacement = event.type === 'replace'
    this.#changes.push({ at: this.#writtenBy(), isReplacement, content })
  }

  /** Returns the text of the run with the changes at their positions, and their number. */
  weave(text: string): { text: string; events: number } {
    return { text: weave(text, this.#changes), events: this.#changes.length }
  }
}
