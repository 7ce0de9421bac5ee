import { newId, nowSeconds } from '../../lib/ids.ts'
import type { ChatContext } from '../chat-context.ts'
import { checkPlainJson } from '../../lib/check-plain-json.ts'
import { asText, isObject, type Fields } from './archive-chat.ts'

const LONGEST_NAME = 200
const DEEPEST = 100

function toText(value: unknown): string | null {
  if (!isObject(value)) return null
  checkPlainJson(value, 'The folder')
  return JSON.stringify(value)
}

/** Finds the folder here for one of the archive: the very same, one of that name in the same place, or a new one. */
export function createFolderFinder(
  { folders }: ChatContext,
  userId: string,
  listed: readonly Fields[],
): (id: string | null) => string | null {
  const byId = new Map(listed.map((folder) => [asText(folder['id']), folder]))
  const found = new Map<string, string | null>()

  function make(folder: Fields, parentId: string | null): string {
    const name = asText(folder['name']).trim().slice(0, LONGEST_NAME) || 'Folder'
    const known = folders.named(userId, parentId, name)
    if (known) return known.id
    const id = newId()
    folders.insert({
      id,
      user_id: userId,
      parent_id: parentId,
      name,
      meta: toText(folder['meta']),
      data: toText(folder['data']),
      is_expanded: Number(folder['is_expanded'] === true),
      created_at: nowSeconds(),
      updated_at: nowSeconds(),
    })
    return id
  }

  function find(id: string | null, depth: number): string | null {
    if (id === null || depth > DEEPEST) return null
    if (folders.get(id)?.user_id === userId) return id
    const known = found.get(id)
    // What was found may have been taken back with the chat it was made for, or deleted since.
    if (known !== undefined && (known === null || folders.get(known))) return known
    const folder = byId.get(id)
    const made = folder ? make(folder, find(asText(folder['parent_id']) || null, depth + 1)) : null
    found.set(id, made)
    return made
  }
  return (id) => find(id, 0)
}
