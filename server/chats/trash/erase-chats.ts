import { notFound } from '../../lib/errors.ts'
import type { ChatContext } from '../chat-context.ts'
import { oldestInTrash } from './trash-time.ts'

/** Messages erased in one transaction, so that nobody else is held up for long. */
const BATCH = 500

/** Erases a bounded part of a chat; true while there is more of it. */
function eraseSome({ storage, store, access }: ChatContext, chatId: string): boolean {
  return storage.transaction(() => {
    if (store.deleteSomeMessages(chatId, BATCH) === BATCH) return true
    store.deleteChat(chatId)
    access.remove('chat', chatId)
    return false
  })
}

function* eraseAll(context: ChatContext, chatIds: readonly string[]): Generator<void, void> {
  for (const chatId of chatIds) {
    while (eraseSome(context, chatId)) yield
    yield
  }
}

/** Erases a chat of the trash. Its days there are over first, so that a chat half erased can never be restored. */
export function* eraseChat(context: ChatContext, userId: string, chatId: string): Generator<void, true> {
  const chat = context.store.chat(chatId)
  if (!chat || chat.user_id !== userId || chat.deleted_at === null) throw notFound('This chat is not in the trash.')
  context.trash.giveUp(chatId)
  yield* eraseAll(context, [chatId])
  return true
}

/** Erases everything of a person in the trash. */
export function* emptyTrash(context: ChatContext, userId: string): Generator<void, true> {
  const { trash } = context
  trash.eraseFolders(userId)
  for (let chatIds = trash.giveUpSome(userId); chatIds.length > 0; chatIds = trash.giveUpSome(userId)) yield* eraseAll(context, chatIds)
  return true
}

/** Erases a bounded part of what has been in the trash for its whole time; true while there is more. */
export function purgeTrash(context: ChatContext): boolean {
  const [chatId] = context.trash.chatsBefore(oldestInTrash(), 1)
  if (chatId === undefined) {
    context.trash.eraseFoldersBefore(oldestInTrash())
    return false
  }
  eraseSome(context, chatId)
  return true
}
