import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Group } from '#contract/group.ts'
import type { Permissions } from '#contract/permissions.ts'
import type { User } from '#contract/users.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { type Permission, withPermission } from './permission-tree.ts'

export interface GroupsState {
  readonly groups: readonly Group[]
  /** What everybody may do without any group. */
  readonly defaults: Permissions | null
  readonly status: 'loading' | 'ready' | 'failed'
  readonly problem: string | null
}

export type GroupsStore = StoreApi<GroupsState>

export const createGroupsStore = (): GroupsStore =>
  createStore<GroupsState>(() => ({ groups: [], defaults: null, status: 'loading', problem: null }))

export async function loadGroups(store: GroupsStore): Promise<void> {
  try {
    const [groups, defaults] = await Promise.all([
      call(endpoints.groups.list, {}),
      call(endpoints.users.defaultPermissions, {}),
    ])
    store.setState({ groups, defaults, status: 'ready', problem: null })
  } catch (thrown) {
    store.setState({ status: 'failed', problem: toSentence(thrown) })
  }
}

const put = (store: GroupsStore, changed: Group): void =>
  store.setState(({ groups }) => ({
    groups: groups.map((group) => (group.id === changed.id ? changed : group)),
  }))

export async function createGroup(
  store: GroupsStore,
  body: { name: string; description: string },
): Promise<Group> {
  const group = await call(endpoints.groups.create, { body })
  store.setState(({ groups }) => ({ groups: [...groups, group] }))
  return group
}

export async function changeGroup(
  store: GroupsStore,
  id: string,
  body: { name: string; description: string },
): Promise<void> {
  put(store, await call(endpoints.groups.update, { params: { group_id: id }, body }))
}

/**
 * Lets a group permit something or no longer permit it. It shows at once and goes back when it is
 * refused.
 */
export async function changeGroupPermission(
  store: GroupsStore,
  group: Group,
  permission: Permission,
  isOn: boolean,
): Promise<void> {
  const permissions = withPermission(group.permissions, permission, isOn)
  put(store, { ...group, permissions })
  try {
    put(
      store,
      await call(endpoints.groups.update, {
        params: { group_id: group.id },
        body: { permissions },
      }),
    )
  } catch (thrown) {
    put(store, group)
    throw thrown
  }
}

/** Changes what everybody may do. It shows at once and goes back when it is refused. */
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
  store.setState(({ groups }) => ({ groups: groups.filter((group) => group.id !== id) }))
}

export const listMembers = (groupId: string): Promise<readonly User[]> =>
  call(endpoints.groups.members, { params: { group_id: groupId } })

export async function addMember(
  store: GroupsStore,
  groupId: string,
  userId: string,
): Promise<void> {
  put(
    store,
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
  put(
    store,
    await call(endpoints.groups.removeUsers, {
      params: { group_id: groupId },
      body: { user_ids: [userId] },
    }),
  )
}
