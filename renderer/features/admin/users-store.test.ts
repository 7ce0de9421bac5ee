import { afterEach, expect, test, vi } from 'vitest'
import type { User } from '#contract/users.ts'
import { fakeGateway, refusal } from '../../testing/fake-gateway.ts'
import {
  createUsersStore,
  protectionOf,
  removeUser,
  setGroups,
  showUsers,
  sortUsers,
} from './users-store.ts'

const LIST = 'GET /api/v1/users/'
const GROUPS = 'GET /api/v1/groups/'

const bo: User = {
  id: 'u2',
  name: 'Bo',
  email: 'bo@example.com',
  role: 'user',
  profile_image_url: '',
  group_ids: ['g1'],
  last_active_at: 1,
  created_at: 1,
  updated_at: 1,
}

afterEach(() => vi.unstubAllGlobals())

test('searching and sorting lead back to the first page', async () => {
  const gateway = fakeGateway({ [LIST]: { users: [bo], total: 61 }, [GROUPS]: [] })
  const store = createUsersStore()
  await showUsers(store, { page: 3 })
  await showUsers(store, { query: ' bo ' })
  expect(store.getState()).toMatchObject({ page: 1, total: 61, status: 'ready' })
  await sortUsers(store, 'name')
  await sortUsers(store, 'name')
  const queries = gateway.calls
    .filter(({ path }) => path === '/api/v1/users/')
    .map(({ query }) => query)
  expect(queries.at(-1)?.get('query')).toBe('bo')
  expect(queries.slice(-2).map((query) => [query.get('order_by'), query.get('direction')])).toEqual(
    [
      ['name', 'asc'],
      ['name', 'desc'],
    ],
  )
})

test('an answer that came too late is passed over, and a failure is told', async () => {
  const store = createUsersStore()
  let isFirst = true
  fakeGateway({
    [GROUPS]: [],
    [LIST]: async () => {
      if (!isFirst) return { users: [bo], total: 1 }
      isFirst = false
      await new Promise((resolve) => setTimeout(resolve, 20))
      return { users: [], total: 0 }
    },
  })
  const late = store.load()
  await store.load()
  await late
  expect(store.getState().items).toEqual([bo])
  fakeGateway({ [GROUPS]: [], [LIST]: refusal(503, 'Not now.') })
  await store.load()
  expect(store.getState()).toMatchObject({ status: 'failed', problem: 'Not now.' })
})

test('deleting the last account of a page shows the page before', async () => {
  fakeGateway({ [LIST]: { users: [bo], total: 31 }, [GROUPS]: [], 'DELETE /api/v1/users/u2': true })
  const store = createUsersStore()
  await showUsers(store, { page: 2 })
  await removeUser(store, 'u2')
  expect(store.getState().page).toBe(1)
})

test('only groups that change are written', async () => {
  const add = 'POST /api/v1/groups/id/g2/users/add'
  const remove = 'POST /api/v1/groups/id/g1/users/remove'
  const gateway = fakeGateway({
    [LIST]: { users: [], total: 0 },
    [GROUPS]: [],
    [add]: {},
    [remove]: {},
  })
  await setGroups(createUsersStore(), bo, ['g2'])
  expect(
    gateway.calls
      .filter(({ method }) => method === 'POST')
      .map(({ path }) => path)
      .sort(),
  ).toEqual(['/api/v1/groups/id/g1/users/remove', '/api/v1/groups/id/g2/users/add'])
})

test('the first administrator and oneself are protected', () => {
  expect(protectionOf({ ...bo, is_first: true }, 'u1')).toBe('first')
  expect(protectionOf(bo, 'u2')).toBe('self')
  expect(protectionOf(bo, 'u1')).toBe(null)
})
