import type { Membership } from './membership.ts'
import type { GroupStore } from './store.ts'

/**
 * Makes a user a member of exactly the groups with these names; unknown names are skipped. Resolves
 * with true if anything changed. Must be called within a transaction.
 */
export async function setMembership(
  { store, membership }: { readonly store: GroupStore; readonly membership: Membership },
  userId: string,
  names: readonly string[],
): Promise<boolean> {
  const wanted = new Set(names)
  const current = await membership.idsOf(userId)
  let isChanged = false
  for (const { id, name } of (await membership.all()).values()) {
    if (wanted.has(name) === current.has(id)) continue
    if (wanted.has(name)) await store.addMember(id, userId)
    else await store.removeMember(id, userId)
    isChanged = true
  }
  return isChanged
}
