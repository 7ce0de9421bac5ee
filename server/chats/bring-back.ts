import type { Chat } from '#contract/chats.ts'
import type { Folder } from '#contract/folders.ts'
import { runInTurns } from '../lib/turns.ts'
import type { ChatContext } from './chat-context.ts'
import { createFolder } from './folders/change-folder.ts'
import { createFrom } from './import/import-chat.ts'
import { parseOwnChat } from './import/parse-own.ts'

/** Stores a chat of an earlier state as a new one, with neither its link nor its rights. */
export async function bringChatBack(
  context: ChatContext,
  userId: string,
  { chat, folderId = null }: { chat: Chat; folderId?: string | null | undefined },
): Promise<string> {
  const isHere = (): boolean => folderId !== null && context.folders.get(folderId) !== undefined
  const record = () => ({ folder_id: isHere() ? folderId : null })
  const { id } = await runInTurns(createFrom(context, userId, parseOwnChat(chat), { record }))
  context.backlog.wake()
  context.announce.allChanged(userId, 'imported')
  return id
}

function findFreeName(
  { folders }: ChatContext,
  userId: string,
  { name, parentId }: { name: string; parentId: string | null },
): string {
  let free = name
  for (let count = 2; folders.named(userId, parentId, free); count += 1)
    free = `${name.slice(0, 190)} (${count})`
  return free
}

/** Files that are gone, or not the person's any more, are left out. */
function findFilesThere(
  { checkAttached }: ChatContext,
  userId: string,
  files: unknown,
): readonly unknown[] {
  return (Array.isArray(files) ? (files as unknown[]) : []).filter((file) => {
    try {
      checkAttached(userId, [file], [])
      return true
    } catch {
      return false
    }
  })
}

export function bringFolderBack(
  context: ChatContext,
  userId: string,
  folder: Folder,
  parentId: string | null,
): string {
  const { name, meta, data } = folder
  const files = findFilesThere(context, userId, data?.['files'])
  return createFolder(context, userId, {
    name: findFreeName(context, userId, { name, parentId }),
    parent_id: parentId,
    meta,
    data: data && { ...data, files },
  }).id
}
