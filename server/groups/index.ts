import type {
  Permission,
  Permissions as PermissionTree,
  PermissionsInput,
} from '#contract/permissions.ts'
import type { Config } from '../config/config.ts'
import { notFound } from '../lib/errors.ts'
import type { Caller, Route } from '../lib/http.ts'
import type { Settings } from '../settings/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Users } from '../users/index.ts'
import { createDefaultPermissions } from './default-permissions.ts'
import { readMembership, type Membership } from './membership.ts'
import { readPermission } from './merge-permissions.ts'
import { createPermissionsOf } from './permissions-of.ts'
import { createGroupRoutes } from './routes.ts'
import { setMembership } from './set-membership.ts'
import { createGroupStore, type GroupFields } from './store.ts'

export { changeManyMembers } from './change-many-members.ts'

/** A group without its members. Times are unix seconds. */
export interface GroupRecord {
  readonly id: string
  /** Who made it; null when that account is gone. */
  readonly user_id: string | null
  readonly name: string
  readonly description: string
  /** What the group adds to the defaults. */
  readonly permissions: PermissionsInput
  readonly data: Record<string, unknown>
  readonly meta: Record<string, unknown>
  readonly created_at: number
  readonly updated_at: number
}

/**
 * Groups of people and what they may do: the defaults for everybody, and what each group adds
 * (reference §2.2, §2.3).
 */
export interface Groups {
  /**
   * Whether somebody may do something. Admins may everything; the most permissive of defaults and
   * groups wins. From memory.
   */
  allows(caller: Pick<Caller, 'userId' | 'role'>, permission: Permission): boolean
  /** The merged tree of somebody. */
  permissionsOf(caller: Pick<Caller, 'userId' | 'role'>): PermissionTree
  /** The tree of a member of one group alone, defaults included. */
  permissionsOfGroup(id: string): PermissionTree
  /** What everybody may do before any group adds to it. */
  defaultPermissions(): PermissionTree
  updateDefaultPermissions(changes: PermissionsInput): PermissionTree
  /** Ids of the groups somebody is in. From memory. */
  idsOf(userId: string): ReadonlySet<string>
  /** Groups somebody is in, by name. */
  listOf(userId: string): GroupRecord[]
  /** Ids of the members of a group. From memory. */
  membersOf(groupId: string): ReadonlySet<string>
  /** All groups by name. */
  list(): GroupRecord[]
  /** 404 for a group nobody has. */
  get(id: string): GroupRecord
  /** `userId` is null for one that no account makes. */
  create(userId: string | null, fields: GroupFields): GroupRecord
  /** Changes what is given; `user_ids` replaces the members. */
  update(
    id: string,
    changes: Partial<GroupFields> & { readonly user_ids?: readonly string[] | undefined },
  ): GroupRecord
  /** Adds and removes members; ids nobody has are passed over. */
  changeMembers(
    id: string,
    changes: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
  ): GroupRecord
  /**
   * Makes somebody a member of exactly the groups with these names; names no group has are passed
   * over.
   */
  setMembership(userId: string, names: readonly string[]): void
  remove(id: string): void
  /** Announces that a group is gone. */
  onRemoved(listener: (groupId: string) => void): void
  readonly routes: readonly Route[]
}

/** What the domain is built from. */
export interface GroupsDependencies {
  readonly storage: Storage
  readonly settings: Settings
  readonly users: Users
  readonly config: Config
}

/**
 * Builds the domain on the tables of `0005-groups-access`; new accounts join the group named by
 * `DEFAULT_GROUP_ID`.
 */
export function createGroups({ storage, settings, users, config }: GroupsDependencies): Groups {
  const store = createGroupStore(storage)
  const defaults = createDefaultPermissions({ settings, config })
  const listeners: ((groupId: string) => void)[] = []

  let kept: Membership | undefined
  // What is read inside a transaction may yet be taken back.
  const membership = (): Membership =>
    kept ?? (storage.sqlite.inTransaction ? readMembership(store) : (kept = readMembership(store)))
  const permissions = createPermissionsOf({ membership, defaults: () => defaults.read() })
  const forget = (): void => {
    kept = undefined
    permissions.forget()
  }
  settings.onChange(() => permissions.forget())
  users.onSessionsRevoked(() => forget())
  users.onCreated(({ id }) => {
    const groupId = settings.string('DEFAULT_GROUP_ID')
    if (groupId === '' || !membership().groups.has(groupId)) return
    store.addMember(groupId, id)
    forget()
  })

  const get = (id: string): GroupRecord => {
    const group = membership().groups.get(id)
    if (!group) throw notFound('There is no such group.')
    return group
  }
  const change = (id: string, write: () => void): GroupRecord => {
    get(id)
    storage.transaction(write)
    forget()
    return get(id)
  }
  const addMembers = (id: string, userIds: readonly string[]): void => {
    for (const userId of userIds) if (users.get(userId)) store.addMember(id, userId)
  }

  const groups: Omit<Groups, 'routes'> = {
    allows: (caller, permission) => {
      const [branch = '', key = ''] = permission.split('.')
      return readPermission(permissions.of(caller), branch, key) === true
    },
    permissionsOf: permissions.of,
    permissionsOfGroup: (id) => permissions.ofGroup(get(id).id),
    defaultPermissions: () => defaults.read(),
    updateDefaultPermissions: (changes) => defaults.update(changes),
    idsOf: (userId) => membership().idsOf(userId),
    listOf: (userId) => {
      const known = membership()
      return [...known.idsOf(userId)].flatMap((id) => known.groups.get(id) ?? [])
    },
    membersOf: (groupId) => membership().membersOf(groupId),
    list: () => [...membership().groups.values()],
    get,
    create: (userId, fields) => {
      const id = store.insert(userId, fields)
      forget()
      return get(id)
    },
    update: (id, { user_ids, ...fields }) =>
      change(id, () => {
        store.update(id, fields)
        if (!user_ids) return
        store.removeMembers(id)
        addMembers(id, user_ids)
      }),
    changeMembers: (id, { add = [], remove = [] }) =>
      change(id, () => {
        addMembers(id, add)
        for (const userId of remove) store.removeMember(id, userId)
      }),
    setMembership: (userId, names) => {
      if (
        storage.transaction(() => setMembership({ store, membership: membership() }, userId, names))
      )
        forget()
    },
    remove: (id) => {
      get(id)
      store.remove(id)
      forget()
      for (const listener of listeners) listener(id)
    },
    onRemoved: (listener) => void listeners.push(listener),
  }
  return { ...groups, routes: createGroupRoutes({ groups, users }) }
}
