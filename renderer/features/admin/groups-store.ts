import type { Group } from '#contract/group.ts'
import type { Permissions } from '#contract/permissions.ts'
import type { User } from '#contract/users.ts'
import { call, endpoints } from '../../api/client.ts'
import { ListStore } from '../../api/list-store.ts'
import { type Permission, withPermission } from './permission-tree.ts'

interface GroupsExtra {
  /** Permissions of every user without any group. */
  readonly defaults: Permissions | null
}

export type GroupsStore = ListStore<Group, GroupsExtra>

export const createGroupsStore = (): GroupsStore =>
  new ListStore<Group, GroupsExtra>({
    read: async ({ signal }) => {
      const [items, defaults] = await Promise.all([
        call(endpoints.groups.list, {}, { signal }),
        call(endpoints.users.defaultPermissions, {}, { signal }),
      ])
      return { items, defaults }
    },
    extra: { defaults: null },
    keyOf: ({ id }) => id,
  })

export async function createGroup(
  store: GroupsStore,
  body: { name: string; description: string },
): Promise<Group> {
  const group = await call(endpoints.groups.create, { body })
  store.put(group)
  return group
}

export async function changeGroup(
  store: GroupsStore,
  id: string,
  body: { name: string; description: string },
): Promise<void> {
  store.put(await call(endpoints.groups.update, { params: { group_id: id }, body }))
}

/** Adds a permission to a group or removes it. Shown immediately, and reverted if refused. */
export async function changeGroupPermission(
  store: GroupsStore,
  group: Group,
  permission: Permission,
  isOn: boolean,
): Promise<void> {
  const permissions = withPermission(group.permissions, permission, isOn)
  await store.change(group, { ...group, permissions }, () =>
    call(endpoints.groups.update, { params: { group_id: group.id }, body: { permissions } }),
  )
}

/** Changes a default permission. Shown immediately, and reverted if refused. */
export async function changeDefaultPermission(
  store: GroupsStore,
  permission: Permission,
  isOn: boolean,
): Promise<void> {
  const { defaults } = store.getState()
  if (!defaults) return
  store.setState({ defaults: withPermission(defaults, permission, isOn) as Permissions })
  try {
    const body = withPermission({}, permission, isOn)
    store.setState({ defaults: await call(endpoints.users.updateDefaultPermissions, { body }) })
  } catch (thrown) {
    store.setState({ defaults })
    throw thrown
  }
}

export async function removeGroup(store: GroupsStore, id: string): Promise<void> {
  await call(endpoints.groups.remove, { params: { group_id: id } })
  store.drop(id)
}

export const listMembers = (groupId: string): Promise<readonly User[]> =>
  call(endpoints.groups.members, { params: { group_id: groupId } })

export async function addMember(
  store: GroupsStore,
  groupId: string,
  userId: string,
): Promise<void> {
  store.put(
    await call(endpoints.groups.addUsers, {
      params: { group_id: groupId },
      body: { user_ids: [userId] },
    }),
  )
}

export async function removeMember(
  store: GroupsStore,
  groupId: string,
  userId: string,
): Promise<void> {
  store.put(
    await call(endpoints.groups.removeUsers, {
      params: { group_id: groupId },
      body: { user_ids: [userId] },
    }),
  )
}
