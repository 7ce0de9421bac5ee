import type { UndoneImport } from '#contract/imports.ts'
import { notFound } from '../../lib/errors.ts'
import { nowSeconds } from '../../lib/ids.ts'
import type { ChatContext } from '../chat-context.ts'
import { trashChats } from '../trash/trash-chats.ts'
import { removeImportedPrompts } from './import-prompt.ts'

/** Deletes the folders created by an import, innermost first, if they are empty. */
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
        // Folders in the trash were deleted separately and are restored to their former place.
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
 * Undoes an import in short steps: unchanged chats are moved to the trash and unchanged prompts
 * deleted; those changed since stay.
 */
export async function* undoImport(
  context: ChatContext,
  userId: string,
  runId: string,
): AsyncGenerator<void, UndoneImport> {
  const { imports, importedPrompts, announce } = context
  const made = await imports.madeBy(userId, runId)
  const madeFolders = await imports.foldersOf(userId, runId)
  const madePrompts = await importedPrompts.madeBy(userId, runId)
  if (made.length + madeFolders.length + madePrompts.length === 0)
    throw notFound('Nothing of this import is left.')
  const untouched = made.filter((chat) => chat.updated_at === chat.stored_at)
  const { moved } = yield* trashChats(
    context,
    userId,
    untouched.map((chat) => chat.chat_id),
  )
  const prompts = await removeImportedPrompts(context, userId, madePrompts)
  const folders = await removeEmptyFolders(context, userId, madeFolders)
  if (folders > 0) announce.allChanged(userId, 'deleted')
  return {
    moved,
    changed: made.length - untouched.length,
    folders,
    prompts,
    prompts_changed: madePrompts.length - prompts,
  }
}
