import { createStore, type StoreApi } from 'zustand/vanilla'
import type { AttachedEntry } from '../../ui/attachments/attached-entry.ts'
import { stopAnswer } from './change-branch.ts'
import type { ChatDeps } from './chat-deps.ts'
import {
  type ChatStore,
  isTemporaryId,
  selectIsAnswering,
  selectLastMessage,
} from './chat-store.ts'
import { type Draft, joinDrafts, keepDraft, readDraft } from './draft.ts'
import { type NewMessage, sendMessage } from './send-message.ts'

/** A message that waits for the answer before it. */
export interface QueuedMessage {
  readonly id: string
  /** What was typed, for changing it. */
  readonly draft: Draft
  /** What was attached to it, for changing it. */
  readonly attached: readonly AttachedEntry[]
  readonly message: NewMessage
}

/**
 * Messages written while an answer is still coming. Each is sent when the answer before it is
 * complete; after one that was stopped or failed they wait until the person says so, unless it was
 * stopped for one of them. What waits
 * when the window goes becomes a draft again, but for a temporary chat, of which nothing is kept.
 */
export class MessageQueue {
  readonly store: StoreApi<readonly QueuedMessage[]> = createStore(() => [])
  readonly #chat: ChatStore
  readonly #deps: ChatDeps
  #isFollowing = false
  /** The message the answer is being stopped for. */
  #steering: string | null = null

  constructor(chat: ChatStore, deps: ChatDeps) {
    this.#chat = chat
    this.#deps = deps
  }

  get isEmpty(): boolean {
    return this.store.getState().length === 0
  }

  /** Answers the id of what waits now. */
  add(waiting: Omit<QueuedMessage, 'id'>): string {
    this.#follow()
    const id = this.#deps.newId()
    this.store.setState((queued) => [...queued, { ...waiting, id }], true)
    return id
  }

  /** Takes a message out, to be changed or thrown away. */
  remove(id: string): void {
    if (this.#steering === id) this.#steering = null
    this.store.setState((queued) => queued.filter((each) => each.id !== id), true)
  }

  /** Puts a message at another place among those that wait. */
  move(id: string, place: number): void {
    const queued = this.store.getState()
    const moved = queued.find((each) => each.id === id)
    if (!moved) return
    const others = queued.filter((each) => each !== moved)
    this.store.setState(others.toSpliced(place, 0, moved), true)
  }

  /**
   * Sends a message before the others and now: an answer that is being written ends where it is,
   * and the message goes on from there.
   */
  async steer(id: string): Promise<void> {
    this.move(id, 0)
    if (!selectIsAnswering(this.#chat.getState())) return this.sendNext()
    this.#steering = id
    try {
      await stopAnswer(this.#chat, this.#deps)
    } catch (thrown) {
      this.#steering = null
      throw thrown
    }
  }

  /** Sends the first message that waits. */
  sendNext(): void {
    const [next, ...rest] = this.store.getState()
    if (!next || selectIsAnswering(this.#chat.getState())) return
    this.#steering = null
    this.store.setState(rest, true)
    void sendMessage(this.#chat, this.#deps, next.message)
  }

  /** Listens only while something waits, so that the window holds on to no chat for nothing. */
  #keepInMind(): void {
    if (this.isEmpty) window.removeEventListener('pagehide', this.#keepAsDraft)
    else window.addEventListener('pagehide', this.#keepAsDraft)
  }

  #follow(): void {
    if (this.#isFollowing) return
    this.#isFollowing = true
    this.store.subscribe(() => this.#keepInMind())
    this.#chat.subscribe((state, previous) => {
      const isComplete = selectIsAnswering(previous) && !selectIsAnswering(state)
      if (isComplete && (this.#steering !== null || !selectLastMessage(state)?.error))
        this.sendNext()
    })
  }

  readonly #keepAsDraft = (): void => {
    const { chatId } = this.#chat.getState()
    if (chatId !== null && isTemporaryId(chatId)) return
    const drafts = this.store.getState().map(({ draft }) => draft)
    keepDraft(chatId, joinDrafts(...drafts, readDraft(chatId)))
  }
}
