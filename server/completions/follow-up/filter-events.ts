import { weave, type TextChange } from '../../chats/index.ts'
import type { SentEvent } from '../../lib/plugin-events.ts'

/**
 * Texts that outlet filters send as events while they run. They are stored with the answer at once,
 * but not shown to the filters, so a text that a filter returns does not contain them.
 */
export class FilterEvents {
  #changes: TextChange[] = []

  /** Records the event if it changes the text. */
  note(event: SentEvent): void {
    if (event.type !== 'message' && event.type !== 'replace') return
    const { content } = event.data
    this.#changes.push({ at: Infinity, isReplacement: event.type === 'replace', content })
  }

  /** Returns the stored answer after the events alone. */
  applyTo(text: string): string {
    return weave(text, this.#changes)
  }

  /**
   * Returns a text returned by the filters with what they appended to the answer. It takes the
   * place of a replacement, because it is returned after that was sent.
   */
  appendTo(text: string): string {
    const lastReplacement = this.#changes.findLastIndex(({ isReplacement }) => isReplacement)
    const appended = weave('', this.#changes.slice(lastReplacement + 1))
    // Some filters also return what they send as an event, for interfaces that show only one.
    return text.endsWith(appended) ? text : text + appended
  }
}
