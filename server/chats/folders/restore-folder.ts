import { badRequest, notFound } from '../../lib/errors.ts'
import { nowSeconds } from '../../lib/ids.ts'
import type { ChatContext } from '../chat-context.ts'
import { oldestInTrash } from '../trash/trash-time.ts'
import { LONGEST_NAME, MOST_FOLDERS } from './folder-text.ts'
import type { FolderRow } from './store.ts'

/** Returns the name of a folder, with a number if the name is no longer free. */
async function toFreeName(
  { folders }: ChatContext,
  { user_id: userId, name }: FolderRow,
  parentId: string | null,
): Promise<string> {
  let free = name
  for (let number = 2; await folders.named(userId, parentId, free); number += 1) {
    const suffix = ` (${number})`
    free = name.slice(0, LONGEST_NAME - suffix.length).toWellFormed() + suffix
  }
  return free
}

/**
 * Restores a folder from the trash with the folders and chats deleted together with it; does
 * nothing if it is not there. In short steps, the chats first: after a crash the folder is still in
 * the trash, and the same call continues.
 */
export async function* restoreFolder(
  context: ChatContext,
  userId: string,
  id: string,
): AsyncGenerator<void, FolderRow> {
  const { storage, folders, announce } = context
  const find = async (): Promise<{ folder: FolderRow; deletedAt: number | null }> => {
    const folder = await folders.getAnywhere(id)
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
  const { folder, deletedAt } = await find()
  if (deletedAt === null) return folder
  const trashed = await folders.trashedAt(await folders.withDescendants(id), deletedAt)
  if ((await folders.count(userId)) + trashed.length > MOST_FOLDERS)
    throw badRequest(`There can be ${MOST_FOLDERS} folders. Delete one first.`)
  for (;;) {
    const restored = await storage.transaction(async () => {
      if (
        (await find()).deletedAt !== deletedAt ||
        (await folders.restoreSomeChats(trashed, deletedAt))
      )
        return null
      const parentId =
        folder.parent_id !== null && (await folders.get(folder.parent_id)) ? folder.parent_id : null
      const changes = {
        name: await toFreeName(context, folder, parentId),
        parent_id: parentId,
        updated_at: nowSeconds(),
        deleted_at: null,
      }
      await folders.restore(trashed)
      await folders.update(id, changes)
      return { ...folder, ...changes }
    })
    if (restored) {
      announce.allChanged(userId, 'restored')
      return restored
    }
    const now = await find()
    if (now.deletedAt !== deletedAt) return now.folder
    yield
  }
}
