import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Chat } from '#contract/chats.ts'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

let server: TestServer
let owner: string
let other: string
let people = 0

beforeAll(async () => {
  server = await startTestServer({ environment: { DEFAULT_USER_ROLE: 'user' } })
  await server.signUp('Root')
  await server.context.settings.update({ ENABLE_SIGNUP: true })
})
afterAll(() => server.close())
beforeEach(async () => {
  people += 1
  owner = await server.signUp(`Owner ${people}`)
  other = await server.signUp(`Other ${people}`)
})

async function call<Body = Record<string, unknown>>(
  method: string,
  path: string,
  body?: unknown,
  token = owner,
) {
  const response = await server.call(method, `/api/v1${path}`, { token, body })
  return { status: response.status, body: (await response.json()) as Body }
}

const MESSAGES = {
  q1: { role: 'user', content: 'Where to?', childrenIds: ['a1'], parentId: null, timestamp: 10 },
  a1: {
    role: 'assistant',
    content: 'To Oslo.',
    model: 'm',
    childrenIds: [],
    parentId: 'q1',
    timestamp: 11,
  },
}
const create = async (): Promise<string> =>
  (
    await call<Chat>('POST', '/chats/new', {
      chat: { title: 'Travel', history: { currentId: 'a1', messages: MESSAGES } },
    })
  ).body.id
const get = async (id: string): Promise<Chat> => (await call<Chat>('GET', `/chats/${id}`)).body

describe('Permissions on chats', () => {
  it('chat.edit: a whole chat may be sent as long as no stored text changes', async () => {
    const id = await create()
    const send = async (history: unknown) =>
      (await call('POST', `/chats/${id}`, { chat: { title: 'New title', history } })).status
    const placeholder = {
      role: 'assistant',
      content: '',
      parentId: 'q1',
      childrenIds: [],
      timestamp: 20,
    }
    await server.context.groups.updateDefaultPermissions({ chat: { edit: false } })
    expect(await send({ messages: MESSAGES })).toBe(200)
    expect(await send({ messages: { q1: { ...MESSAGES.q1, content: 'Where from?' } } })).toBe(403)
    expect((await get(id)).chat.history.messages['q1']).toMatchObject({ content: 'Where to?' })
    expect(await send({ messages: { a9: placeholder } })).toBe(200)
    expect(await send({ messages: { a9: { ...placeholder, content: 'To Rome.' } } })).toBe(200)
    expect(await send({ messages: { a9: { ...placeholder, content: 'To Paris.' } } })).toBe(403)
    expect(
      (await call('POST', `/chats/${id}/messages/q1`, { content: 'Where from?' })).status,
    ).toBe(403)
    await server.context.groups.updateDefaultPermissions({ chat: { edit: true } })
    expect(await send({ messages: { q1: { ...MESSAGES.q1, content: 'Where from?' } } })).toBe(200)
  })

  it('chat.temporary_enforced: no stored chat begins, however it would come about', async () => {
    const id = await create()
    await server.context.groups.updateDefaultPermissions({ chat: { temporary_enforced: true } })
    const body = { chat: { title: 'New', history: { messages: {} } } }
    for (const [path, sent] of [
      ['/chats/new', body],
      ['/chats/import', body],
      ['/chats/imports', { id: 'elsewhere', ...body }],
      [`/chats/${id}/clone`, {}],
      [`/chats/${id}/fork`, { message_id: 'a1' }],
    ] as const) {
      expect((await call('POST', path, sent)).status, path).toBe(403)
    }
    expect((await call('POST', `/chats/${id}`, { chat: { title: 'Still mine' } })).status).toBe(200)
    await server.context.groups.updateDefaultPermissions({ chat: { temporary_enforced: false } })
    expect((await call('POST', '/chats/new', body)).status).toBe(200)
  })

  it('sharing.public_chats: without it a link opens for named people only', async () => {
    const mayOpen = (public_chats: boolean) =>
      server.context.groups.updateDefaultPermissions({ sharing: { public_chats } })
    const share = async (id: string) =>
      (await call<Chat>('POST', `/chats/${id}/share`)).body.share_id!
    const id = await create()
    const link = await share(id)
    const everybody = { principal_type: 'user', principal_id: '*', permission: 'read' }
    const statusOf = async (token: string) =>
      (await call('GET', `/chats/share/${link}`, undefined, token)).status
    const open = async () => {
      await call('POST', `/chats/shared/${link}/access/update`, { access_grants: [everybody] })
      return (await call('GET', `/chats/shared/${link}/access`)).body
    }
    expect([await statusOf(owner), await statusOf(other)]).toEqual([200, 404])
    expect(await open()).toEqual([])
    expect(await statusOf(other)).toBe(404)
    await mayOpen(true)
    expect(await open()).toMatchObject([everybody])
    expect(await statusOf(other)).toBe(200)
    await mayOpen(false)
    // A chat that is open stays so until its owner closes it.
    await share(id)
    expect(await open()).toMatchObject([everybody])
    await call('POST', `/chats/shared/${link}/access/update`, { access_grants: [] })
    expect(await statusOf(other)).toBe(404)
  })
})
