import type { Users } from '../users/index.ts'
import type { PluginRecord } from './store.ts'

/**
 * Domain of code that shares a process: plugins of one domain can access each other's memory, those
 * of different ones cannot.
 */
export type TrustDomain = string

export const ADMINISTRATORS: TrustDomain = 'administrators'

/** Returns the domain of tools stored by a user; a member's is separate from all others. */
export const domainOfAuthor = async (
  users: Pick<Users, 'get'>,
  authorId: string,
): Promise<TrustDomain> =>
  (await users.get(authorId))?.role === 'admin' ? ADMINISTRATORS : `person:${authorId}`

/**
 * Returns the domain of a plugin. Administrators share one, and every other last editor of a source
 * has a separate one. Only administrators can store the source of a function. A tool whose last
 * author is unknown is separate from everything.
 */
export async function domainOf(
  users: Pick<Users, 'get'>,
  { store, id, authorId }: Pick<PluginRecord, 'store' | 'id' | 'authorId'>,
): Promise<TrustDomain> {
  if (store === 'function') return ADMINISTRATORS
  return authorId === '' ? `tool:${id}` : await domainOfAuthor(users, authorId)
}
