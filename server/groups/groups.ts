import type {
  Permission,
  Permissions as PermissionTree,
  PermissionsInput,
} from '#contract/permissions.ts'
import type { Config } from '../config/config.ts'
import { notFound } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { whenReady } from '../lib/timing/when-ready.ts'
import type { GroupsSettings } from './groups-settings.ts'
import type { Storage } from '../storage/index.ts'
import type { Users } from '../users/index.ts'
import { DefaultPermissions } from './default-permissions.ts'
import { Membership } from './membership.ts'
import { readPermission } from './merge-permissions.ts'
import { PermissionsOf } from './permissions-of.ts'
import { setMembership } from './set-membership.ts'
import { GroupStore, type GroupFields } from './store.ts'
import type { GroupRecord } from './group-record.ts'

interface GroupsDependencies {
  readonly storage: Storage
  readonly settings: GroupsSettings
  readonly users: Users
  readonly config: Config
}

/**
 * Groups of users and their permissions: the defaults for all users, and the additions of each
 * group. On the tables of `0005-groups-access`; new accounts join the group named by
 * `DEFAULT_GROUP_ID`.
 */
export class Groups {
  readonly #storage: Storage
  readonly #store: GroupStore
  readonly #defaults: DefaultPermissions
  readonly #listeners: ((groupId: string) => Promise<void>)[] = []
  #kept: Membership | undefined
  /** Permissions of callers, merged from the defaults and their groups. */
  readonly permissions: PermissionsOf

  constructor({ storage, settings, users, config }: GroupsDependencies) {
    this.#storage = storage
    this.#store = new GroupStore(storage)
    this.#defaults = new DefaultPermissions({ settings, config })
    this.permissions = new PermissionsOf({
      membership: () => this.#membership(),
      defaults: () => this.#defaults.read(),
      isGuest: (userId) => users.cached.isGuest(userId),
    })
    settings.onChange(async () => this.permissions.forget())
    storage.onOthersChange(['user_group', 'user_group_member'], () => this.#forget())
    users.onSessionsRevoked(async () => this.#forget())
    users.onCreated(async ({ id, isGuest }) => {
      if (isGuest) return
      const groupId = settings.get('DEFAULT_GROUP_ID')
      if (groupId === '' || !(await this.#membership().get(groupId))) return
      await this.#store.addMember(groupId, id)
      this.#forget()
    })
  }

  /**
   * Returns true if a caller has a permission. Administrators have all; the most permissive of
   * defaults and groups wins. From memory.
   */
  allows(
    caller: Pick<Caller, 'userId' | 'role'>,
    permission: Permission,
  ): boolean | Promise<boolean> {
    const [branch = '', key = ''] = permission.split('.')
    return whenReady(
      this.permissions.of(caller),
      (tree) => readPermission(tree, branch, key) === true,
    )
  }

  /** Returns the tree of a member of only one group, including the defaults. */
  async permissionsOfGroup(id: string): Promise<PermissionTree> {
    return this.permissions.ofGroup((await this.get(id)).id)
  }

  /** Returns the default permissions of all users, before groups add to them. */
  defaultPermissions(): PermissionTree {
    return this.#defaults.read()
  }

  async updateDefaultPermissions(changes: PermissionsInput): Promise<PermissionTree> {
    // A change starts from the result of the previous one.
    await this.#storage.transaction(() => this.#defaults.update(changes))
    this.permissions.forget()
    return this.#defaults.read()
  }

  /** Returns the ids of the groups of a user. From memory. */
  idsOf(userId: string): ReadonlySet<string> | Promise<ReadonlySet<string>> {
    return this.#membership().idsOf(userId)
  }

  /** Returns the groups of a user, by name. */
  async listOf(userId: string): Promise<GroupRecord[]> {
    const known = this.#membership()
    return known.some(await known.idsOf(userId))
  }

  /** Reads the groups of users in few statements, before `listOf` is called for each of them. */
  readAhead(userIds: readonly string[]): Promise<void> {
    return this.#membership().readAhead(userIds)
  }

  /** Returns the ids of the members of a group. From memory. */
  membersOf(groupId: string): ReadonlySet<string> | Promise<ReadonlySet<string>> {
    return this.#membership().membersOf(groupId)
  }

  /** Returns all groups by name. */
  async list(): Promise<GroupRecord[]> {
    return [...(await this.#membership().all()).values()]
  }

  async has(id: string): Promise<boolean> {
    return (await this.#membership().get(id)) !== null
  }

  /** Throws 404 for an unknown group. */
  async get(id: string): Promise<GroupRecord> {
    const group = await this.#membership().get(id)
    if (!group) throw notFound('There is no such group.')
    return group
  }

  /** `userId` is null for a group without a creator. */
  async create(userId: string | null, fields: GroupFields): Promise<GroupRecord> {
    const id = await this.#store.insert(userId, fields)
    this.#forget()
    return this.get(id)
  }

  /** Changes the given fields; `user_ids` replaces the members. */
  update(
    id: string,
    { user_ids, ...fields }: Partial<GroupFields> & { readonly user_ids?: readonly string[] },
  ): Promise<GroupRecord> {
    return this.#change(id, async () => {
      await this.#store.update(id, fields)
      if (!user_ids) return
      await this.#store.removeMembers(id)
      await this.#store.addMembers(id, user_ids)
    })
  }

  /** Adds and removes members; unknown ids are skipped. */
  changeMembers(
    id: string,
    {
      add = [],
      remove = [],
    }: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
  ): Promise<GroupRecord> {
    return this.#change(id, async () => {
      if (add.length > 0) await this.#store.addMembers(id, add)
      if (remove.length > 0) await this.#store.removeMembers(id, remove)
    })
  }

  /** Makes a user a member of exactly the groups with these names; unknown names are skipped. */
  async setMembership(userId: string, names: readonly string[]): Promise<void> {
    const isChanged = await this.#storage.transaction(() =>
      setMembership({ store: this.#store, membership: this.#membership() }, userId, names),
    )
    if (isChanged) this.#forget()
  }

  async remove(id: string): Promise<void> {
    await this.#storage.transaction(async () => {
      await this.get(id)
      await this.#store.remove(id)
    })
    this.#forget()
    for (const listener of this.#listeners) await listener(id)
  }

  /** Adds a listener that is called when a group has been deleted. */
  onRemoved(listener: (groupId: string) => Promise<void>): void {
    this.#listeners.push(listener)
  }

  #membership(): Membership {
    // A transaction sees its own writes, which may still be rolled back.
    if (this.#storage.inTransaction) return new Membership(this.#store)
    return (this.#kept ??= new Membership(this.#store))
  }

  #forget(): void {
    this.#storage.afterCommit(() => {
      this.#kept = undefined
      this.permissions.forget()
    })
  }

  async #change(id: string, write: () => Promise<void>): Promise<GroupRecord> {
    await this.#storage.transaction(async () => {
      await this.get(id)
      await write()
    })
    this.#forget()
    return this.get(id)
  }
}
