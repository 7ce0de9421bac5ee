import type { ServerFrame } from '#contract/events.ts'
import { applyEvent, type ChatEvent } from './apply-event.ts'
import type { ChatStore } from './chat-store.ts'

/** Calls back before the next paint, or soon when the window is hidden and paints nothing. */
export type Schedule = (callback: () => void) => void

/**
 * Least time between two drawings of a growing answer: words come in small batches, and the machine
 * stays idle in between.
 */
const BATCH_MS = 32
const HIDDEN_MS = 250

/** Waits for a frame, and lets at least one pass between two of them. */
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
  /** Takes a frame of the socket; frames of other chats are not for this one. */
  push(frame: ServerFrame): void
}

/**
 * Collects the events of one chat and draws them together. `reread` is called when something was
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
