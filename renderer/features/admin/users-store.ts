import { createStore, type StoreApi } from 'zustand/vanilla'
import type { EndpointInput } from '#contract/endpoint.ts'
import type { Group } from '#contract/group.ts'
import type { User } from '#contract/users.ts'
import { isAborted, toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'

/** The gateway's own page size. */
export const USERS_PER_PAGE = 30

export type UserOrder = 'name' | 'role' | 'last_active_at' | 'created_at'

export interface UsersState {
  readonly users: readonly User[]
  readonly groups: readonly Group[]
  readonly total: number
  readonly query: string
  readonly order: UserOrder
  readonly direction: 'asc' | 'desc'
  /** Counts from 1. */
  readonly page: number
  readonly status: 'loading' | 'ready' | 'failed'
  readonly problem: string | null
}

export type UsersStore = StoreApi<UsersState>

export const createUsersStore = (): UsersStore =>
  createStore<UsersState>(() => ({
    users: [],
    groups: [],
    total: 0,
    query: '',
    order: 'created_at',
    direction: 'desc',
    page: 1,
    status: 'loading',
    problem: null,
  }))

const running = new WeakMap<UsersStore, AbortController>()

/** Fetches the page that is chosen; an answer that is no longer wanted is passed over. */
export async function loadUsers(store: UsersStore): Promise<void> {
  running.get(store)?.abort()
  const abort = new AbortController()
  running.set(store, abort)
  const { query, order, direction, page } = store.getState()
  try {
    const [{ users, total }, groups] = await Promise.all([
      call(
        endpoints.users.list,
        { query: { query: query.trim() || undefined, order_by: order, direction, page } },
        abort,
      ),
      call(endpoints.groups.list, {}, abort),
    ])
    if (!abort.signal.aborted)
      store.setState({ users, total, groups, status: 'ready', problem: null })
  } catch (thrown) {
    if (!isAborted(thrown)) store.setState({ status: 'failed', problem: toSentence(thrown) })
  }
}

/** Changes what is shown. Anything but the page leads back to the first one. */
export function showUsers(
  store: UsersStore,
  change: Partial<Pick<UsersState, 'query' | 'order' | 'direction' | 'page'>>,
): Promise<void> {
  store.setState({ page: 1, ...change })
  return loadUsers(store)
}

/**
 * Sorts by a column, or the other way round when it is sorted by it already. Dates begin with the
 * latest.
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
  await loadUsers(store)
}

export async function changeUser(
  store: UsersStore,
  id: string,
  body: EndpointInput<typeof endpoints.users.update>['body'],
): Promise<void> {
  const changed = await call(endpoints.users.update, { params: { user_id: id }, body })
  store.setState(({ users }) => ({
    users: users.map((user) => (user.id === id ? { ...user, ...changed } : user)),
  }))
}

/** Deletes an account; the last one of a page leads to the page before. */
export async function removeUser(store: UsersStore, id: string): Promise<void> {
  await call(endpoints.users.remove, { params: { user_id: id } })
  const { users, page } = store.getState()
  await showUsers(store, { page: users.length === 1 ? Math.max(1, page - 1) : page })
}

/** Puts an account into exactly these groups. */
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
  if (added.length + removed.length > 0) await loadUsers(store)
}

/** Why an account may not be deleted or changed, if it may not. */
export type Protection = 'first' | 'self' | null

/** The first administrator is changed only by themselves, and nobody deletes their own account. */
export const protectionOf = (user: User, ownId: string): Protection =>
  user.is_first ? 'first' : user.id === ownId ? 'self' : null
