import { createStore, type StoreApi } from 'zustand/vanilla'
import type { AttachedEntry } from '../../../ui/attachments/attached-entry.ts'
import { stopAnswer } from '../branches/change-branch.ts'
import type { ChatDeps } from '../chat-deps.ts'
import {
  type ChatStore,
  isTemporaryId,
  selectIsAnswering,
  selectLastMessage,
} from '../chat-store.ts'
import { type Draft, joinDrafts, keepDraft, readDraft } from './draft.ts'
import { type NewMessage, sendMessage } from '../sending/send-message.ts'

/** A message waiting for the previous answer. */
export interface QueuedMessage {
  readonly id: string
  /** Typed text, for editing. */
  readonly draft: Draft
  /** Attachments, for editing. */
  readonly attached: readonly AttachedEntry[]
  readonly message: NewMessage
}

/**
 * Queue of messages written while an answer is streaming. Each is sent when the answer before it is
 * complete; after a stopped or failed answer they wait for the user's confirmation, unless it was
 * stopped for one of them. Queued messages become a draft again when the window closes, except in a
 * temporary chat, of which nothing is stored.
 */
export class MessageQueue {
  readonly store: StoreApi<readonly QueuedMessage[]> = createStore(() => [])
  readonly #chat: ChatStore
  readonly #deps: ChatDeps
  #isFollowing = false
  /** Id of the message the answer is being stopped for. */
  #steering: string | null = null

  constructor(chat: ChatStore, deps: ChatDeps) {
    this.#chat = chat
    this.#deps = deps
  }

  get isEmpty(): boolean {
    return this.store.getState().length === 0
  }

  /** Queues a message and returns its id. */
  add(waiting: Omit<QueuedMessage, 'id'>): string {
    this.#follow()
    const id = this.#deps.newId()
    this.store.setState((queued) => [...queued, { ...waiting, id }], true)
    return id
  }

  /** Removes a message, to be edited or discarded. */
  remove(id: string): void {
    if (this.#steering === id) this.#steering = null
    this.store.setState((queued) => queued.filter((each) => each.id !== id), true)
  }

  /** Moves a message to another position in the queue. */
  move(id: string, place: number): void {
    const queued = this.store.getState()
    const moved = queued.find((each) => each.id === id)
    if (!moved) return
    const others = queued.filter((each) => each !== moved)
    this.store.setState(others.toSpliced(place, 0, moved), true)
  }

  /**
   * Sends a message immediately and before the others: stops the current answer and continues from
   * there.
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

  /** Sends the first queued message. */
  sendNext(): void {
    const [next, ...rest] = this.store.getState()
    if (!next || selectIsAnswering(this.#chat.getState())) return
    this.#steering = null
    this.store.setState(rest, true)
    void sendMessage(this.#chat, this.#deps, next.message)
  }

  /**
   * Listens only while messages are queued, so that the window does not retain chats needlessly.
   */
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
