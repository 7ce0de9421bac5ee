import { setTimeout as sleep } from 'node:timers/promises'
import type { Chats } from '../chats/index.ts'
import type { Task } from '../tasks/index.ts'

const PAUSE_MILLISECONDS = 1000
/** The database may be away; a gateway that ends before has this done by another. */
const MOST_TRIES = 600

/** Of an answer that another gateway did not end, though this one writes no more of it. */
export const CUT_OFF = {
  content: 'The answer was cut off. What had arrived is kept.',
  code: 'interrupted',
}

/**
 * Ends an answer that this run still holds though it does not go on: its beginning failed with a
 * connection that was lost with the commit, or was stored just after others took this gateway for
 * dead and ended what they saw. It would be marked as being written for ever, since its gateway is
 * there. True when it had to be ended.
 */
export async function closeHeld(
  chats: Pick<Chats, 'saveAnswer'>,
  { chatId, messageId, writer }: Pick<Task, 'chatId' | 'messageId' | 'writer'>,
): Promise<boolean> {
  if (writer === null || chatId === null || messageId === null) return false
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    try {
      // Only what this run holds: the answer of another one stays as it is.
      return await chats.saveAnswer(chatId, messageId, { done: true, error: CUT_OFF }, { writer })
    } catch {
      await sleep(PAUSE_MILLISECONDS, undefined, { ref: false })
    }
  }
  return false
}
