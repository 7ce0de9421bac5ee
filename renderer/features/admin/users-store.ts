import type { EndpointInput } from '#contract/endpoint.ts'
import type { Group } from '#contract/group.ts'
import type { User } from '#contract/users.ts'
import { call, endpoints } from '../../api/client.ts'
import { ListStore } from '../../api/list-store.ts'

/** Page size of the gateway. */
export const USERS_PER_PAGE = 30

export type UserOrder = 'name' | 'role' | 'last_active_at' | 'created_at'

/** View state of the list; `page` starts at 1. */
export interface UsersView {
  readonly query: string
  readonly order: UserOrder
  readonly direction: 'asc' | 'desc'
  readonly page: number
}

interface UsersExtra extends UsersView {
  readonly groups: readonly Group[]
}

export type UsersStore = ListStore<User, UsersExtra>

export const createUsersStore = (): UsersStore =>
  new ListStore<User, UsersExtra>({
    read: async ({ state: { query, order, direction, page }, signal }) => {
      const [{ users: items, total }, groups] = await Promise.all([
        call(
          endpoints.users.list,
          { query: { query: query.trim() || undefined, order_by: order, direction, page } },
          { signal },
        ),
        call(endpoints.groups.list, {}, { signal }),
      ])
      return { items, total, groups }
    },
    extra: { groups: [], query: '', order: 'created_at', direction: 'desc', page: 1 },
    keyOf: ({ id }) => id,
  })

/** Changes the view. Any change other than the page resets to the first page. */
export const showUsers = (store: UsersStore, change: Partial<UsersView>): Promise<void> =>
  store.load({ page: 1, ...change })

/**
 * Sorts by a column, or reverses the order if already sorted by it. Dates start with the latest.
 */
export function sortUsers(store: UsersStore, order: UserOrder): Promise<void> {
  const state = store.getState()
  const isSame = state.order === order
  const first = order === 'name' || order === 'role' ? 'asc' : 'desc'
  return showUsers(store, {
    order,
    direction: isSame ? (state.direction === 'asc' ? 'desc' : 'asc') : first,
  })
}

export async function addUser(
  store: UsersStore,
  body: EndpointInput<typeof endpoints.auths.addUser>['body'],
): Promise<void> {
  await call(endpoints.auths.addUser, { body })
  await store.load()
}

export async function changeUser(
  store: UsersStore,
  id: string,
  body: EndpointInput<typeof endpoints.users.update>['body'],
): Promise<void> {
  const changed = await call(endpoints.users.update, { params: { user_id: id }, body })
  const known = store.getState().items.find((user) => user.id === id)
  if (known) store.put({ ...known, ...changed })
}

/** Deletes an account; after the last one of a page, shows the previous page. */
export async function removeUser(store: UsersStore, id: string): Promise<void> {
  await call(endpoints.users.remove, { params: { user_id: id } })
  const { items, page } = store.getState()
  await showUsers(store, { page: items.length === 1 ? Math.max(1, page - 1) : page })
}

/** Sets the groups of an account to exactly these. */
export async function setGroups(
  store: UsersStore,
  user: User,
  wanted: readonly string[],
): Promise<void> {
  const before = user.group_ids ?? []
  const params = (group_id: string) => ({ params: { group_id }, body: { user_ids: [user.id] } })
  const added = wanted.filter((id) => !before.includes(id))
  const removed = before.filter((id) => !wanted.includes(id))
  await Promise.all([
    ...added.map((id) => call(endpoints.groups.addUsers, params(id))),
    ...removed.map((id) => call(endpoints.groups.removeUsers, params(id))),
  ])
  if (added.length + removed.length > 0) await store.load()
}

/** Reason an account may not be deleted or changed; null if it may. */
export type Protection = 'first' | 'self' | null

/**
 * The first administrator can only be changed by themselves, and no user can delete their own
 * account.
 */
export const protectionOf = (user: User, ownId: string): Protection =>
  user.is_first ? 'first' : user.id === ownId ? 'self' : null
