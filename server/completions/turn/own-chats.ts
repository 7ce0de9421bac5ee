import type { ChatBodyInput } from '#contract/chats.ts'
import type { CompletionsDependencies } from '../completions-parts.ts'

type Parts = Pick<CompletionsDependencies, 'chats' | 'chatNews'>

/** Creates the chat a question is asked in; resolves with its id. */
export async function createOwnChat(
  { chats, chatNews }: Parts,
  userId: string,
  body: ChatBodyInput,
  folderId: string | null,
): Promise<string> {
  const { id } = await chats.create(userId, body, { folderId })
  await chatNews?.created(userId, id)
  return id
}

/**
 * Deletes the chat of a question that could not be asked, so that the list contains no empty chat.
 */
export async function removeOwnChat(
  { chats, chatNews }: Parts,
  userId: string,
  chatId: string,
): Promise<void> {
  await chats.remove(userId, chatId)
  await chatNews?.removed(userId, chatId)
}
