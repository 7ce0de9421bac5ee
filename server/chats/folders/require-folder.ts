import type { Selectable } from 'kysely'
import { notFound } from '../../lib/errors.ts'
import type { FolderTable } from '../../storage/tables/chats.ts'
import type { ChatContext } from '../chat-context.ts'

/** A folder of a user; a missing and a foreign one are the same 404. */
export async function requireFolder(
  { folders }: Pick<ChatContext, 'folders'>,
  userId: string,
  folderId: string,
): Promise<Selectable<FolderTable>> {
  const folder = await folders.get(folderId)
  if (!folder || folder.user_id !== userId) throw notFound('This folder does not exist.')
  return folder
}
