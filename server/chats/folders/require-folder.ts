import type { Selectable } from 'kysely'
import { notFound } from '../../lib/errors.ts'
import type { FolderTable } from '../../storage/tables/chats.ts'
import type { ChatContext } from '../chat-context.ts'

/** Returns a folder of a user; throws the same 404 for a missing and a foreign one. */
export async function requireFolder(
  { folders }: ChatContext,
  userId: string,
  folderId: string,
): Promise<Selectable<FolderTable>> {
  const folder = await folders.get(folderId)
  if (!folder || folder.user_id !== userId) throw notFound('This folder does not exist.')
  return folder
}
