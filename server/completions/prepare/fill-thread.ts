import { readStoredThread, toRequestThread } from './stored-thread.ts'
import { runInTurns } from '../../lib/turns.ts'
import type { Step } from './step.ts'

/**
 * Fills the messages from the stored chat, which may be continued without repeating it: an empty
 * message list stands for the stored thread.
 */
export const fillThread: Step = (parts, { turn }, request) => {
  if (request.messages.length > 0 || turn === null) return request
  return readStoredThread(parts, turn)
    .then((thread) => runInTurns(toRequestThread(thread)))
    .then((messages) => (messages.length === 0 ? request : { ...request, messages }))
}
