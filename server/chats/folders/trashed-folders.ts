import type { TrashedFolder } from '#contract/folders.ts'
import { notFound } from '../../lib/errors.ts'
import type { ChatContext } from '../chat-context.ts'
import { oldestInTrash } from '../trash/trash-time.ts'
import type { FolderRow, TrashedFolderRow } from './store.ts'

/**
 * Lists folders in the trash that can be restored on their own, each with the number of items
 * restored with it.
 */
export async function listTrashedFolders(
  { folders }: ChatContext,
  userId: string,
): Promise<TrashedFolder[]> {
  const rows = await folders.inTrash(userId, oldestInTrash())
  const inside = Map.groupBy(rows, (row) => row.parent_id)
  const withInside = (row: TrashedFolderRow): TrashedFolderRow[] => [
    row,
    ...(inside.get(row.id) ?? []).flatMap(withInside),
  ]
  return (inside.get(null) ?? []).map((row) => {
    const all = withInside(row)
    return {
      id: row.id,
      name: row.name,
      deleted_at: row.deleted_at,
      folder_count: all.length - 1,
      chat_count: all.reduce((sum, { chat_count: count }) => sum + count, 0),
    }
  })
}

/** Returns a folder of a user that is in the trash and has not expired. */
async function requireTrashed(
  { folders }: ChatContext,
  userId: string,
  id: string,
): Promise<FolderRow & { deleted_at: number }> {
  const folder = await folders.getAnywhere(id)
  const deletedAt = folder?.deleted_at ?? 0
  if (!folder || folder.user_id !== userId || deletedAt < oldestInTrash())
    throw notFound('This folder is not in the trash.')
  return { ...folder, deleted_at: deletedAt }
}

/**
 * Erases a folder in the trash with those deleted together with it. Chats in the trash stay there
 * until they expire themselves.
 */
export async function eraseFolder(context: ChatContext, userId: string, id: string): Promise<void> {
  const { storage, folders, trash } = context
  const { deleted_at: time } = await requireTrashed(context, userId, id)
  await storage.transaction(async () => folders.giveUp(id, await folders.withDescendants(id), time))
  await trash.eraseGivenUp(userId)
}
