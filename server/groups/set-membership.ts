import type { Membership } from './membership.ts'
import type { GroupStore } from './store.ts'

/**
 * Makes somebody a member of exactly the groups with these names. Names no group has are passed
 * over. Answers whether anything changed; to be called within a transaction.
 */
export function setMembership(
  { store, membership }: { readonly store: GroupStore; readonly membership: Membership },
  userId: string,
  names: readonly string[],
): boolean {
  const wanted = new Set(names)
  const current = membership.idsOf(userId)
  let isChanged = false
  for (const { id, name } of membership.groups.values()) {
    if (wanted.has(name) === current.has(id)) continue
    if (wanted.has(name)) store.addMember(id, userId)
    else store.removeMember(id, userId)
    isChanged = true
  }
  return isChanged
}
