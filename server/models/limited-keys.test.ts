import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'

let conversation: Conversation
beforeAll(async () => {
  conversation = await startConversation({
    upstream: { models: ['small', 'large'] },
    environment: { ENABLE_API_KEYS: 'true', ENABLE_API_KEY_LIMITS: 'true' },
  })
})
afterAll(() => conversation.close())

const call = (path: string, token: string, body: unknown) =>
  conversation.server.call('POST', path, { token, body })
const preset = (id: string, base: string) => ({ id, name: id, base_model_id: base })
const arena = (model: string) => ({
  EVALUATION_ARENA_MODELS: [{ id: 'duel', name: 'Duel', meta: { model_ids: [model] } }],
})

async function createKey(limits: object): Promise<string> {
  const reply = await call('/api/v1/auths/api_keys', conversation.token, {
    name: 'script',
    ...limits,
  })
  expect(reply.status).toBe(200)
  return ((await reply.json()) as { api_key: string }).api_key
}

/** Each call makes a model answer under a name that a key may use. */
const namings = (id: string, base: string) =>
  [
    ['/api/v1/models/model/update', preset(id, base)],
    ['/api/v1/models/import', { models: [preset(id, base)] }],
    ['/api/v1/models/create', preset(`${id}-too`, base)],
    ['/api/v1/models/sync', { models: [preset(id, base), preset(`${id}-too`, base)] }],
    ['/api/v1/evaluations/config', arena(base)],
  ] as const

async function statusesFor(key: string, id: string): Promise<number[]> {
  const statuses: number[] = []
  for (const [path, body] of namings(id, 'large'))
    statuses.push((await call(path, key, body)).status)
  return statuses
}

describe('What answers under the name of a model', () => {
  test('stays out of reach of a key for that model, which would reach every other by it', async () => {
    const { token, upstream } = conversation
    expect((await call('/api/v1/models/create', token, preset('bound', 'small'))).status).toBe(200)
    const key = await createKey({ allowed_models: ['bound', 'bound-too', 'duel'] })
    expect(await statusesFor(key, 'bound')).toEqual([403, 403, 403, 403, 403])
    const messages = [{ role: 'user', content: 'Hello' }]
    expect((await conversation.complete({ model: 'bound', messages }, { token: key })).status).toBe(
      200,
    )
    expect(upstream.requests.at(-1)!.json).toMatchObject({ model: 'small' })
  })

  test.each([
    ['without limits', {}],
    ['with a number of calls a day', { daily_requests: 50 }],
    ['for other endpoints too', { allowed_endpoints: ['/api/v1/models', '/api/v1/evaluations'] }],
  ])('is changed by a key %s', async (name, limits) => {
    const id = `free-${name.length}`
    await call('/api/v1/models/create', conversation.token, preset(id, 'small'))
    expect(await statusesFor(await createKey(limits), id)).toEqual([200, 200, 200, 200, 200])
  })
})
