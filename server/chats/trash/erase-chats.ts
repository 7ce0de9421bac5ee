import { notFound } from '../../lib/errors.ts'
import type { ChatContext } from '../chat-context.ts'
import { oldestInTrash } from './trash-time.ts'

/**
 * Erases a chat of the trash. Its days there are over from now on, so that a chat half erased can
 * never be restored; its rows are removed in the background where there are many.
 */
export function eraseChat({ store, trash }: ChatContext, userId: string, chatId: string): true {
  const chat = store.chat(chatId)
  if (!chat || chat.user_id !== userId || chat.deleted_at === null)
    throw notFound('This chat is not in the trash.')
  trash.giveUp(chatId)
  trash.eraseGivenUp(userId)
  return true
}

/** Erases everything of a person in the trash. */
export function* emptyTrash({ trash }: ChatContext, userId: string): Generator<void, true> {
  while (trash.giveUpSome(userId)) yield
  trash.eraseGivenUp(userId)
  return true
}

/** At start: erases what a former process was storing when it ended. */
export function eraseUnfinished({ trash }: ChatContext): void {
  for (const userId of trash.giveUpUnfinished()) trash.eraseGivenUp(userId)
}

/** Erases what has been in the trash for its whole time. */
export function* purgeTrash({ trash }: ChatContext): Generator<void, void> {
  while (trash.giveUpSomeBefore(oldestInTrash())) yield
  for (const userId of trash.owners()) {
    trash.eraseGivenUp(userId)
    yield
  }
}
