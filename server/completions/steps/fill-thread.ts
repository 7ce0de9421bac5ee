import { readStoredThread, toRequestThread } from '../stored-thread.ts'
import { runInTurns } from '../../lib/turns.ts'
import type { Step } from './step.ts'

/**
 * A stored chat may be continued without repeating it: an empty message list means the stored
 * thread.
 */
export const fillThread: Step = (parts, { turn }, request) => {
  if (request.messages.length > 0 || turn === null) return request
  return readStoredThread(parts, turn)
    .then((thread) => runInTurns(toRequestThread(thread)))
    .then((messages) => (messages.length === 0 ? request : { ...request, messages }))
}
