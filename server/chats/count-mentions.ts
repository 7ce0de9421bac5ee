import { runInTurns } from '../lib/turns.ts'
import type { ChatContext } from './chat-context.ts'

/** A statement reads all their messages, beside the event loop. */
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
 * In how many chats of a person a message brings this id along; chats in the trash count too, as
 * they may return.
 */
export const countMentions = (context: ChatContext, userId: string, id: string): Promise<number> =>
  runInTurns(count(context, userId, id))
