import type { Folder } from '#contract/folders.ts'
import { call, endpoints } from '../../api/client.ts'
import { eachLimited } from '../../lib/each-limited.ts'
import { type FoldersStore, putFolder, withDescendants } from './folders-store.ts'

/** A folder with those in it and the ids of their chats, as it was before it was deleted. */
export type FolderSnapshot = readonly { readonly folder: Folder; readonly chatIds: readonly string[] }[]

async function chatIdsOf(folderId: string): Promise<readonly string[]> {
  const ids: string[] = []
  for (let page = 1; ; page += 1) {
    const rows = await call(endpoints.chats.listInFolder, { params: { folder_id: folderId }, query: { page } })
    ids.push(...rows.map((chat) => chat.id))
    if (rows.length === 0) return ids
  }
}

/** Notes what has to be known to bring a folder back. */
export async function takeSnapshot(store: FoldersStore, folderId: string): Promise<FolderSnapshot> {
  const inside = withDescendants(store.getState().folders, folderId)
  return Promise.all(
    inside.map(async ({ id }) => {
      const [folder, chatIds] = await Promise.all([call(endpoints.folders.get, { params: { folder_id: id } }), chatIdsOf(id)])
      return { folder, chatIds }
    }),
  )
}

async function restoreChat(chatId: string, folderId: string, wasDeleted: boolean): Promise<void> {
  if (wasDeleted) await call(endpoints.chats.restore, { params: { chat_id: chatId } })
  await call(endpoints.chats.move, { params: { chat_id: chatId }, query: { reply: 'minimal' }, body: { folder_id: folderId } })
}

/** Makes the folders of a snapshot again and puts their chats back into them; throws the first failure at the end. */
export async function bringBack(store: FoldersStore, snapshot: FolderSnapshot, wereChatsDeleted: boolean): Promise<void> {
  const newIds = new Map<string, string>()
  for (const { folder } of snapshot) {
    const parentId = folder.parent_id === null ? null : (newIds.get(folder.parent_id) ?? folder.parent_id)
    const body = { name: folder.name, parent_id: parentId, data: folder.data, meta: folder.meta }
    const made = await call(endpoints.folders.create, { body })
    newIds.set(folder.id, made.id)
    if (folder.is_expanded) await call(endpoints.folders.expand, { params: { folder_id: made.id }, body: { is_expanded: true } })
    putFolder(store, { ...made, is_expanded: folder.is_expanded })
  }
  const chats = snapshot.flatMap(({ folder, chatIds }) => chatIds.map((id) => ({ id, folderId: newIds.get(folder.id)! })))
  const [failure] = await eachLimited(chats, ({ id, folderId }) => restoreChat(id, folderId, wereChatsDeleted))
  if (failure) throw failure.thrown
}
