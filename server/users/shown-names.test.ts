import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnyShape } from '../testing/any-shape.ts'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

let server: TestServer
let token: string
let ownId: string
let channelId: string
beforeAll(async () => {
  server = await startTestServer({ environment: { ENABLE_CHANNELS: 'true' } })
  token = await server.signUp('Root')
  ownId = (await post('/api/v1/auths/update/profile', { name: 'Root' })).id as string
  channelId = (await post('/api/v1/channels/create', { name: 'hall', type: 'group' })).id as string
})
afterAll(() => server.close())

async function post(path: string, body: object): Promise<AnyShape> {
  const reply = await server.call('POST', path, { body, token })
  return { ...((await reply.json()) as object), status: reply.status }
}

let count = 0
const PLACES: readonly (readonly [string, (name: string) => Promise<AnyShape>])[] = [
  ['own account', (name) => post('/api/v1/auths/update/profile', { name })],
  ['other account', (name) => post(`/api/v1/users/${ownId}/update`, { name })],
  [
    'new account',
    (name) =>
      post('/api/v1/auths/add', {
        name,
        email: `new${(count += 1)}@example.com`,
        password: 'a long password',
        role: 'user',
      }),
  ],
  ['group', (name) => post('/api/v1/groups/create', { name, description: '' })],
  [
    'model',
    (name) =>
      post('/api/v1/models/create', { id: `m${(count += 1)}`, base_model_id: 'guide', name }),
  ],
  [
    'prompt',
    (name) =>
      post('/api/v1/prompts/create', { command: `p${(count += 1)}`, content: 'Hello', name }),
  ],
  [
    'skill',
    (name) => post('/api/v1/skills/create', { id: `s${(count += 1)}`, content: 'Hello', name }),
  ],
  ['collection', (name) => post('/api/v1/knowledge/create', { name, description: '' })],
  ['calendar', (name) => post('/api/v1/calendars/create', { name })],
  [
    'note',
    async (name) => {
      const { title, ...reply } = await post('/api/v1/notes/create', { title: name })
      return { ...reply, name: title }
    },
  ],
  ['channel', (name) => post('/api/v1/channels/create', { name, type: 'group' })],
  ['webhook', (name) => post(`/api/v1/channels/${channelId}/webhooks/create`, { name })],
]

describe('a name that others are shown beside text of the interface', () => {
  it.each(PLACES)('cannot turn that text around or begin a line: %s', async (_, store) => {
    expect(await store('ada\u202e\u200b\nben')).toMatchObject({ status: 200, name: 'ada ben' })
  })

  it.each(PLACES.slice(0, -4))('cannot be invisible: %s', async (_, store) => {
    expect((await store('\u200b\u3164')).status).toBe(422)
  })

  it.each(PLACES.slice(-4))('that is invisible counts as none: %s', async (_, store) => {
    expect((await store('\u200b\u3164')).name).toBe((await store('')).name)
  })

  it('is the e-mail address where a directory sends an invisible one', async () => {
    const { users } = server.context
    const made = await users.create({ name: '\u2800', email: 'dora@example.com', role: 'user' })
    expect(made.name).toBe('dora@example.com')
    expect((await users.update(made.id, { name: '\u202eDora' })).name).toBe('Dora')
    expect((await users.update(made.id, { name: '\u200b' })).name).toBe('Dora')
  })
})
