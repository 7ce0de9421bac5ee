/** Changes to the messages of a chat while a write to them is being prepared. */
export interface MessageWatch {
  /** True if something other than the text of a growing answer was written. */
  readonly isOutdated: boolean
  /** Ids of answers that have grown. */
  readonly grown: ReadonlySet<string>
  end(): void
}

interface Notes {
  isOutdated: boolean
  readonly grown: Set<string>
}

/**
 * Allows a write to be prepared outside of its transaction: other writes to the chat are recorded
 * here.
 */
export class MessageWatches {
  readonly #open = new Map<string, Set<Notes>>()

  open(chatId: string): MessageWatch {
    const notes: Notes = { isOutdated: false, grown: new Set() }
    const others = this.#open.get(chatId) ?? new Set()
    this.#open.set(chatId, others.add(notes))
    return {
      get isOutdated() {
        return notes.isOutdated
      },
      grown: notes.grown,
      end: () => {
        others.delete(notes)
        if (others.size === 0 && this.#open.get(chatId) === others) this.#open.delete(chatId)
      },
    }
  }

  noteChange(chatId: string): void {
    for (const notes of this.#open.get(chatId) ?? []) notes.isOutdated = true
  }

  noteGrowth(chatId: string, id: string): void {
    for (const notes of this.#open.get(chatId) ?? []) notes.grown.add(id)
  }
}
