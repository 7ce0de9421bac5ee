import type { AccessControl, AccessGrant, AccessGrantRecord } from '#contract/access.ts'
import type { Permission } from '#contract/permissions.ts'
import type { Groups } from '../groups/index.ts'
import type { Caller } from '../lib/http.ts'
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
import { createAccessStore } from './store.ts'

/** Kinds of things people share with each other. */
export type ResourceType =
  | 'model'
  | 'prompt'
  | 'note'
  | 'knowledge'
  | 'tool'
  | 'tool_server'
  | 'skill'
  | 'channel'
  | 'chat'

/** A thing with an owner whose access is asked for. */
export interface Resource {
  readonly type: ResourceType
  readonly id: string
  readonly ownerId: string
}

/** Who may read and change what others own (reference §4.2, Access objects). */
export interface Access {
  /**
   * Owner and admin always; everybody else by a grant to them, to one of their groups or to `*`.
   * Write includes read.
   */
  allows(
    caller: Pick<Caller, 'userId' | 'role'>,
    resource: Resource,
    permission: 'read' | 'write',
  ): boolean
  /** Ids of a type the caller may use by grant alone, owning aside; for lists. */
  grantedIds(
    caller: Pick<Caller, 'userId'>,
    type: ResourceType,
    permission: 'read' | 'write',
  ): ReadonlySet<string>
  grantsOf(type: ResourceType, id: string): AccessGrant[]
  /** Both spellings of the grants, to be spread into a reply. */
  describe(
    type: ResourceType,
    id: string,
  ): { access_grants: AccessGrantRecord[]; access_control: AccessControl }
  /**
   * Replaces the grants from either spelling; undefined input changes nothing. Grants the caller
   * may not give (public without `sharing.public_<type>s`, to single users without
   * `access_grants.allow_users`) and grants to nobody are left out silently.
   */
  replace(
    caller: Caller,
    resource: Pick<Resource, 'type' | 'id'>,
    input: { access_grants?: AccessGrant[] | null; access_control?: AccessControl },
  ): void
  /** Forgets every grant on a thing that is gone. */
  remove(type: ResourceType, id: string): void
}

/** What the domain is built from. */
export interface AccessDependencies {
  readonly storage: Storage
  readonly groups: Groups
  readonly users: Users
}

/**
 * Whom sharing with everybody is permitted by; channels are opened to everybody by administrators
 * only.
 */
const PUBLIC_PERMISSIONS: Readonly<Record<ResourceType, Permission | null>> = {
  model: 'sharing.public_models',
  prompt: 'sharing.public_prompts',
  note: 'sharing.public_notes',
  knowledge: 'sharing.public_knowledge',
  tool: 'sharing.public_tools',
  tool_server: 'sharing.public_tools',
  skill: 'sharing.public_skills',
  chat: 'sharing.public_chats',
  channel: null,
}

const keyOf = (grant: AccessGrant): string => `${principalOf(grant)} ${grant.permission}`

/** Builds the domain on the table of `0005-groups-access`. */
export function createAccess({ storage, groups, users }: AccessDependencies): Access {
  const store = createAccessStore(storage)
  const kept = new Map<ResourceType, GrantIndex>()

  const grantsOfType = (type: ResourceType): GrantIndex => {
    const known = kept.get(type)
    if (known) return known
    const index = indexGrants(store.readType(type))
    // What is read inside a transaction may yet be taken back.
    if (!storage.sqlite.inTransaction) kept.set(type, index)
    return index
  }
  const forgetPrincipal = (type: AccessGrant['principal_type'], id: string): void => {
    store.removePrincipal(type, id)
    kept.clear()
  }
  groups.onRemoved((id) => forgetPrincipal('group', id))
  users.onSessionsRevoked((id) => {
    if (!users.get(id)) forgetPrincipal('user', id)
  })

  const principalsOf = (userId: string): string[] => [
    `user ${EVERYBODY}`,
    `user ${userId}`,
    ...[...groups.idsOf(userId)].map((id) => `group ${id}`),
  ]
  const grantsOf = (type: ResourceType, id: string): AccessGrant[] =>
    normalizeGrants(grantsOfType(type).of(id))

  /**
   * Only grants to somebody are kept, or made-up ids could fill the index that every question is
   * answered from.
   */
  const createIsSomebody = (): ((grant: AccessGrant) => boolean) => {
    const groupIds = new Set(groups.list().map(({ id }) => id))
    return ({ principal_type: type, principal_id: id }) =>
      id === EVERYBODY || (type === 'group' ? groupIds.has(id) : users.get(id) !== null)
  }
  const mayGive = (
    caller: Caller,
    type: ResourceType,
    { principal_type, principal_id }: AccessGrant,
  ): boolean => {
    if (caller.role === 'admin' || (principal_type === 'user' && principal_id === caller.userId))
      return true
    const permission =
      principal_id === EVERYBODY ? PUBLIC_PERMISSIONS[type] : 'access_grants.allow_users'
    return (
      (principal_type === 'group' && principal_id !== EVERYBODY) ||
      (permission !== null && groups.allows(caller, permission))
    )
  }

  return {
    allows: ({ userId, role }, { type, id, ownerId }, permission) => {
      if (role === 'admin' || userId === ownerId) return true
      const index = grantsOfType(type)
      return principalsOf(userId).some((principal) => index.idsFor(principal, permission).has(id))
    },
    grantedIds: ({ userId }, type, permission) => {
      const index = grantsOfType(type)
      return new Set(
        principalsOf(userId).flatMap((principal) => [...index.idsFor(principal, permission)]),
      )
    },
    grantsOf,
    describe: (type, id) => {
      const grants = grantsOfType(type)
        .of(id)
        .toSorted((left, right) => (sortKeyOf(left) < sortKeyOf(right) ? -1 : 1))
      return { access_grants: grants, access_control: toAccessControl(grants) }
    },
    replace: (caller, { type, id }, { access_grants, access_control }) => {
      if (!access_grants && access_control === undefined) return
      const wanted = normalizeGrants(
        access_grants ?? fromAccessControl(access_control ?? null),
      ).filter(createIsSomebody())
      // Who may change a thing but not share it as widely leaves alone what others have given.
      const given = new Set(grantsOf(type, id).map(keyOf))
      const grants = wanted.filter(
        (grant) => given.has(keyOf(grant)) || mayGive(caller, type, grant),
      )
      const staying = new Set(grants.map(keyOf))
      storage.transaction(() => {
        for (const grant of grantsOfType(type).of(id))
          if (!staying.has(keyOf(grant))) store.removeOne(grant.id)
        for (const grant of grants) if (!given.has(keyOf(grant))) store.add(type, id, grant)
      })
      kept.delete(type)
    },
    remove: (type, id) => {
      store.remove(type, id)
      kept.delete(type)
    },
  }
}
