import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ApiKey, Session } from '#contract/auths.ts'
import { nowSeconds } from '../lib/ids.ts'
import {
  bearer,
  startTestGateway,
  type TestGateway,
  SOME_REQUEST,
} from '../testing/start-auth-gateway.ts'

let gateway: TestGateway
let admin: Session
beforeEach(async () => {
  gateway = await startTestGateway({
    settings: { ENABLE_API_KEYS: true, ENABLE_API_KEY_LIMITS: true },
  })
  admin = await gateway.signUp()
})
afterEach(async () => {
  vi.useRealTimers()
  await gateway.close()
})

const create = (limits: Record<string, unknown>, owner: Session | string = admin) =>
  gateway.call('/api/v1/auths/api_keys', {
    body: { name: 'script', ...limits },
    headers: bearer(owner),
  })
const createKey = async (limits: Record<string, unknown>): Promise<string> =>
  (await create(limits)).body.api_key as string
const get = (path: string, key: string, headers: Record<string, string> = {}) =>
  gateway.call(path, { headers: { ...bearer(key), ...headers } })
const list = async (): Promise<ApiKey[]> =>
  (await gateway.call('/api/v1/auths/api_keys', { headers: bearer(admin) })).body as ApiKey[]

describe('limits of a key', () => {
  it('can be given only while they are switched on, and hold even after that', async () => {
    const key = await createKey({ allowed_endpoints: ['/api/models'] })
    await gateway.settings.update({ ENABLE_API_KEY_LIMITS: false })
    expect((await create({ daily_requests: 5 })).status).toBe(403)
    expect((await create({ daily_requests: null })).status).toBe(200)
    expect((await get('/api/v1/chats/', key)).status).toBe(401)
  })

  it('let a key ask for a single model by its id, under each path of the endpoint', async () => {
    const key = await createKey({ allowed_endpoints: ['/api/models/org/small'] })
    for (const path of ['/api/models/org/small', '/api/v1/models/org%2Fsmall'])
      expect((await get(path, key)).status).toBe(200)
    for (const path of ['/api/models/org/large', '/api/models', '/api/models/org%2Fsmal'])
      expect((await get(path, key)).status).toBe(401)
  })

  it('cannot be got around by another account, role or password', async () => {
    const key = await createKey({ daily_requests: 5 })
    const account = {
      name: 'Second',
      email: 'second@example.org',
      password: 'a password',
      role: 'admin',
    }
    const { id } = (
      await gateway.call('/api/v1/auths/add', { body: account, headers: bearer(admin) })
    ).body as Session
    for (const [path, body] of [
      ['/api/v1/auths/add', { ...account, email: 'third@example.org' }],
      [`/api/v1/users/${id}/update`, { password: 'another password' }],
      [`/api/v1/users/${id}/update/role`, { role: 'user' }],
      ['/api/v1/users/update/role', { id, role: 'user' }],
    ] as const) {
      expect([path, (await gateway.call(path, { body, headers: bearer(key) })).status]).toEqual([
        path,
        403,
      ])
    }
    const unlimited = await createKey({})
    expect(
      (
        await gateway.call('/api/v1/users/update/role', {
          body: { id, role: 'user' },
          headers: bearer(unlimited),
        })
      ).status,
    ).toBe(200)
  })

  it('an expired key proves nobody, on sockets too, and none can be made for the past', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const key = await createKey({ expires_at: nowSeconds() + 60 })
    const live = await gateway.auth.liveCallers.byToken(key, SOME_REQUEST)
    expect([(await get('/api/models', key)).status, await live!.isValid()]).toEqual([200, true])
    vi.setSystemTime(Date.now() + 61_000)
    expect([(await get('/api/models', key)).status, await live!.isValid()]).toEqual([401, false])
    expect((await create({ expires_at: nowSeconds() - 1 })).status).toBe(400)
  })

  it('a key with a scope reaches the endpoints below its paths by every alias, and answers 401 outside', async () => {
    const key = await createKey({ allowed_endpoints: ['/api/v1/models/', '/api/v1/chats'] })
    for (const path of [
      '/api/models',
      '/api/v1/models',
      '/api/v1/chats/',
      '/api/v1/chats/some-id',
    ]) {
      expect([path, (await get(path, key)).status]).toEqual([path, 200])
    }
    for (const path of [
      '/api/v1/users/',
      '/api/v1/auths/',
      '/api/v1/chats%2f..%2fusers/',
      '/API/models',
    ]) {
      expect((await get(path, key)).status).toSatisfy((status) => status === 401 || status === 404)
    }
    expect(await gateway.auth.liveCallers.byToken(key, SOME_REQUEST)).toBeNull()
    expect((await get('/api/models', await createKey({ allowed_endpoints: [] }))).status).toBe(401)
  })

  it('a key for some models says so of every other model; sessions may use all', async () => {
    const id = ((await create({ allowed_models: ['small'] })).body as ApiKey).id
    expect(await gateway.auth.apiKeys.mayUseModel({ keyId: id }, 'small')).toBe(true)
    expect(await gateway.auth.apiKeys.mayUseModel({ keyId: id }, 'large')).toBe(false)
    expect(await gateway.auth.apiKeys.mayUseModel({ keyId: null }, 'large')).toBe(true)
    expect(await gateway.auth.apiKeys.mayUseModel({ keyId: 'gone' }, 'small')).toBe(false)
  })

  it('a key with limits cannot make keys without them', async () => {
    const key = await createKey({ daily_requests: 100 })
    expect((await create({}, key)).status).toBe(403)
    expect(
      (await gateway.call('/api/v1/auths/api_key', { method: 'POST', headers: bearer(key) }))
        .status,
    ).toBe(403)
  })

  it('a key with limits that is deleted during its call cannot make keys either', async () => {
    const { id, api_key: key } = (await create({ daily_requests: 100 })).body as {
      id: string
      api_key: string
    }
    const { groups } = gateway
    const allows = groups.allows.bind(groups)
    let asked = 0
    vi.spyOn(groups, 'allows').mockImplementation((caller, permission) => {
      // Asked by the sign-in first, then by the call.
      if (permission !== 'features.api_keys' || (asked += 1) !== 2)
        return allows(caller, permission)
      return gateway
        .call(`/api/v1/auths/api_keys/${id}`, { method: 'DELETE', headers: bearer(admin) })
        .then(({ status }) => status === 200)
    })
    expect((await create({}, key)).status).toBe(401)
    expect(await list()).toEqual([])
  })
})

describe('daily caps', () => {
  it('answer 429 with Retry-After and the time of the reset, until midnight', async () => {
    const midnight = (Math.floor(nowSeconds() / 86_400) + 2) * 86_400
    vi.useFakeTimers({ toFake: ['Date'], now: (midnight - 7200) * 1000 })
    const key = await createKey({ daily_requests: 2 })
    expect([
      (await get('/api/models', key)).status,
      (await get('/api/models', key)).status,
    ]).toEqual([200, 200])
    const refused = await get('/api/models', key)
    expect(refused.status).toBe(429)
    expect(refused.headers['retry-after']).toBe('7200')
    expect(refused.body.detail).toContain(new Date(midnight * 1000).toISOString())
    expect(await gateway.auth.liveCallers.byToken(key, SOME_REQUEST)).toBeNull()
    vi.setSystemTime((midnight + 1) * 1000)
    expect((await get('/api/models', key)).status).toBe(200)
  })

  it('are assumed for a key that is not there any more', async () => {
    const { id } = (await create({})).body as { id: string }
    expect(await gateway.auth.apiKeys.hasTokenCap(id)).toBe(false)
    expect(await gateway.auth.apiKeys.hasTokenCap('gone')).toBe(true)
  })

  it('count the tokens of answers', async () => {
    const { id, api_key: key } = (await create({ daily_tokens: 100 })).body as {
      id: string
      api_key: string
    }
    expect((await get('/api/models', key)).status).toBe(200)
    const use = async (tokens: number) =>
      (await gateway.auth.apiKeys.reserveTokens(id, 1)).settle(tokens)
    await use(60)
    await use(Number.NaN)
    expect((await get('/api/models', key)).status).toBe(200)
    await use(40)
    expect((await get('/api/models', key)).status).toBe(429)
    expect((await list())[0]!.today).toMatchObject({ requests: 2, tokens: 100 })
  })
})

describe('the last use of a key', () => {
  it('shows time, the first product of the calling program, and the address', async () => {
    const key = await createKey({})
    await get('/api/models', key, { 'user-agent': 'OpenAI/Python 1.2.3 (linux)' })
    expect(await list()).toMatchObject([
      { last_used_by: 'OpenAI/Python', last_used_from: '127.0.0.1', today: { requests: 1 } },
    ])
    expect((await list())[0]!.last_used_at).not.toBeNull()
  })
})

describe('the header of keys', () => {
  it('can be renamed, while the messages endpoint goes on taking x-api-key', async () => {
    const key = await createKey({})
    await gateway.settings.update({ CUSTOM_API_KEY_HEADER: 'X-Gateway-Key' })
    const post = (path: string, headers: Record<string, string>) =>
      gateway.call(path, {
        method: 'POST',
        headers,
        body: { model: 'none', max_tokens: 1, messages: [] },
      })
    expect((await gateway.call('/api/models', { headers: { 'x-gateway-key': key } })).status).toBe(
      200,
    )
    expect((await gateway.call('/api/models', { headers: { 'x-api-key': key } })).status).toBe(401)
    expect((await post('/api/v1/messages', { 'x-api-key': key })).status).not.toBe(401)
    expect(
      (await post('/api/v1/messages', { 'x-gateway-key': key, 'x-api-key': 'sk-other' })).status,
    ).not.toBe(401)
    expect((await post('/api/chat/completions', { 'x-api-key': key })).status).toBe(401)
  })
})
