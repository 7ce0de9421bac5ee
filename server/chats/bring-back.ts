import type { Chat } from '#contract/chats.ts'
import type { Folder } from '#contract/folders.ts'
import { ServiceError } from '../lib/errors.ts'
import { runInTurns } from '../lib/turns.ts'
import type { ChatContext } from './chat-context.ts'
import { createFolder } from './folders/change-folder.ts'
import { createFrom } from './import/import-chat.ts'
import { parseOwnChat } from './import/parse-own.ts'

/** Stores a chat of an earlier state as a new one, without its link and its grants. */
export async function bringChatBack(
  context: ChatContext,
  userId: string,
  { chat, folderId = null }: { chat: Chat; folderId?: string | null },
): Promise<string> {
  const isHere = async (): Promise<boolean> =>
    folderId !== null && (await context.folders.get(folderId)) !== undefined
  const record = async () => ({ folder_id: (await isHere()) ? folderId : null })
  const { id } = await runInTurns(createFrom(context, userId, parseOwnChat(chat), { record }))
  await context.backlog.wake()
  context.announce.allChanged(userId, 'imported')
  return id
}

async function findFreeName(
  { folders }: ChatContext,
  userId: string,
  { name, parentId }: { name: string; parentId: string | null },
): Promise<string> {
  let free = name
  for (let count = 2; await folders.named(userId, parentId, free); count += 1)
    free = `${name.slice(0, 190)} (${count})`
  return free
}

/** Omits files that are deleted or no longer belong to the user. */
async function findFilesThere(
  { checkAttached }: ChatContext,
  userId: string,
  files: unknown,
): Promise<readonly unknown[]> {
  const there: unknown[] = []
  for (const file of Array.isArray(files) ? (files as unknown[]) : []) {
    try {
      await checkAttached(userId, [file], [])
      there.push(file)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
    }
  }
  return there
}

export async function bringFolderBack(
  context: ChatContext,
  userId: string,
  folder: Folder,
  parentId: string | null,
): Promise<string> {
  const { name, meta, data } = folder
  const files = await findFilesThere(context, userId, data?.['files'])
  return context.storage.transaction(async () => {
    const made = await createFolder(context, userId, {
      name: await findFreeName(context, userId, { name, parentId }),
      parent_id: parentId,
      meta,
      data: data && { ...data, files },
    })
    return made.id
  })
}
