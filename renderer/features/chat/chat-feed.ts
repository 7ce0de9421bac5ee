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

export interface ChatFeed {
  /** Processes a frame of the socket; ignores frames of other chats. */
  push(frame: ServerFrame): void
}

/**
 * Collects the events of one chat and applies them in batches. `reread` is called when events were
 * missed.
 */
export function createChatFeed(
  store: ChatStore,
  options: { schedule: Schedule; reread: () => void },
): ChatFeed {
  let waiting: ChatEvent[] = []
  const drain = (): void => {
    const events = waiting
    waiting = []
    store.setState((state) => events.reduce(applyEvent, state), true)
    if (store.getState().isStale) options.reread()
  }
  return {
    push(frame) {
      if (
        frame.type !== 'events' ||
        frame.chat_id === null ||
        frame.chat_id !== store.getState().chatId
      )
        return
      waiting.push(frame)
      if (waiting.length === 1) options.schedule(drain)
    },
  }
}
