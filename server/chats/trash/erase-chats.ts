import { notFound } from '../../lib/errors.ts'
import type { ChatContext } from '../chat-context.ts'
import { oldestInTrash } from './trash-time.ts'

/**
 * Erases a chat of the trash. Its days there are over from now on, so that a chat half erased can
 * never be restored; its rows are removed in the background where there are many.
 */
export async function eraseChat(
  { store, trash }: ChatContext,
  userId: string,
  chatId: string,
): Promise<true> {
  const chat = await store.chat(chatId)
  if (!chat || chat.user_id !== userId || chat.deleted_at === null)
    throw notFound('This chat is not in the trash.')
  await trash.giveUp(chatId)
  await trash.eraseGivenUp(userId)
  return true
}

/** Erases everything of a person in the trash. */
export async function* emptyTrash(
  { trash }: ChatContext,
  userId: string,
): AsyncGenerator<void, true> {
  while (await trash.giveUpSome(userId)) yield
  await trash.eraseGivenUp(userId)
  return true
}

/** At start: erases what a former process was storing when it ended. */
export async function eraseUnfinished({ trash }: ChatContext): Promise<void> {
  for (const userId of await trash.giveUpUnfinished()) await trash.eraseGivenUp(userId)
}

/** Erases what has been in the trash for its whole time. */
export async function* purgeTrash({ trash }: ChatContext): AsyncGenerator<void, void> {
  while (await trash.giveUpSomeBefore(oldestInTrash())) yield
  for (const userId of await trash.owners()) {
    await trash.eraseGivenUp(userId)
    yield
  }
}
