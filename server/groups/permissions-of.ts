import type { Permissions } from '#contract/permissions.ts'
import type { Caller } from '../lib/http.ts'
import { whenReady } from '../lib/timing/when-ready.ts'
import type { Membership } from './membership.ts'
import { buildPermissions, mergePermissions } from './merge-permissions.ts'

/**
 * Returns true for a permission that restricts instead of permitting; administrators do not have
 * it.
 */
const isRestriction = (branch: string, key: string): boolean =>
  branch === 'chat' && key === 'temporary_enforced'

const EVERYTHING = Object.freeze(buildPermissions((branch, key) => !isRestriction(branch, key)))
const NOTHING = Object.freeze(buildPermissions(() => false))

/**
 * Permissions of guests: conversations, with what belongs to them, and nothing that reaches other
 * users or the host.
 */
const OF_GUESTS: Readonly<Record<string, ReadonlySet<string>>> = {
  chat: new Set([
    'delete',
    'delete_message',
    'continue_response',
    'regenerate_response',
    'edit',
    'stt',
    'tts',
    'temporary',
  ]),
}
const GUEST = Object.freeze(buildPermissions((branch, key) => OF_GUESTS[branch]?.has(key) === true))

interface PermissionSources {
  readonly membership: () => Membership
  readonly defaults: () => Permissions
  readonly isGuest: (userId: string) => boolean
}

/** Merges defaults and groups; the tree of a set of groups is cached until `forget`. */
export class PermissionsOf {
  readonly #sources: PermissionSources
  #everybody: Permissions | undefined
  #bySet = new WeakMap<ReadonlySet<string>, Permissions>()

  constructor(sources: PermissionSources) {
    this.#sources = sources
  }

  /** Synchronous if the groups of the caller are cached. */
  of({ userId, role }: Pick<Caller, 'userId' | 'role'>): Permissions | Promise<Permissions> {
    if (this.#sources.isGuest(userId)) return GUEST
    if (role === 'admin') return EVERYTHING
    if (role === 'pending') return NOTHING
    return whenReady(this.#sources.membership().idsOf(userId), (ids) => this.#merge(ids))
  }

  /** Returns the permissions of a member of only one group. */
  ofGroup(id: string): Permissions | Promise<Permissions> {
    return this.#merge(new Set([id]))
  }

  forget(): void {
    this.#everybody = undefined
    this.#bySet = new WeakMap()
  }

  #merge(ids: ReadonlySet<string>): Permissions | Promise<Permissions> {
    this.#everybody ??= this.#sources.defaults()
    if (ids.size === 0) return this.#everybody
    return this.#bySet.get(ids) ?? this.#mergeAnew(ids, this.#everybody)
  }

  async #mergeAnew(ids: ReadonlySet<string>, everybody: Permissions): Promise<Permissions> {
    // A merge that overlaps with `forget` is not cached.
    const kept = this.#bySet
    const groups = await this.#sources.membership().some(ids)
    const added = groups.map(({ permissions }) => permissions)
    const tree = mergePermissions(
      everybody,
      ...added.filter((part) => Object.keys(part).length > 0),
    )
    kept.set(ids, tree)
    return tree
  }
}
