import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

const TABLES = ['prompt', 'note', 'memory', 'model', 'chat', 'folder', 'access_grant'] as const
const FOR_ALL = {
  access_grants: [{ principal_type: 'user', principal_id: '*', permission: 'read' }],
}

let server: TestServer
let admin: string

beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signUp('Root')
})
afterAll(() => server.close())

const count = (table: (typeof TABLES)[number]): Promise<unknown> =>
  server.context.storage.prepare(`select count(*) from ${table}`).pluck().get()

async function post(path: string, token: string, body?: unknown): Promise<{ id: string }> {
  const response = await server.call('POST', `/api/v1/${path}`, { token, body })
  expect(response.status, path).toBe(200)
  return (await response.json()) as { id: string }
}

it('a deleted account takes along what it owned, and every right on it', async () => {
  const before = await Promise.all(TABLES.map(count))
  const { id } = await post('auths/add', admin, {
    name: 'Leaver',
    email: 'leaver@example.org',
    password: 'a long password',
    role: 'admin',
  })
  const leaver = (
    (await (
      await server.call('POST', '/api/v1/auths/signin', {
        body: { email: 'leaver@example.org', password: 'a long password' },
      })
    ).json()) as { token: string }
  ).token
  await post('prompts/create', leaver, { command: 'bye', name: 'Bye', content: 'Bye', ...FOR_ALL })
  await post('notes/create', leaver, { title: 'A note', ...FOR_ALL })
  await post('memories/add', leaver, { content: 'Leaves soon' })
  await post('models/create', leaver, {
    id: 'leaving',
    name: 'Leaving',
    base_model_id: 'guide',
    ...FOR_ALL,
  })
  const folder = await post('folders/', leaver, { name: 'Folder' })
  const chat = await post('chats/new', leaver, { chat: { title: 'Chat' }, folder_id: folder.id })
  await post(`chats/${chat.id}/share`, leaver)
  expect(await Promise.all(TABLES.map(count))).not.toEqual(before)
  expect((await server.call('DELETE', `/api/v1/users/${id}`, { token: admin })).status).toBe(200)
  await server.context.storage.deletions.settled()
  expect(await Promise.all(TABLES.map(count))).toEqual(before)
})
