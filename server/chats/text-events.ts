import type { EventData } from '#contract/events.ts'
import type { MessageRow } from './chat-rows.ts'

/** The events that change the text of a message. */
export type TextEvent = Extract<EventData, { type: 'message' | 'replace' }>

/**
 * A text an outside tool added to an answer, or put in its place, when the run had written `at`
 * characters.
 */
interface TextChange {
  readonly at: number
  readonly isReplacement: boolean
  readonly content: string
}

function weave(text: string, changes: readonly TextChange[]): string {
  let woven = ''
  let place = 0
  for (const { at, isReplacement, content } of changes) {
    woven = isReplacement ? content : woven + text.slice(place, at) + content
    place = at
  }
  return woven + text.slice(place)
}

/** What outside tools change in the text of answers being written; the runs know nothing of it. */
export class TextEvents {
  readonly #running = new Map<string, { readonly changes: TextChange[]; written: number }>()

  /** Keeps a change; `written` is how much the run itself has written, when it can be asked. */
  note(row: MessageRow, event: TextEvent, written: number | undefined): void {
    const { content } = event.data
    const key = this.#toKey(row.chat_id, row.id)
    const entry = this.#running.get(key) ?? { changes: [], written: row.content.length }
    entry.written = written ?? entry.written
    entry.changes.push({ at: entry.written, isReplacement: event.type === 'replace', content })
    this.#running.set(key, entry)
  }

  /** The text of a run with the changes at the places where they came. */
  apply(chatId: string, messageId: string, text: string): string {
    const entry = this.#running.get(this.#toKey(chatId, messageId))
    if (!entry) return text
    entry.written = text.length
    return weave(text, entry.changes)
  }

  forget(chatId: string, messageId: string): void {
    this.#running.delete(this.#toKey(chatId, messageId))
  }

  // The gateway made the chat id, so a slash can only come from the message id behind it.
  #toKey(chatId: string, messageId: string) {
    return `${chatId}/${messageId}`
  }
}
