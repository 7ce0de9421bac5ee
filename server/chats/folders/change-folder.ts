import { badRequest } from '../../lib/errors.ts'
import { newId, nowSeconds } from '../../lib/ids.ts'
import { readInGroups } from '../../lib/timing/read-in-groups.ts'
import { turnWhenLong } from '../../lib/turns.ts'
import { stopWriting } from '../change-chat.ts'
import type { ChatContext } from '../chat-context.ts'
import { DEEPEST, MOST_FOLDERS, toFolderText } from './folder-text.ts'
import { requireFolder } from './require-folder.ts'
import type { FolderRow } from './store.ts'
import type { Fields } from '../../lib/is-record.ts'

export interface NewFolder {
  readonly name: string
  readonly parent_id?: string | null
  readonly data?: Fields | null
  readonly meta?: Fields | null
}

async function requireFreeName(
  { folders }: ChatContext,
  userId: string,
  place: { parentId: string | null; name: string; id?: string },
): Promise<void> {
  const found = await folders.named(userId, place.parentId, place.name)
  if (found && found.id !== place.id)
    throw badRequest(`There is a folder named ${JSON.stringify(found.name)} here already.`)
}

export async function createFolder(
  context: ChatContext,
  userId: string,
  folder: NewFolder,
): Promise<FolderRow> {
  // Otherwise another call could take the name, or move the parent, after the check.
  const row = await context.storage.transaction(() => addFolder(context, userId, folder))
  context.announce.allChanged(userId, 'folders')
  return row
}

/** Must be called within a transaction. */
async function addFolder(
  context: ChatContext,
  userId: string,
  { name, parent_id: parentId = null, data, meta }: NewFolder,
): Promise<FolderRow> {
  const { folders } = context
  if (parentId !== null) {
    await requireFolder(context, userId, parentId)
    if ((await folders.withAncestors(parentId)).length >= DEEPEST)
      throw badRequest(`Folders can be ${DEEPEST} levels deep.`)
  }
  await requireFreeName(context, userId, { parentId, name })
  await context.checkAttached(userId, data?.['files'], [])
  if ((await folders.count(userId)) >= MOST_FOLDERS)
    throw badRequest(`There can be ${MOST_FOLDERS} folders. Delete one first.`)
  const time = nowSeconds()
  const row: FolderRow = {
    id: newId(),
    user_id: userId,
    parent_id: parentId,
    name,
    meta: toFolderText('meta', meta),
    data: toFolderText('data', data),
    is_expanded: 0,
    created_at: time,
    updated_at: time,
    deleted_at: null,
  }
  await folders.insert(row)
  return row
}

/**
 * Changes a folder as `toChanges` finds it in the same transaction: another tab may be changing it,
 * or the folders around it.
 */
async function change(
  context: ChatContext,
  userId: string,
  id: string,
  toChanges: (folder: FolderRow) => Promise<Partial<FolderRow>>,
): Promise<FolderRow> {
  const changed = await context.storage.transaction(async () => {
    const folder = await requireFolder(context, userId, id)
    const changes = { ...(await toChanges(folder)), updated_at: nowSeconds() }
    await context.folders.update(id, changes)
    return { ...folder, ...changes }
  })
  context.announce.allChanged(userId, 'folders')
  return changed
}

/** Lays the sent fields over the stored ones; changes nothing if none were sent. */
function overlay(
  part: 'data' | 'meta',
  stored: string | null,
  sent: Fields | null | undefined,
): string | null {
  if (!sent) return stored
  return toFolderText(part, { ...(stored === null ? {} : (JSON.parse(stored) as Fields)), ...sent })
}

const filesOf = ({ data }: FolderRow): unknown =>
  data === null ? [] : (JSON.parse(data) as Fields)['files']

/**
 * Returns the files and collections included in a folder of a user; null if there is no such
 * folder.
 */
export async function readFolderFiles(
  { folders }: ChatContext,
  userId: string,
  folderId: string,
): Promise<readonly unknown[] | null> {
  const folder = await folders.get(folderId)
  if (folder?.user_id !== userId || folder.deleted_at !== null) return null
  const files = filesOf(folder)
  return Array.isArray(files) ? files : []
}

/** Returns the number of folders of a user that include a matching item. */
export async function countBringing(
  { folders }: ChatContext,
  userId: string,
  fits: (items: unknown) => boolean,
): Promise<number> {
  let count = 0
  const ids = await folders.idsOfUser(userId)
  for await (const folder of readInGroups(ids, (some) => folders.several(some))) {
    const turn = turnWhenLong()
    if (turn) await turn
    if (fits(filesOf(folder))) count += 1
  }
  return count
}

export function updateFolder(
  context: ChatContext,
  userId: string,
  {
    id,
    name,
    data,
    meta,
  }: { id: string; name?: string; data?: Fields | null; meta?: Fields | null },
): Promise<FolderRow> {
  return change(context, userId, id, async (folder) => {
    if (name !== undefined)
      await requireFreeName(context, userId, { parentId: folder.parent_id, name, id })
    await context.checkAttached(userId, data?.['files'], filesOf(folder))
    return {
      name: name ?? folder.name,
      data: overlay('data', folder.data, data),
      meta: overlay('meta', folder.meta, meta),
    }
  })
}

/** Moves a folder to another one or to the top level. */
export function moveFolder(
  context: ChatContext,
  userId: string,
  { id, parentId }: { id: string; parentId: string | null },
): Promise<FolderRow> {
  return change(context, userId, id, async ({ name }) => {
    if (parentId !== null) await requireRoom(context, userId, { id, parentId })
    await requireFreeName(context, userId, { parentId, name, id })
    return { parent_id: parentId }
  })
}

/** Throws 400 if a folder cannot be inside another one. */
async function requireRoom(
  context: ChatContext,
  userId: string,
  { id, parentId }: { id: string; parentId: string },
): Promise<void> {
  const { folders } = context
  await requireFolder(context, userId, parentId)
  const around = await folders.withAncestors(parentId)
  if (around.includes(id))
    throw badRequest('A folder cannot be moved into itself or into a folder in it.')
  if (around.length + (await folders.withDescendants(id)).length > DEEPEST)
    throw badRequest(`Folders can be ${DEEPEST} levels deep.`)
}

export async function expandFolder(
  context: ChatContext,
  userId: string,
  { id, isExpanded }: { id: string; isExpanded: boolean },
): Promise<FolderRow> {
  const folder = await requireFolder(context, userId, id)
  await context.folders.update(id, { is_expanded: Number(isExpanded) })
  return { ...folder, is_expanded: Number(isExpanded) }
}

/**
 * Returns true if a folder or one of its subfolders has chats, which deleting it with its contents
 * would delete.
 */
export const holdsChats = async (
  context: ChatContext,
  userId: string,
  id: string,
): Promise<boolean> =>
  (
    await context.folders.chatsIn(
      await context.folders.withDescendants((await requireFolder(context, userId, id)).id),
    )
  ).length > 0

/**
 * Moves a folder with its subfolders to the trash; the chats are moved there too or stay without a
 * folder. In short steps, the chats first: after a crash the folder has fewer chats, and the same
 * call continues.
 */
export async function* removeFolder(
  context: ChatContext,
  userId: string,
  { id, withChats }: { id: string; withChats: boolean },
): AsyncGenerator<void, void> {
  const { storage, folders, store, announce } = context
  await requireFolder(context, userId, id)
  const time = nowSeconds()
  const idsInside = async (): Promise<string[]> => {
    await requireFolder(context, userId, id)
    return folders.withDescendants(id)
  }
  if (withChats) {
    const inside = new Set(await idsInside())
    const written = new Set((await store.running()).map((row) => row.chat_id))
    for (const chatId of written)
      if (inside.has((await store.chat(chatId))?.folder_id ?? ''))
        await stopWriting(context, chatId)
  }
  const step = async (): Promise<boolean> => {
    const ids = await idsInside()
    if (await folders.moveSomeOut(ids, withChats ? time : null)) return true
    await folders.trash(ids, time)
    return false
  }
  while (await storage.transaction(step)) yield
  announce.allChanged(userId, withChats ? 'deleted' : 'moved')
}
