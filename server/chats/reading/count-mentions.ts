import { runInTurns } from '../../lib/turns.ts'
import type { ChatContext } from '../chat-context.ts'

/** Number of chats whose messages one statement reads, off the event loop. */
const CHATS = 100

async function* count(
  { store }: ChatContext,
  userId: string,
  text: string,
): AsyncGenerator<void, number> {
  const ids = await store.idsOfUser(userId)
  let found = 0
  for (let from = 0; from < ids.length; from += CHATS) {
    found += await store.countMentions(ids.slice(from, from + CHATS), text)
    yield
  }
  return found
}

/**
 * Returns the number of chats of a user in which a message includes this id; chats in the trash
 * count too, because they may be restored.
 */
export const countMentions = (context: ChatContext, userId: string, id: string): Promise<number> =>
  runInTurns(count(context, userId, id))
