import { setTimeout as sleep } from 'node:timers/promises'
import type { Chats } from '../../chats/index.ts'
import type { Task } from '../../tasks/index.ts'

const PAUSE_MILLISECONDS = 1000
/** The database may be unavailable; if the gateway ends first, another one does this. */
const MOST_TRIES = 600

/** Error of an answer that this gateway no longer writes, and no other gateway ended. */
export const CUT_OFF = {
  content: 'The answer was cut off. What had arrived is kept.',
  code: 'interrupted',
}

/**
 * Ends an answer that this run still holds although it does not continue: its start failed because
 * the connection was lost during the commit, or it was stored just after other gateways considered
 * this one dead and ended its visible answers. It would otherwise be marked as being written
 * forever, since its gateway is alive. Resolves with true if it had to be ended.
 */
export async function closeHeld(
  chats: Pick<Chats, 'saveAnswer'>,
  { chatId, messageId, writer }: Pick<Task, 'chatId' | 'messageId' | 'writer'>,
): Promise<boolean> {
  if (writer === null || chatId === null || messageId === null) return false
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    try {
      // Ends only an answer held by this run; an answer of another run stays unchanged.
      return await chats.saveAnswer(chatId, messageId, { done: true, error: CUT_OFF }, { writer })
    } catch {
      await sleep(PAUSE_MILLISECONDS, undefined, { ref: false })
    }
  }
  return false
}
