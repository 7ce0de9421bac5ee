import type { EventData } from '#contract/events.ts'
import type { MessageRow } from './store.ts'

/**
 * A text an outside tool added to an answer, or put in its place, when the run had written `at`
 * characters.
 */
interface TextChange {
  readonly at: number
  readonly isReplacement: boolean
  readonly content: string
}

/** What outside tools change in the text of answers being written; the runs know nothing of it. */
export interface TextEvents {
  /** Keeps a change; `written` is how much the run itself has written, when it can be asked. */
  note(row: MessageRow, event: EventData, written: number | undefined): void
  /** The text of a run with the changes at the places where they came. */
  apply(chatId: string, messageId: string, text: string): string
  forget(chatId: string, messageId: string): void
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

export function createTextEvents(): TextEvents {
  const running = new Map<string, { readonly changes: TextChange[]; written: number }>()
  // The gateway made the chat id, so a slash can only come from the message id behind it.
  const toKey = (chatId: string, messageId: string) => `${chatId}/${messageId}`

  return {
    note(row, event, written) {
      const { content } = event.data as { content: string }
      const key = toKey(row.chat_id, row.id)
      const entry = running.get(key) ?? { changes: [], written: row.content.length }
      entry.written = written ?? entry.written
      entry.changes.push({ at: entry.written, isReplacement: event.type === 'replace', content })
      running.set(key, entry)
    },
    apply(chatId, messageId, text) {
      const entry = running.get(toKey(chatId, messageId))
      if (!entry) return text
      entry.written = text.length
      return weave(text, entry.changes)
    },
    forget: (chatId, messageId) => void running.delete(toKey(chatId, messageId)),
  }
}
