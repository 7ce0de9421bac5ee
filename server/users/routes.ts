import { mapInOrder } from '../lib/in-order.ts'
import type { z } from 'zod'
import { endpoints } from '#contract/endpoints.ts'
import type { Group } from '#contract/group.ts'
import type { Permissions, PermissionsInput } from '#contract/permissions.ts'
import type { User } from '#contract/users.ts'
import { forbidden, notFound } from '../lib/errors.ts'
import { asJsonList, asJsonPieces, httpRoute, route, type Caller, type Route } from '../lib/http.ts'
import type { UsersSettings } from './users-settings.ts'
import type { Users } from './users.ts'
import { isActive, type UserRecord } from './user-record.ts'
import type { ListUsers, UserOrder } from './store.ts'
import { sendProfileImage } from './profile-image.ts'
import { toUserInfo, toWireUser, toWireUsers } from './to-wire-user.ts'

interface GroupFact {
  readonly id: string
  readonly user_id: string | null
  readonly name: string
  readonly description: string
  readonly permissions: PermissionsInput
  readonly data: Record<string, unknown>
  readonly meta: Record<string, unknown>
  readonly created_at: number
  readonly updated_at: number
}

/** The part of groups, which are created later, that accounts need. */
export interface GroupFacts {
  listOf(userId: string): Promise<readonly GroupFact[]>
  /** Reads the groups of users in few statements, before `listOf` is called for each of them. */
  readAhead(userIds: readonly string[]): Promise<void>
  membersOf(groupId: string): ReadonlySet<string> | Promise<ReadonlySet<string>>
  readonly permissions: {
    of(caller: Pick<Caller, 'userId' | 'role'>): Permissions | Promise<Permissions>
  }
}

interface UserRouteDependencies {
  readonly users: Users
  readonly groups: GroupFacts
  readonly settings: UsersSettings
}

type SearchQuery = z.output<(typeof endpoints.users.search)['query']>
type UserUpdate = z.output<(typeof endpoints.users.update)['body']>

const BY_GROUP = 'group_id:'

async function requireUser(users: Users, id: string): Promise<UserRecord> {
  const user = await users.get(id)
  if (!user) throw notFound('There is no such account.')
  return user
}

/**
 * Other administrators may not change the first one, or they could take over the account with a new
 * e-mail address or password.
 */
function requireMayChange(caller: Caller, user: UserRecord): void {
  if (user.isFirst && caller.userId !== user.id)
    throw forbidden('Only the first administrator can change this account.')
}

/** Creates the routes of accounts. */
export function createUserRoutes(deps: UserRouteDependencies): Route[] {
  return [...createListRoutes(deps), ...createOwnRoutes(deps), ...createAccountRoutes(deps)]
}

const namesOf = async (
  groups: GroupFacts,
  userId: string,
): Promise<{ id: string; name: string }[]> =>
  (await groups.listOf(userId)).map(({ id, name }) => ({ id, name }))

/** Hidden fields must not leak through partial search or sorting. */
const withoutHidden = (options: ListUsers): ListUsers => ({
  ...options,
  ...((options.order === 'email' || options.order === 'role') && { order: 'name' }),
  wholeEmail: true,
})

/** Yields all accounts, the oldest first, some at a time. */
async function* describeAll(
  users: Users,
  toListed: (found: readonly UserRecord[]) => Promise<User[]>,
): AsyncGenerator<string> {
  let total = 0
  yield '{"users":['
  for await (const some of users.slices())
    for (const user of await toListed(some))
      yield `${(total += 1) === 1 ? '' : ','}${JSON.stringify(user)}`
  yield `],"total":${total}}`
}

function createListRoutes({ users, groups }: UserRouteDependencies): Route[] {
  const toListed = async (found: readonly UserRecord[]): Promise<User[]> => {
    await groups.readAhead(found.map(({ id }) => id))
    return await mapInOrder(await toWireUsers(users, found), async (user) => {
      const ofUser = await namesOf(groups, user.id)
      return { ...user, group_ids: ofUser.map(({ id }) => id), groups: ofUser }
    })
  }
  const toOptions = async ({
    query,
    order_by,
    direction,
    page,
  }: SearchQuery): Promise<ListUsers> => {
    const common = { query: query ?? '', page }
    if (order_by?.startsWith(BY_GROUP)) {
      const members = [...(await groups.membersOf(order_by.slice(BY_GROUP.length)))]
      return { ...common, order: 'name', direction: 'asc', first: members }
    }
    const order = (order_by || 'created_at') as UserOrder
    return { ...common, order, direction: direction || (order_by ? 'desc' : 'asc') }
  }
  return [
    route(endpoints.users.list, async ({ query: { group_id, ...query } }) => {
      const only = group_id === undefined ? {} : { only: [...(await groups.membersOf(group_id))] }
      const found = await users.list({ ...(await toOptions(query)), ...only })
      return { users: await toListed(found.users), total: found.total }
    }),
    route(endpoints.users.all, () =>
      asJsonPieces<{ users: User[]; total: number }>(describeAll(users, toListed)),
    ),
    route(endpoints.users.search, async ({ caller, query }) => {
      const found = await users.list(
        caller.role === 'admin' ? await toOptions(query) : withoutHidden(await toOptions(query)),
      )
      const toFound = async (user: UserRecord) => ({
        ...(await toUserInfo(users, user, caller)),
        groups: await namesOf(groups, user.id),
      })
      return { users: await mapInOrder(found.users, toFound), total: found.total }
    }),
  ]
}

const toGroup = async (groups: GroupFacts, group: GroupFact): Promise<Group> => ({
  ...group,
  user_id: group.user_id ?? '',
  member_count: (await groups.membersOf(group.id)).size,
})

/** Creates the routes by which signed-in users read and change their own data. */
function createOwnRoutes({ users, groups }: UserRouteDependencies): Route[] {
  return [
    route(endpoints.users.groups, async ({ caller }) =>
      asJsonList(await groups.listOf(caller.userId), (group) => toGroup(groups, group)),
    ),
    route(endpoints.users.permissions, ({ caller }) => groups.permissions.of(caller)),
    route(endpoints.users.settings, ({ caller }) => users.settings(caller.userId)),
    route(endpoints.users.updateSettings, async ({ caller, body }) => {
      const mayBringTools = (await groups.permissions.of(caller)).features.direct_tool_servers
      const { toolServers: _toolServers, ...ui } = body.ui ?? {}
      return users.updateSettings(caller.userId, mayBringTools || !body.ui ? body : { ...body, ui })
    }),
    route(endpoints.users.status, async ({ caller }) =>
      toWireUser(users, await requireUser(users, caller.userId)),
    ),
    route(endpoints.users.updateStatus, async ({ caller, body }) => {
      await users.profiles.update(caller.userId, body)
      return toWireUser(users, await requireUser(users, caller.userId))
    }),
    route(endpoints.users.ownInfo, ({ caller }) => users.profiles.info(caller.userId)),
    route(endpoints.users.updateOwnInfo, ({ caller, body }) =>
      users.profiles.updateInfo(caller.userId, body),
    ),
  ]
}

/** Creates the routes of single accounts. */
function createAccountRoutes({ users, groups, settings }: UserRouteDependencies): Route[] {
  const update = async (
    caller: Caller,
    id: string,
    { password, role, name, email, ...profile }: UserUpdate,
  ): Promise<User> => {
    requireMayChange(caller, await requireUser(users, id))
    const passwordHash = password ? await users.hashPassword(password) : undefined
    const user = await users.update(id, { role, name, email, passwordHash })
    await users.profiles.update(id, profile)
    return toWireUser(users, user)
  }
  return [
    route(endpoints.users.updateRole, ({ caller, body }) =>
      update(caller, body.id, { role: body.role }),
    ),
    route(endpoints.users.get, async ({ params }) => ({
      ...(await toWireUser(users, await requireUser(users, params.user_id))),
      groups: await namesOf(groups, params.user_id),
    })),
    route(endpoints.users.info, async ({ caller, params }) => {
      const user = await requireUser(users, params.user_id)
      return { ...(await toUserInfo(users, user, caller)), groups: await namesOf(groups, user.id) }
    }),
    route(endpoints.users.active, async ({ params }) => ({
      active: isActive(await requireUser(users, params.user_id)),
    })),
    route(endpoints.users.groupsOf, async ({ params }) =>
      asJsonList(await groups.listOf((await requireUser(users, params.user_id)).id), (group) =>
        toGroup(groups, group),
      ),
    ),
    route(endpoints.users.update, ({ caller, params, body }) =>
      update(caller, params.user_id, body),
    ),
    route(endpoints.users.updateRoleOf, ({ caller, params, body }) =>
      update(caller, params.user_id, body),
    ),
    route(endpoints.users.remove, async ({ caller, params }) => {
      if (caller.userId === params.user_id)
        throw forbidden('You cannot delete your own account. Ask another administrator.')
      await users.remove(params.user_id)
    }),
    httpRoute(endpoints.users.profileImage, async ({ params, response }) => {
      const user = await requireUser(users, params.user_id)
      const isForwarding = settings.get('ENABLE_PROFILE_IMAGE_URL_FORWARDING')
      sendProfileImage(response, user, {
        chosen: await users.profiles.image(user.id),
        isForwarding,
      })
    }),
  ]
}
