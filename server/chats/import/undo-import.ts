import type { UndoneImport } from '#contract/imports.ts'
import { notFound } from '../../lib/errors.ts'
import { nowSeconds } from '../../lib/ids.ts'
import type { ChatContext } from '../chat-context.ts'
import { trashChats } from '../trash/trash-chats.ts'

/** Takes away the folders an import made, from inside out, as far as nothing is in them. */
async function removeEmptyFolders(
  { folders, storage }: ChatContext,
  userId: string,
  made: readonly string[],
): Promise<number> {
  let removed = 0
  for (let before = -1; before !== removed;) {
    before = removed
    for (const id of made) {
      removed += await storage.transaction(async () => {
        const folder = await folders.get(id)
        if (folder?.user_id !== userId) return 0
        const inside = (await folders.withDescendants(id)).filter((inner) => inner !== id)
        // Those in the trash went there on their own and come back to where they were.
        for (const inner of inside) if (await folders.get(inner)) return 0
        if ((await folders.chatsIn([id])).length > 0) return 0
        await folders.trash([id], nowSeconds())
        return 1
      })
    }
  }
  return removed
}

/**
 * Takes back what an import made, in short steps: chats as they came go to the trash, those that
 * were changed since stay.
 */
export async function* undoImport(
  context: ChatContext,
  userId: string,
  runId: string,
): AsyncGenerator<void, UndoneImport> {
  const { imports, announce } = context
  const made = await imports.madeBy(userId, runId)
  const madeFolders = await imports.foldersOf(userId, runId)
  if (made.length === 0 && madeFolders.length === 0)
    throw notFound('There is nothing left of this import.')
  const untouched = made.filter((chat) => chat.updated_at === chat.stored_at)
  const { moved } = yield* trashChats(
    context,
    userId,
    untouched.map((chat) => chat.chat_id),
  )
  const folders = await removeEmptyFolders(context, userId, madeFolders)
  if (folders > 0) announce.allChanged(userId, 'deleted')
  return { moved, changed: made.length - untouched.length, folders }
}
