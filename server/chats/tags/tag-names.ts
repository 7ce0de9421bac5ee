import { badRequest } from '../../lib/errors.ts'

/** Of one chat; each is a row of the table that finds chats by tag. */
export const MOST_TAGS = 1000
const LONGEST_TAG = 200

/** Whether a name is one a tag can have. */
export const isTagName = (name: string): boolean =>
  name.trim() !== '' && name.trim().length <= LONGEST_TAG

/** 400 for more tags than a chat can have, and for names nobody could read. */
export function checkTags(entries: readonly unknown[]): void {
  if (entries.length > MOST_TAGS) throw badRequest(`A chat can have ${MOST_TAGS} tags.`)
  if (entries.some((entry) => nameOf(entry).length > LONGEST_TAG))
    throw badRequest(`A tag can have ${LONGEST_TAG} characters.`)
}

/** The id of a tag, by which tags are the same. */
export const toTagId = (name: string): string => name.trim().toLowerCase().replaceAll(' ', '_')

export interface TagName {
  readonly id: string
  readonly name: string
}

/** The name in an entry of a tag list, which may be a text or an object that has one. */
function nameOf(entry: unknown): string {
  const name = typeof entry === 'object' && entry !== null && 'name' in entry ? entry.name : entry
  return typeof name === 'string' ? name.trim() : ''
}

export const tagIdOf = (entry: unknown): string => toTagId(nameOf(entry))

/** The tags of a stored list, each once. */
export function tagsOf(json: string): TagName[] {
  if (json === '[]') return []
  const names = (JSON.parse(json) as unknown[]).map(nameOf).filter((name) => name !== '')
  return [...new Map(names.map((name) => [toTagId(name), { id: toTagId(name), name }])).values()]
}

export const tagNamesOf = (json: string): string[] =>
  json === '[]' ? [] : tagsOf(json).map((tag) => tag.name)
