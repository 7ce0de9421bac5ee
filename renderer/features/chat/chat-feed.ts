import type { ServerFrame } from '#contract/events.ts'
import { applyEvent, type ChatEvent } from './apply-event.ts'
import type { ChatStore } from './chat-store.ts'

/**
 * Runs the callback before the next paint, or shortly after when the window is hidden and does not
 * paint.
 */
export type Schedule = (callback: () => void) => void

/**
 * Minimum time in ms between two renders of a streaming answer: text arrives in small batches, and
 * the CPU stays idle in between.
 */
const BATCH_MS = 32
const HIDDEN_MS = 250

/** Schedules on animation frames, with at least one frame between two callbacks. */
export function createFrameSchedule(): Schedule {
  let last = 0
  const onFrame = (callback: () => void): void => {
    requestAnimationFrame((time) => {
      if (time - last < BATCH_MS - 8) return onFrame(callback)
      last = time
      callback()
    })
  }
  return (callback) => {
    if (document.visibilityState === 'hidden') setTimeout(callback, HIDDEN_MS)
    else onFrame(callback)
  }
}

interface ChatFeedOptions {
  readonly schedule: Schedule
  /** Called when events were missed. */
  readonly reread: () => void
}

/** Collects the events of one chat and applies them in batches. */
export class ChatFeed {
  readonly #store: ChatStore
  readonly #options: ChatFeedOptions
  #waiting: ChatEvent[] = []

  constructor(store: ChatStore, options: ChatFeedOptions) {
    this.#store = store
    this.#options = options
  }

  /** Processes a frame of the socket; ignores frames of other chats. */
  push(frame: ServerFrame): void {
    if (
      frame.type !== 'events' ||
      frame.chat_id === null ||
      frame.chat_id !== this.#store.getState().chatId
    )
      return
    this.#waiting.push(frame)
    if (this.#waiting.length === 1) this.#options.schedule(() => this.#drain())
  }

  #drain(): void {
    const events = this.#waiting
    this.#waiting = []
    this.#store.setState((state) => events.reduce(applyEvent, state), true)
    if (this.#store.getState().isStale) this.#options.reread()
  }
}
