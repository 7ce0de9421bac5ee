import { badRequest } from '../../lib/errors.ts'

/** Maximum number of tags of a chat; each is a row of the table that finds chats by tag. */
export const MOST_TAGS = 1000
const LONGEST_TAG = 200

/**
 * Field of `extra` for the list a client sent with a stored chat; it is shown as `chat.tags` until a
 * tag changes.
 */
export const BODY_TAGS = 'tags'

/** Splits stored further fields of a chat body into the list sent with it, if any, and the others. */
export function splitBodyTags(extra: string): { bodyTags?: string; others: string } {
  if (!extra.includes(`"${BODY_TAGS}"`)) return { others: extra }
  const { [BODY_TAGS]: sent, ...others } = JSON.parse(extra) as Record<string, unknown>
  return sent === undefined
    ? { others: extra }
    : { bodyTags: JSON.stringify(sent), others: JSON.stringify(others) }
}

/** Returns true if a name is a valid tag name. */
export const isTagName = (name: string): boolean =>
  name.trim() !== '' && name.trim().length <= LONGEST_TAG

/** Throws 400 for more tags than a chat can have, and for unreadable names. */
export function checkTags(entries: readonly unknown[]): void {
  if (entries.length > MOST_TAGS) throw badRequest(`A chat can have ${MOST_TAGS} tags.`)
  if (entries.some((entry) => nameOf(entry).length > LONGEST_TAG))
    throw badRequest(`A tag can have ${LONGEST_TAG} characters.`)
}

/** Returns the id of a tag, by which tags are compared. */
export const toTagId = (name: string): string => name.trim().toLowerCase().replaceAll(' ', '_')

export interface TagName {
  readonly id: string
  readonly name: string
}

/** Returns the name in an entry of a tag list, which may be a text or an object with a name. */
function nameOf(entry: unknown): string {
  const name = typeof entry === 'object' && entry !== null && 'name' in entry ? entry.name : entry
  return typeof name === 'string' ? name.trim() : ''
}

export const tagIdOf = (entry: unknown): string => toTagId(nameOf(entry))

/** Returns the tags of a stored list, each once. */
export function tagsOf(json: string): TagName[] {
  if (json === '[]') return []
  const names = (JSON.parse(json) as unknown[]).map(nameOf).filter((name) => name !== '')
  return [...new Map(names.map((name) => [toTagId(name), { id: toTagId(name), name }])).values()]
}

export const tagNamesOf = (json: string): string[] =>
  json === '[]' ? [] : tagsOf(json).map((tag) => tag.name)
