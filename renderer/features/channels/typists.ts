import { createStore, type StoreApi } from 'zustand/vanilla'

/** A user who is typing; `thread` is the message they reply to, null for the channel itself. */
export interface Typist {
  readonly id: string
  readonly name: string
  readonly thread: string | null
}

/** Time in ms without an event after which a user no longer counts as typing. */
const FORGET_AFTER = 6_000

/** Users typing in a channel. */
export interface Typists {
  readonly store: StoreApi<{ readonly typists: readonly Typist[] }>
  hear(
    user: { readonly id: string; readonly name: string },
    event: { readonly typing: boolean; readonly message_id: string | null },
  ): void
  forget(id: string, thread: string | null): void
  stop(): void
}

class TypingPeople implements Typists {
  readonly store = createStore<{ readonly typists: readonly Typist[] }>(() => ({ typists: [] }))
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>()

  hear(
    user: { readonly id: string; readonly name: string },
    event: { readonly typing: boolean; readonly message_id: string | null },
  ): void {
    const { id, name } = user
    const thread = event.message_id
    if (!event.typing) return this.forget(id, thread)
    const key = `${id} ${thread ?? ''}`
    clearTimeout(this.#timers.get(key))
    this.#timers.set(
      key,
      setTimeout(() => this.forget(id, thread), FORGET_AFTER),
    )
    this.store.setState(({ typists }) => ({
      typists: typists.some((each) => each.id === id && each.thread === thread)
        ? typists
        : [...typists, { id, name, thread }],
    }))
  }

  forget(id: string, thread: string | null): void {
    const key = `${id} ${thread ?? ''}`
    clearTimeout(this.#timers.get(key))
    this.#timers.delete(key)
    this.store.setState(({ typists }) => ({
      typists: typists.filter((each) => each.id !== id || each.thread !== thread),
    }))
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }
}

export const createTypists = (): Typists => new TypingPeople()
