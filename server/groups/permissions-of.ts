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
export class PermissionsOf {
  readonly #membership: () => Membership
  readonly #defaults: () => Permissions
  #everybody: Permissions | undefined
  #bySet = new WeakMap<ReadonlySet<string>, Permissions>()

  constructor(membership: () => Membership, defaults: () => Permissions) {
    this.#membership = membership
    this.#defaults = defaults
  }

  async of({ userId, role }: Pick<Caller, 'userId' | 'role'>): Promise<Permissions> {
    if (role === 'admin') return EVERYTHING
    return role === 'pending' ? NOTHING : this.#merge(await this.#membership().idsOf(userId))
  }

  /** What a member of one group alone may do. */
  ofGroup(id: string): Promise<Permissions> {
    return this.#merge(new Set([id]))
  }

  forget(): void {
    this.#everybody = undefined
    this.#bySet = new WeakMap()
  }

  async #merge(ids: ReadonlySet<string>): Promise<Permissions> {
    const everybody = (this.#everybody ??= this.#defaults())
    if (ids.size === 0) return everybody
    // What is merged while all is forgotten is kept nowhere.
    const kept = this.#bySet
    const known = kept.get(ids)
    if (known) return known
    const groups = await this.#membership().some(ids)
    const added = groups.map(({ permissions }) => permissions)
    const tree = mergePermissions(
      everybody,
      ...added.filter((part) => Object.keys(part).length > 0),
    )
    kept.set(ids, tree)
    return tree
  }
}
