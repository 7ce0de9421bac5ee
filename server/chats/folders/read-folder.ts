import type { Folder, FolderItem } from '#contract/folders.ts'
import { readInGroups } from '../../lib/timing/read-in-groups.ts'
import type { ChatContext } from '../chat-context.ts'
import type { FolderContext } from '../answers/answer-patch.ts'
import type { FolderItemRow, FolderRow } from './store.ts'
import type { Fields } from '../../lib/is-record.ts'

const toObject = (text: string | null): Fields | null =>
  text === null ? null : (JSON.parse(text) as Fields)

const toFolderItem = (row: FolderItemRow): FolderItem => ({
  id: row.id,
  name: row.name,
  meta: toObject(row.meta),
  parent_id: row.parent_id,
  is_expanded: row.is_expanded === 1,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/**
 * Lists the user's folders, each with the number of chats in it, a few at a time; omits those
 * deleted meanwhile.
 */
export async function* listFolders(
  { folders }: ChatContext,
  userId: string,
): AsyncGenerator<FolderItem> {
  const counts = await folders.chatCounts(userId)
  const ids = await folders.idsOfUser(userId)
  for await (const row of readInGroups(ids, (some) => folders.items(some)))
    yield { ...toFolderItem(row), chat_count: counts.get(row.id) ?? 0 }
}

export const toFolder = (row: FolderRow): Folder => ({
  ...toFolderItem(row),
  user_id: row.user_id,
  data: toObject(row.data),
})

/**
 * Returns the instructions of a chat's folder for every model used in it; null outside of folders
 * or if it has none.
 */
export async function readFolderContext(
  { store, folders }: ChatContext,
  chatId: string,
): Promise<FolderContext | null> {
  const folderId = (await store.chat(chatId))?.folder_id ?? null
  const data = folderId === null ? null : toObject((await folders.get(folderId))?.data ?? null)
  if (!data) return null
  const prompt = data['system_prompt']
  const files = data['files']
  return {
    system_prompt: typeof prompt === 'string' && prompt !== '' ? prompt : null,
    files: Array.isArray(files) ? files : [],
  }
}
