import { mapInOrder } from '../lib/in-order.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer()
  token = await server.signUp('Root')
})
afterAll(() => server.close())

async function call(method: string, path: string, body?: unknown) {
  const reply = await server.call(method, `/api/v1/groups/${path}`, { token, body })
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into replies of any shape
  return { status: reply.status, body: (await reply.json()) as any }
}
const create = async (body: object): Promise<string> =>
  (await call('POST', 'create', body)).body.id as string

it('a group is made, changed in parts and deleted; a missing one is 404', async () => {
  const permissions = { chat: { delete: false }, made_up: { name: true } }
  const id = await create({
    name: ' Team ',
    description: 'Ours',
    permissions,
    data: { color: 'red' },
  })
  expect((await call('GET', `id/${id}`)).body).toMatchObject({
    name: 'Team',
    description: 'Ours',
    permissions: { chat: { delete: false } },
    data: { color: 'red' },
    meta: {},
    member_count: 0,
  })
  expect((await call('POST', `id/${id}/update`, { description: '' })).body).toMatchObject({
    name: 'Team',
    description: '',
  })
  expect((await call('GET', `id/${id}/preview`)).body.permissions.chat.delete).toBe(true)
  expect((await call('DELETE', `id/${id}/delete`)).body).toBe(true)
  for (const [method, path, body] of [
    ['GET', `id/${id}`],
    ['GET', `id/${id}/info`],
    ['GET', `id/${id}/export`],
    ['POST', `id/${id}/users`],
    ['POST', `id/${id}/update`, {}],
    ['POST', `id/${id}/users/add`, { user_ids: [] }],
    ['DELETE', `id/${id}/delete`],
  ] as const)
    expect([path, (await call(method, path, body)).status]).toEqual([path, 404])
})

it('members are listed, added and removed; ids nobody has are passed over', async () => {
  const id = await create({ name: 'Members' })
  const rootId = (await server.context.users.first())!.id
  expect(
    (await call('POST', `id/${id}/users/add`, { user_ids: [rootId, 'nobody', rootId] })).body
      .member_count,
  ).toBe(1)
  expect((await call('POST', `id/${id}/users`)).body).toMatchObject([{ id: rootId, name: 'Root' }])
  expect(
    (await call('POST', `id/${id}/users/remove`, { user_ids: [rootId, 'nobody'] })).body
      .member_count,
  ).toBe(0)
})

it('a group that nobody may share with is left out where people choose whom to share with', async () => {
  await create({ name: 'Closed', data: { config: { share: false } } })
  const namesOf = async (query: string) =>
    ((await call('GET', query)).body as { name: string }[]).map(({ name }) => name)
  expect(await namesOf('')).toContain('Closed')
  expect(await namesOf('?share=true')).not.toContain('Closed')
  expect(await namesOf('?share=true')).toContain('Members')
})

it('many members are added, replaced and removed a few at a time, others being served in between', async () => {
  const { groups, storage, users } = server.context
  const ids = await storage.transaction(() =>
    mapInOrder(
      Array.from({ length: 1200 }).keys(),
      async (each) =>
        (await users.create({ name: `M${each}`, email: `m${each}@example.org`, role: 'user' })).id,
    ),
  )
  const id = await create({ name: 'Many' })
  const sizes = new Set<number>()
  let isWatching = true
  const watch = async (): Promise<void> => {
    sizes.add((await groups.membersOf(id)).size)
    if (isWatching) setImmediate(() => void watch())
  }
  await watch()
  const between = async (
    path: string,
    user_ids: string[],
    member_count: number,
  ): Promise<number> => {
    sizes.clear()
    const before = (await groups.membersOf(id)).size
    expect((await call('POST', `id/${id}/${path}`, { user_ids })).body).toMatchObject({
      member_count,
    })
    return [...sizes].filter((size) => size !== before && size !== member_count).length
  }
  expect(await between('users/add', ids, 1200)).toBeGreaterThan(2)
  expect(await between('update', ids.slice(600), 600)).toBeGreaterThan(0)
  expect(await between('users/remove', ids, 0)).toBeGreaterThan(0)
  expect((await call('POST', 'id/nowhere/users/add', { user_ids: [] })).status).toBe(404)
  isWatching = false
})
