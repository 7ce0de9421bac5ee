import type { Permissions } from '#contract/permissions.ts'
import type { Caller } from '../lib/http.ts'
import type { Membership } from './membership.ts'
import { buildPermissions, mergePermissions } from './merge-permissions.ts'

/** Takes a freedom away instead of giving one, so it is nothing that administrators have. */
const isRestriction = (branch: string, key: string): boolean => branch === 'chat' && key === 'temporary_enforced'

const EVERYTHING = Object.freeze(buildPermissions((branch, key) => !isRestriction(branch, key)))
const NOTHING = Object.freeze(buildPermissions(() => false))
const MOST_REMEMBERED = 1000

/** Merges defaults and groups; people in the same groups share one tree, kept until `forget`. */
export function createPermissionsOf(deps: { membership: () => Membership; defaults: () => Permissions }) {
  let everybody: Permissions | undefined
  const byGroups = new Map<string, Permissions>()

  const merge = (ids: ReadonlySet<string>): Permissions => {
    everybody ??= deps.defaults()
    if (ids.size === 0) return everybody
    const key = [...ids].toSorted().join(' ')
    const known = byGroups.get(key)
    if (known) return known
    const { groups } = deps.membership()
    const tree = mergePermissions(everybody, ...[...ids].map((id) => groups.get(id)?.permissions ?? {}))
    if (byGroups.size >= MOST_REMEMBERED) byGroups.clear()
    byGroups.set(key, tree)
    return tree
  }

  return {
    of: ({ userId, role }: Pick<Caller, 'userId' | 'role'>): Permissions => {
      if (role === 'admin') return EVERYTHING
      return role === 'pending' ? NOTHING : merge(deps.membership().idsOf(userId))
    },
    /** What a member of one group alone may do. */
    ofGroup: (id: string): Permissions => merge(new Set([id])),
    forget: (): void => {
      everybody = undefined
      byGroups.clear()
    },
  }
}
