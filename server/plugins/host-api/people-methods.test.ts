import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../lib/http.ts'
import { startTestServer, type TestServer } from '../../testing/start-server.ts'
import type { UserRecord } from '../../users/index.ts'
import { peopleMethods } from './people-methods.ts'

let server: TestServer
let people: Record<'ada' | 'bob' | 'cy' | 'guest', UserRecord>
beforeAll(async () => {
  server = await startTestServer()
  const { users } = server.context
  const create = (name: string, more: { role: 'admin' | 'user'; isGuest?: boolean }) =>
    users.create({ name, email: `${name.toLowerCase()}@example.com`, ...more })
  people = {
    ada: await create('Ada', { role: 'admin' }),
    bob: await create('Bob', { role: 'user' }),
    cy: await create('Cy', { role: 'user' }),
    guest: await create('Guest', { role: 'user', isGuest: true }),
  }
})
afterAll(() => server.close())

const callerOf = ({ id, role, name, email }: UserRecord): Caller => ({
  userId: id,
  role,
  name,
  email,
  credential: 'bearer',
  keyId: null,
})
const ask = async (method: string, asker: UserRecord, params: object): Promise<unknown> =>
  peopleMethods(server.context)[method]!({ caller: callerOf(asker), params } as never)
const named = async (asker: UserRecord, email: string) =>
  (await ask('users.get', asker, { email })) as { name: string; email: string } | null

test('An address finds those whom the search for people finds, with what it shows', async () => {
  const { ada, bob, cy, guest } = people
  expect(await named(bob, cy.email)).toMatchObject({ name: 'Cy', email: '', role: '' })
  expect(await named(bob, 'cy@')).toBeNull()
  expect(await named(bob, guest.email)).toBeNull()
  expect(await named(ada, guest.email)).toMatchObject({ name: 'Guest' })
})

test('A guest, who may not search, finds no one else by address or in the list', async () => {
  const { ada, guest } = people
  expect(await named(guest, ada.email)).toBeNull()
  expect(await ask('users.get', guest, { first: true })).toBeNull()
  expect(await ask('users.list', guest, {})).toMatchObject({ users: [{ name: 'Guest' }], total: 1 })
  expect(await ask('users.list', guest, { ids: [ada.id] })).toEqual({ users: [], total: 0 })
  expect(await named(guest, guest.email)).toMatchObject({ name: 'Guest', email: guest.email })
})
