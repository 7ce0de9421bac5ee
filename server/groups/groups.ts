import type {
  Permission,
  Permissions as PermissionTree,
  PermissionsInput,
} from '#contract/permissions.ts'
import type { Config } from '../config/config.ts'
import { notFound } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
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
 * Groups of people and what they may do: the defaults for everybody, and what each group adds. On
 * the tables of `0005-groups-access`; new accounts join the group named by `DEFAULT_GROUP_ID`.
 */
export class Groups {
  readonly #storage: Storage
  readonly #users: Users
  readonly #store: GroupStore
  readonly #defaults: DefaultPermissions
  readonly #listeners: ((groupId: string) => void)[] = []
  #kept: Membership | undefined
  readonly #permissions: PermissionsOf

  constructor({ storage, settings, users, config }: GroupsDependencies) {
    this.#storage = storage
    this.#users = users
    this.#store = new GroupStore(storage)
    this.#defaults = new DefaultPermissions({ settings, config })
    this.#permissions = new PermissionsOf({
      membership: () => this.#membership(),
      defaults: () => this.#defaults.read(),
      isGuest: (userId) => users.get(userId)?.isGuest === true,
    })
    settings.onChange(() => this.#permissions.forget())
    users.onSessionsRevoked(() => this.#forget())
    users.onCreated(({ id, isGuest }) => {
      if (isGuest) return
      const groupId = settings.get('DEFAULT_GROUP_ID')
      if (groupId === '' || !this.#membership().get(groupId)) return
      this.#store.addMember(groupId, id)
      this.#forget()
    })
  }

  /**
   * Whether a caller has a permission. Admins have all; the most permissive of defaults and groups
   * wins. From memory.
   */
  allows(caller: Pick<Caller, 'userId' | 'role'>, permission: Permission): boolean {
    const [branch = '', key = ''] = permission.split('.')
    return readPermission(this.#permissions.of(caller), branch, key) === true
  }

  /** The merged tree of a caller. */
  permissionsOf(caller: Pick<Caller, 'userId' | 'role'>): PermissionTree {
    return this.#permissions.of(caller)
  }

  /** The tree of a member of one group alone, defaults included. */
  permissionsOfGroup(id: string): PermissionTree {
    return this.#permissions.ofGroup(this.get(id).id)
  }

  /** What everybody may do before any group adds to it. */
  defaultPermissions(): PermissionTree {
    return this.#defaults.read()
  }

  updateDefaultPermissions(changes: PermissionsInput): PermissionTree {
    return this.#defaults.update(changes)
  }

  /** Ids of the groups of a user. From memory. */
  idsOf(userId: string): ReadonlySet<string> {
    return this.#membership().idsOf(userId)
  }

  /** The groups of a user, by name. */
  listOf(userId: string): GroupRecord[] {
    const known = this.#membership()
    return known.some(known.idsOf(userId))
  }

  /** Ids of the members of a group. From memory. */
  membersOf(groupId: string): ReadonlySet<string> {
    return this.#membership().membersOf(groupId)
  }

  /** All groups by name. */
  list(): GroupRecord[] {
    return [...this.#membership().groups.values()]
  }

  has(id: string): boolean {
    return this.#membership().get(id) !== null
  }

  /** 404 for a group nobody has. */
  get(id: string): GroupRecord {
    const group = this.#membership().get(id)
    if (!group) throw notFound('There is no such group.')
    return group
  }

  /** `userId` is null for one that no account makes. */
  create(userId: string | null, fields: GroupFields): GroupRecord {
    const id = this.#store.insert(userId, fields)
    this.#forget()
    return this.get(id)
  }

  /** Changes what is given; `user_ids` replaces the members. */
  update(
    id: string,
    {
      user_ids,
      ...fields
    }: Partial<GroupFields> & { readonly user_ids?: readonly string[] | undefined },
  ): GroupRecord {
    return this.#change(id, () => {
      this.#store.update(id, fields)
      if (!user_ids) return
      this.#store.removeMembers(id)
      this.#addMembers(id, user_ids)
    })
  }

  /** Adds and removes members; unknown ids are skipped. */
  changeMembers(
    id: string,
    {
      add = [],
      remove = [],
    }: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
  ): GroupRecord {
    return this.#change(id, () => {
      this.#addMembers(id, add)
      for (const userId of remove) this.#store.removeMember(id, userId)
    })
  }

  /** Makes a user a member of exactly the groups with these names; unknown names are skipped. */
  setMembership(userId: string, names: readonly string[]): void {
    const isChanged = this.#storage.transaction(() =>
      setMembership({ store: this.#store, membership: this.#membership() }, userId, names),
    )
    if (isChanged) this.#forget()
  }

  remove(id: string): void {
    this.get(id)
    this.#store.remove(id)
    this.#forget()
    for (const listener of this.#listeners) listener(id)
  }

  /** Announces that a group is gone. */
  onRemoved(listener: (groupId: string) => void): void {
    this.#listeners.push(listener)
  }

  #membership(): Membership {
    if (this.#kept) return this.#kept
    const membership = new Membership(this.#store)
    // A transaction may still roll back what is read inside it.
    if (!this.#storage.sqlite.inTransaction) this.#kept = membership
    return membership
  }

  #forget(): void {
    this.#kept = undefined
    this.#permissions.forget()
  }

  #change(id: string, write: () => void): GroupRecord {
    this.get(id)
    this.#storage.transaction(write)
    this.#forget()
    return this.get(id)
  }

  #addMembers(id: string, userIds: readonly string[]): void {
    for (const userId of userIds) if (this.#users.get(userId)) this.#store.addMember(id, userId)
  }
}
