import { endpoints } from '#contract/endpoints.ts'
import type { Group } from '#contract/group.ts'
import type { Named } from '#contract/groups.ts'
import type { User } from '#contract/users.ts'
import { checkPlainJson } from '../lib/json/check-plain-json.ts'
import { notFound } from '../lib/errors.ts'
import { asJsonList, route, type Caller, type Route } from '../lib/http.ts'
import { inGroups } from '../lib/timing/in-groups.ts'
import { toWireUsers, type Users } from '../users/index.ts'
import type { Groups } from './groups.ts'
import type { GroupRecord } from './group-record.ts'
import { changeManyMembers } from './change-many-members.ts'
import { keepKnown } from './merge-permissions.ts'
import type { GroupFields } from './store.ts'

/**
 * Returns true if users may share resources with the group, according to its `data.config.share`.
 */
function mayBeSharedWith({ data }: GroupRecord): boolean {
  const config = data['config']
  return !(
    typeof config === 'object' &&
    config !== null &&
    'share' in config &&
    config.share === false
  )
}

/** Number of members that are read and described at once. */
const MEMBERS_AT_ONCE = 64

const present = <Value>(value: Value | null | undefined): Value | undefined => value ?? undefined

/** Yields the members of a group with their groups, some at a time. */
async function* describeMembers(
  users: Users,
  groups: Groups,
  ids: ReadonlySet<string>,
): AsyncGenerator<User> {
  for (const some of inGroups([...ids], MEMBERS_AT_ONCE)) {
    await groups.readAhead(some)
    for (const user of await toWireUsers(users, await users.several(some)))
      yield {
        ...user,
        groups: (await groups.listOf(user.id)).map(({ id, name }) => ({ id, name })),
      }
  }
}

const toWire = async (groups: Groups, group: GroupRecord): Promise<Group> => ({
  ...group,
  user_id: group.user_id ?? '',
  member_count: (await groups.membersOf(group.id)).size,
})

function toFields(body: {
  [Name in keyof GroupFields]?: GroupFields[Name] | null | undefined
}): Partial<GroupFields> {
  checkPlainJson([body.data, body.meta], 'The group')
  return {
    ...(present(body.name) !== undefined && { name: body.name! }),
    ...(present(body.description) !== undefined && { description: body.description! }),
    ...(body.permissions && { permissions: keepKnown(body.permissions) }),
    ...(body.data && { data: body.data }),
    ...(body.meta && { meta: body.meta }),
  }
}

export const createGroupRoutes = (groups: Groups, users: Users): Route[] => [
  ...createReadRoutes(groups, users),
  ...createChangeRoutes(groups),
  route(endpoints.users.defaultPermissions, () => groups.defaultPermissions()),
  route(endpoints.users.updateDefaultPermissions, ({ body }) =>
    groups.updateDefaultPermissions(body),
  ),
]

/** Resources shared with a group or with everybody, by name. */
export type FindShared = (
  caller: Caller,
  groupId: string,
) => Promise<Record<'models' | 'knowledge' | 'tools', Named[]>>

/** Creates the route that shows administrators what members of a group get. */
export const createPreviewRoute = (groups: Groups, findShared: FindShared): Route =>
  route(endpoints.groups.preview, async ({ caller, params }) => {
    const group = await groups.get(params.group_id)
    return {
      group: await toWire(groups, group),
      permissions: await groups.permissionsOfGroup(group.id),
      ...(await findShared(caller, group.id)),
    }
  })

function createReadRoutes(groups: Groups, users: Users): Route[] {
  const read = async (id: string): Promise<Group> => toWire(groups, await groups.get(id))
  return [
    route(endpoints.groups.list, async ({ caller, query }) => {
      const found =
        caller.role === 'admin' ? await groups.list() : await groups.listOf(caller.userId)
      return asJsonList(query.share === true ? found.filter(mayBeSharedWith) : found, (group) =>
        toWire(groups, group),
      )
    }),
    route(endpoints.groups.get, ({ params }) => read(params.group_id)),
    route(endpoints.groups.info, async ({ caller, params }) => {
      if (caller.role !== 'admin' && !(await groups.idsOf(caller.userId)).has(params.group_id))
        throw notFound('There is no such group.')
      const { id, name, description, member_count, created_at, updated_at } = await read(
        params.group_id,
      )
      return { id, name, description, member_count, created_at, updated_at }
    }),
    route(endpoints.groups.export, async ({ params }) => ({
      ...(await read(params.group_id)),
      user_ids: [...(await groups.membersOf(params.group_id))],
    })),
    route(endpoints.groups.members, async ({ params }) =>
      asJsonList(
        describeMembers(
          users,
          groups,
          await groups.membersOf((await groups.get(params.group_id)).id),
        ),
      ),
    ),
  ]
}

function createChangeRoutes(groups: Groups): Route[] {
  const read = async (id: string): Promise<Group> => toWire(groups, await groups.get(id))
  const change = async (
    id: string,
    changes: Parameters<typeof changeManyMembers>[2],
  ): Promise<Group> => {
    await groups.get(id)
    await changeManyMembers(groups, id, changes)
    return read(id)
  }
  return [
    route(endpoints.groups.create, async ({ caller, body }) =>
      toWire(
        groups,
        await groups.create(caller.userId, {
          permissions: {},
          data: {},
          meta: {},
          ...toFields(body),
          name: body.name,
          description: body.description,
        }),
      ),
    ),
    route(
      endpoints.groups.update,
      async ({ params: { group_id: id }, body: { user_ids: userIds, ...body } }) => {
        await groups.update(id, toFields(body))
        if (!userIds) return read(id)
        const [wanted, current] = [new Set(userIds), await groups.membersOf(id)]
        return change(id, {
          add: [...wanted].filter((userId) => !current.has(userId)),
          remove: [...current].filter((userId) => !wanted.has(userId)),
        })
      },
    ),
    route(endpoints.groups.addUsers, ({ params, body }) =>
      change(params.group_id, { add: body.user_ids }),
    ),
    route(endpoints.groups.removeUsers, ({ params, body }) =>
      change(params.group_id, { remove: body.user_ids }),
    ),
    route(endpoints.groups.remove, async ({ params }) => {
      await groups.remove(params.group_id)
      return true
    }),
  ]
}
