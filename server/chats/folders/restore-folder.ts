import { badRequest, notFound } from '../../lib/errors.ts'
import { nowSeconds } from '../../lib/ids.ts'
import type { ChatContext } from '../chat-context.ts'
import { oldestInTrash } from '../trash/trash-time.ts'
import { LONGEST_NAME, MOST_FOLDERS } from './folder-text.ts'
import type { FolderRow } from './store.ts'

/** The name of a folder, with a number where it was taken meanwhile. */
function toFreeName(
  { folders }: ChatContext,
  { user_id: userId, name }: FolderRow,
  parentId: string | null,
): string {
  let free = name
  for (let number = 2; folders.named(userId, parentId, free); number += 1) {
    const suffix = ` (${number})`
    free = name.slice(0, LONGEST_NAME - suffix.length).toWellFormed() + suffix
  }
  return free
}

/**
 * Takes a folder out of the trash with the folders and chats that went with it; one that is not in
 * it stays as it is. In short steps, the chats first: what a kill leaves is a folder of the trash,
 * and the same call goes on.
 */
export function* restoreFolder(
  context: ChatContext,
  userId: string,
  id: string,
): Generator<void, FolderRow> {
  const { storage, folders, announce } = context
  const find = (): { folder: FolderRow; deletedAt: number | null } => {
    const folder = folders.getAnywhere(id)
    const deletedAt = folder?.deleted_at ?? null
    if (
      !folder ||
      folder.user_id !== userId ||
      (deletedAt !== null && deletedAt < oldestInTrash())
    ) {
      throw notFound('This folder does not exist, or it was deleted permanently.')
    }
    return { folder, deletedAt }
  }
  const { folder, deletedAt } = find()
  if (deletedAt === null) return folder
  const trashed = folders.trashedAt(folders.withDescendants(id), deletedAt)
  if (folders.count(userId) + trashed.length > MOST_FOLDERS)
    throw badRequest(`There can be ${MOST_FOLDERS} folders. Delete one first.`)
  for (;;) {
    const restored = storage.transaction(() => {
      if (find().deletedAt !== deletedAt || folders.restoreSomeChats(trashed, deletedAt))
        return null
      const parentId =
        folder.parent_id !== null && folders.get(folder.parent_id) ? folder.parent_id : null
      const changes = {
        name: toFreeName(context, folder, parentId),
        parent_id: parentId,
        updated_at: nowSeconds(),
        deleted_at: null,
      }
      folders.restore(trashed)
      folders.update(id, changes)
      return { ...folder, ...changes }
    })
    if (restored) {
      announce.allChanged(userId, 'restored')
      return restored
    }
    const now = find()
    if (now.deletedAt !== deletedAt) return now.folder
    yield
  }
}
