import { notFound } from '../../lib/errors.ts'
import type { ChatContext } from '../chat-context.ts'
import { oldestInTrash } from './trash-time.ts'

/**
 * Erases a chat in the trash. It is marked as expired first, so that a half-erased chat can never
 * be restored; its rows are deleted in the background if there are many.
 */
export async function eraseChat(
  { store, trash }: ChatContext,
  userId: string,
  chatId: string,
): Promise<void> {
  const chat = await store.chat(chatId)
  if (!chat || chat.user_id !== userId || chat.deleted_at === null)
    throw notFound('This chat is not in the trash.')
  await trash.giveUp(chatId)
  await trash.eraseGivenUp(userId)
}

/** Erases everything of a user in the trash. */
export async function* emptyTrash(
  { trash }: ChatContext,
  userId: string,
): AsyncGenerator<void, true> {
  while (await trash.giveUpSome(userId)) yield
  await trash.eraseGivenUp(userId)
  return true
}

/** On start: erases chats that a former process was storing when it ended. */
export async function eraseUnfinished({ trash }: ChatContext): Promise<void> {
  for (const userId of await trash.giveUpUnfinished()) await trash.eraseGivenUp(userId)
}

/** Erases everything that has expired in the trash. */
export async function* purgeTrash({ trash }: ChatContext): AsyncGenerator<void, void> {
  while (await trash.giveUpSomeBefore(oldestInTrash())) yield
  for (const userId of await trash.owners()) {
    await trash.eraseGivenUp(userId)
    yield
  }
}
