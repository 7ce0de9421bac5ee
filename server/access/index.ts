import { filterInOrder } from '../lib/in-order.ts'
import type { AccessControl, AccessGrant, AccessGrantRecord } from '#contract/access.ts'
import type { Permission } from '#contract/permissions.ts'
import type { Groups } from '../groups/index.ts'
import type { Caller } from '../lib/http.ts'
import { whenReady } from '../lib/timing/when-ready.ts'
import type { Storage } from '../storage/index.ts'
import type { Users } from '../users/index.ts'
import {
  EVERYBODY,
  fromAccessControl,
  normalizeGrants,
  sortKeyOf,
  toAccessControl,
} from './convert-grants.ts'
import { indexGrants, principalOf, type GrantIndex } from './grant-index.ts'
import { AccessStore } from './store.ts'
import type { ResourceType } from './resource-type.ts'

export type { ResourceType } from './resource-type.ts'

/** A resource with an owner, for access checks. */
export interface Resource {
  readonly type: ResourceType
  readonly id: string
  readonly ownerId: string
}

/** Permission required for public sharing; only administrators make channels public. */
const PUBLIC_PERMISSIONS: Readonly<Record<ResourceType, Permission | null>> = {
  model: 'sharing.public_models',
  prompt: 'sharing.public_prompts',
  note: 'sharing.public_notes',
  knowledge: 'sharing.public_knowledge',
  tool: 'sharing.public_tools',
  tool_server: 'sharing.public_tools',
  skill: 'sharing.public_skills',
  calendar: 'sharing.public_calendars',
  chat: 'sharing.public_chats',
  channel: null,
}

const NOTHING: ReadonlySet<string> = new Set()

const keyOf = (grant: AccessGrant): string => `${principalOf(grant)} ${grant.permission}`

/**
 * Decides which accounts may read and change resources of others, on the table of
 * `0005-groups-access`.
 */
export class Access {
  readonly #storage: Storage
  readonly #groups: Groups
  readonly #users: Users
  readonly #store: AccessStore
  readonly #kept = new Map<ResourceType, GrantIndex>()
  /** Number of changes, because grants may change while they are read. */
  #changes = 0

  constructor({
    storage,
    groups,
    users,
  }: {
    readonly storage: Storage
    readonly groups: Groups
    readonly users: Users
  }) {
    this.#storage = storage
    this.#groups = groups
    this.#users = users
    this.#store = new AccessStore(storage)
    storage.onOthersChange(['access_grant'], () => this.#forget(null))
    groups.onRemoved((id) => this.#forgetPrincipal('group', id))
    users.onRemoved((id) => this.#forgetPrincipal('user', id))
  }

  /**
   * Returns true for the owner and administrators; for others if a grant names them, one of their
   * groups or `*`. Write includes read. Guests only have access to their own resources. Synchronous
   * if grants and groups are cached.
   */
  allows(
    { userId, role }: Pick<Caller, 'userId' | 'role'>,
    { type, id, ownerId }: Resource,
    permission: 'read' | 'write',
  ): boolean | Promise<boolean> {
    if (userId === ownerId) return true
    if (this.#users.cached.isGuest(userId)) return false
    if (role === 'admin') return true
    return whenReady(this.#grantsOfType(type), (index) =>
      this.#includes(
        userId,
        index.of(id).filter((grant) => permission === 'read' || grant.permission === 'write'),
      ),
    )
  }

  /**
   * Returns the ids of a type that the caller may use through grants, ignoring ownership; for
   * lists.
   */
  async grantedIds(
    { userId }: Pick<Caller, 'userId'>,
    type: ResourceType,
    permission: 'read' | 'write',
  ): Promise<ReadonlySet<string>> {
    if (this.#users.cached.isGuest(userId)) return NOTHING
    const index = await this.#grantsOfType(type)
    const principals = await this.#principalsOf(userId)
    return new Set(principals.flatMap((principal) => [...index.idsFor(principal, permission)]))
  }

  /** Returns the ids of a type that are shared with a group or with everybody. */
  async sharedWith(groupId: string, type: ResourceType): Promise<ReadonlySet<string>> {
    const index = await this.#grantsOfType(type)
    const principals = [`user ${EVERYBODY}`, `group ${groupId}`]
    return new Set(principals.flatMap((principal) => [...index.idsFor(principal, 'read')]))
  }

  async grantsOf(type: ResourceType, id: string): Promise<AccessGrant[]> {
    return normalizeGrants((await this.#grantsOfType(type)).of(id))
  }

  /** Returns both spellings of the grants, to be spread into a response. */
  async describe(
    type: ResourceType,
    id: string,
  ): Promise<{ access_grants: AccessGrantRecord[]; access_control: AccessControl }> {
    const grants = (await this.#grantsOfType(type))
      .of(id)
      .toSorted((left, right) => (sortKeyOf(left) < sortKeyOf(right) ? -1 : 1))
    return { access_grants: grants, access_control: toAccessControl(grants) }
  }

  /**
   * Replaces the grants from either spelling; undefined input changes nothing. Grants the caller
   * may not give (public without `sharing.public_<type>s`, to single users without
   * `access_grants.allow_users`) and grants to unknown principals are silently dropped.
   */
  async replace(
    caller: Caller,
    { type, id }: Pick<Resource, 'type' | 'id'>,
    {
      access_grants,
      access_control,
    }: { access_grants?: AccessGrant[] | null; access_control?: AccessControl },
  ): Promise<void> {
    if (!access_grants && access_control === undefined) return
    const asked = normalizeGrants(access_grants ?? fromAccessControl(access_control ?? null))
    // One transaction, so that no principal named by a grant is deleted between the check and the
    // write.
    await this.#storage.transaction(() => this.#write(caller, { type, id }, asked))
    this.#forget(type)
  }

  /** Deletes all grants on a deleted resource. */
  async remove(type: ResourceType, id: string): Promise<void> {
    await this.#store.remove(type, id)
    this.#forget(type)
  }

  async #write(
    caller: Caller,
    { type, id }: Pick<Resource, 'type' | 'id'>,
    asked: readonly AccessGrant[],
  ): Promise<void> {
    const wanted = await filterInOrder(asked, (grant) => this.#isSomebody(grant))
    // A caller who may change a resource but not share it as widely keeps the grants of others.
    // Only the grants of this resource are read: after a change of one, all of its type would be
    // read again, for each of the many resources of an import.
    const before = await this.#store.readOf(type, id)
    const given = new Set(normalizeGrants(before).map(keyOf))
    const grants = await filterInOrder(
      wanted,
      async (grant) => given.has(keyOf(grant)) || (await this.#mayGive(caller, type, grant)),
    )
    const staying = new Set(grants.map(keyOf))
    for (const grant of before)
      if (!staying.has(keyOf(grant))) await this.#store.removeOne(grant.id)
    for (const grant of grants) if (!given.has(keyOf(grant))) await this.#store.add(type, id, grant)
  }

  #grantsOfType(type: ResourceType): GrantIndex | Promise<GrantIndex> {
    // A transaction sees its own writes, which may still be rolled back.
    const known = this.#storage.inTransaction ? undefined : this.#kept.get(type)
    return known ?? this.#readType(type)
  }

  async #readType(type: ResourceType): Promise<GrantIndex> {
    if (this.#storage.inTransaction) return indexGrants(await this.#store.readType(type))
    const before = this.#changes
    const index = indexGrants(await this.#store.readType(type))
    if (before === this.#changes) this.#kept.set(type, index)
    return index
  }

  #forget(type: ResourceType | null): void {
    this.#storage.afterCommit(() => {
      this.#changes += 1
      if (type === null) this.#kept.clear()
      else this.#kept.delete(type)
    })
  }

  async #forgetPrincipal(type: AccessGrant['principal_type'], id: string): Promise<void> {
    await this.#store.removePrincipal(type, id)
    this.#forget(null)
  }

  async #principalsOf(userId: string): Promise<string[]> {
    return [
      `user ${EVERYBODY}`,
      `user ${userId}`,
      ...[...(await this.#groups.idsOf(userId))].map((id) => `group ${id}`),
    ]
  }

  /**
   * Only grants to existing principals are kept: invented ids would fill the index that every check
   * uses.
   */
  async #isSomebody({ principal_type: type, principal_id: id }: AccessGrant): Promise<boolean> {
    if (id === EVERYBODY) return true
    return type === 'group' ? this.#groups.has(id) : (await this.#users.get(id)) !== null
  }

  #includes(userId: string, grants: readonly AccessGrant[]): boolean | Promise<boolean> {
    const toGroups = grants.filter(({ principal_type: type }) => type === 'group')
    if (
      grants.some(
        ({ principal_type: type, principal_id: id }) =>
          type !== 'group' && (id === userId || id === EVERYBODY),
      )
    )
      return true
    // A resource has few grants, while a user may be in thousands of groups.
    return (
      toGroups.length > 0 &&
      whenReady(this.#groups.idsOf(userId), (ids) =>
        toGroups.some(({ principal_id: id }) => ids.has(id)),
      )
    )
  }

  async #mayGive(
    caller: Caller,
    type: ResourceType,
    { principal_type, principal_id }: AccessGrant,
  ): Promise<boolean> {
    if (caller.role === 'admin' || (principal_type === 'user' && principal_id === caller.userId))
      return true
    const permission =
      principal_id === EVERYBODY ? PUBLIC_PERMISSIONS[type] : 'access_grants.allow_users'
    return (
      (principal_type === 'group' && principal_id !== EVERYBODY) ||
      (permission !== null && (await this.#groups.allows(caller, permission)))
    )
  }
}
