import type { Users } from '../users/index.ts'
import type { PluginRecord } from './store.ts'

/**
 * Whose code shares a process: plugins of one domain can reach each other's memory, those of
 * different ones cannot.
 */
export type TrustDomain = string

export const ADMINISTRATORS: TrustDomain = 'administrators'

/** What a person stores as a tool; a member's is apart from that of everybody else. */
export const domainOfAuthor = async (
  users: Pick<Users, 'get'>,
  authorId: string,
): Promise<TrustDomain> =>
  (await users.get(authorId))?.role === 'admin' ? ADMINISTRATORS : `person:${authorId}`

/**
 * Administrators share a domain, and whoever else changed a source last has one of their own. Only
 * administrators ever store the source of a function. A tool whose last author is not known is
 * apart from everything.
 */
export async function domainOf(
  users: Pick<Users, 'get'>,
  { store, id, authorId }: Pick<PluginRecord, 'store' | 'id' | 'authorId'>,
): Promise<TrustDomain> {
  if (store === 'function') return ADMINISTRATORS
  return authorId === '' ? `tool:${id}` : await domainOfAuthor(users, authorId)
}
