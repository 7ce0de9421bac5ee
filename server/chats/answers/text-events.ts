import type { EventData } from '#contract/events.ts'
import type { MessageRow } from '../chat-rows.ts'

/** Events that change the text of a message. */
export type TextEvent = Extract<EventData, { type: 'message' | 'replace' }>

/**
 * A text that an outside tool appended to an answer, or replaced it with, when the run had written
 * `at` characters.
 */
export interface TextChange {
  readonly at: number
  readonly isReplacement: boolean
  readonly content: string
}

/** Returns a text with the changes at their positions. */
export function weave(text: string, changes: readonly TextChange[]): string {
  let woven = ''
  let place = 0
  for (const { at, isReplacement, content } of changes) {
    woven = isReplacement ? content : woven + text.slice(place, at) + content
    place = at
  }
  return woven + text.slice(place)
}

/** Changes by outside tools to the text of answers being written; the runs do not know of them. */
export class TextEvents {
  readonly #running = new Map<string, { readonly changes: TextChange[]; written: number }>()

  /**
   * Records a change; `written` is the number of characters the run itself has written, if known.
   */
  note(row: MessageRow, event: TextEvent, written: number | undefined): void {
    const { content } = event.data
    const key = this.#toKey(row.chat_id, row.id)
    const entry = this.#running.get(key) ?? { changes: [], written: row.content.length }
    entry.written = written ?? entry.written
    entry.changes.push({ at: entry.written, isReplacement: event.type === 'replace', content })
    this.#running.set(key, entry)
  }

  /** Applies the changes to the text of a run at their positions. */
  apply(chatId: string, messageId: string, text: string): string {
    const entry = this.#running.get(this.#toKey(chatId, messageId))
    if (!entry) return text
    entry.written = text.length
    return weave(text, entry.changes)
  }

  /** Returns how many changes were recorded, so that a reader can tell when there are new ones. */
  countOf(chatId: string, messageId: string): number {
    return this.#running.get(this.#toKey(chatId, messageId))?.changes.length ?? 0
  }

  forget(chatId: string, messageId: string): void {
    this.#running.delete(this.#toKey(chatId, messageId))
  }

  // The chat id was created by the gateway, so a slash can only be part of the message id after it.
  #toKey(chatId: string, messageId: string) {
    return `${chatId}/${messageId}`
  }
}
