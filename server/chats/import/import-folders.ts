import { ServiceError } from '../../lib/errors.ts'
import { newId, nowSeconds } from '../../lib/ids.ts'
import type { ChatContext } from '../chat-context.ts'
import { DEEPEST, LONGEST_NAME, MOST_FOLDERS, toFolderText } from '../folders/folder-text.ts'
import type { Fields } from './archive-chat.ts'
import { asText } from '../../lib/text/as-text.ts'
import { isRecord } from '../../lib/is-record.ts'

/** Omits values that are too large; the chats are imported without them. */
function toText(part: 'data' | 'meta', value: unknown): string | null {
  try {
    return isRecord(value) ? toFolderText(part, value) : null
  } catch (error) {
    if (error instanceof ServiceError) return null
    throw error
  }
}

/**
 * Creates the function that finds the folder for one of the archive: the same one, one of that name
 * in the same place, or a new one.
 */
export function createFolderFinder(
  { folders, imports }: ChatContext,
  { userId, runId }: { readonly userId: string; readonly runId: string },
  listed: readonly Fields[],
): (id: string | null) => Promise<string | null> {
  const byId = new Map(listed.map((folder) => [asText(folder['id']), folder]))
  const found = new Map<string, string | null>()

  async function make(folder: Fields, parentId: string | null): Promise<string | null> {
    const name = asText(folder['name']).trim().slice(0, LONGEST_NAME) || 'Folder'
    const known = await folders.named(userId, parentId, name)
    if (known) return known.id
    if ((await folders.count(userId)) >= MOST_FOLDERS) return null
    const id = newId()
    await folders.insert({
      id,
      user_id: userId,
      parent_id: parentId,
      name,
      meta: toText('meta', folder['meta']),
      data: toText('data', folder['data']),
      is_expanded: Number(folder['is_expanded'] === true),
      created_at: nowSeconds(),
      updated_at: nowSeconds(),
      deleted_at: null,
    })
    await imports.saveFolder(userId, runId, id)
    return id
  }

  async function find(id: string | null, depth: number): Promise<string | null> {
    if (id === null || depth > DEEPEST) return null
    if ((await folders.get(id))?.user_id === userId) return id
    const known = found.get(id)
    // The folder found may have been removed with the chat it was created for, or deleted since.
    if (known !== undefined && (known === null || (await folders.get(known)))) return known
    const folder = byId.get(id)
    // Until it is created it counts as none, so that folders that contain each other do not cause
    // endless recursion.
    found.set(id, null)
    const made = folder
      ? await make(folder, await find(asText(folder['parent_id']) || null, depth + 1))
      : null
    found.set(id, made)
    return made
  }
  return (id) => find(id, 0)
}
