import type { Permissions } from '#contract/permissions.ts'
import type { Caller } from '../lib/http.ts'
import type { Membership } from './membership.ts'
import { buildPermissions, mergePermissions } from './merge-permissions.ts'

/** Takes a freedom away instead of giving one, so it is nothing that administrators have. */
const isRestriction = (branch: string, key: string): boolean =>
  branch === 'chat' && key === 'temporary_enforced'

const EVERYTHING = Object.freeze(buildPermissions((branch, key) => !isRestriction(branch, key)))
const NOTHING = Object.freeze(buildPermissions(() => false))

/** Merges defaults and groups; the tree of a set of groups is kept until `forget`. */
export function createPermissionsOf(deps: {
  membership: () => Membership
  defaults: () => Permissions
}) {
  let everybody: Permissions | undefined
  let bySet = new WeakMap<ReadonlySet<string>, Permissions>()

  const merge = (ids: ReadonlySet<string>): Permissions => {
    everybody ??= deps.defaults()
    if (ids.size === 0) return everybody
    const known = bySet.get(ids)
    if (known) return known
    const { groups } = deps.membership()
    const tree = mergePermissions(
      everybody,
      ...[...ids].map((id) => groups.get(id)?.permissions ?? {}),
    )
    bySet.set(ids, tree)
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
      bySet = new WeakMap()
    },
  }
}
