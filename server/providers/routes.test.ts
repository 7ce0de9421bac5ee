import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createSocketServer, type AddressInfo } from 'node:net'
import Sqlite from 'better-sqlite3'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Connection, ConnectionCheck } from '#contract/connections.ts'
import type { Model } from '#contract/models.ts'
import { startFakeCompatible } from '../testing/fake-upstream/fake-compatible.ts'
import { startFakeRuntime } from '../testing/fake-upstream/fake-runtime.ts'
import type { FakeUpstream } from '../testing/fake-upstream/fake-server.ts'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

const KEY = 'sk-canary-0123456789abcdef'
const PATH = '/api/v1/connections'

let fake: FakeUpstream
let server: TestServer
let token: string
const opened: { close(): Promise<void> }[] = []

async function start(environment: Record<string, string> = {}): Promise<void> {
  server = await startTestServer({ environment })
  opened.push(server)
  token = await server.signUp('Ada')
}

beforeEach(async () => {
  fake = await startFakeCompatible({ models: ['echo', 'slow'], key: KEY })
  opened.push(fake)
})

afterEach(async () => {
  for (const item of opened.splice(0).toReversed()) await item.close()
})

async function ask<Body = Record<string, unknown>>(
  method: string,
  target: string,
  body?: unknown,
): Promise<{ status: number; body: Body }> {
  const response = await server.call(method, target, { body, token })
  return { status: response.status, body: (await response.json()) as Body }
}

const input = (changes: Record<string, unknown> = {}) => ({
  kind: 'compatible',
  name: 'Cloud',
  url: fake.url,
  key: KEY,
  ...changes,
})
const create = (changes?: Record<string, unknown>) => ask<Connection>('POST', PATH, input(changes))
const verify = (changes: Record<string, unknown>) =>
  ask<ConnectionCheck>('POST', `${PATH}/verify`, input(changes))
const modelIds = async (query = '') =>
  (await ask<{ data: Model[] }>('GET', `/api/models${query}`)).body.data.map(({ id }) => id)

describe('connections', () => {
  it('are added, shown with their live state, changed and removed', async () => {
    await start()
    const added = await create()
    expect(added.status).toBe(200)
    expect(added.body).toMatchObject({
      name: 'Cloud',
      origin: 'stored',
      has_key: true,
      key_hint: 'sk-…cdef',
      timeout_seconds: 60,
      state: { status: 'ok', model_count: 2 },
    })
    expect(await modelIds()).toEqual(['echo', 'slow', 'guide'])
    const changed = await ask<Connection>('POST', `${PATH}/${added.body.id}`, {
      ...input({ prefix_id: 'c', model_ids: ['slow'] }),
      key: undefined,
    })
    expect(changed.body).toMatchObject({
      prefix_id: 'c',
      has_key: true,
      state: { status: 'ok', model_count: 1 },
    })
    expect(await modelIds()).toEqual(['c.slow', 'guide'])
    expect(await ask('DELETE', `${PATH}/${added.body.id}`)).toEqual({ status: 200, body: true })
    expect(await modelIds()).toEqual(['guide'])
    expect((await ask('DELETE', `${PATH}/${added.body.id}`)).status).toBe(404)
  })

  it('never show a key or a secret header, and store both encrypted', async () => {
    await start()
    const headers = { 'X-Api-Token': 'token-canary-1', 'X-Team': 'blue' }
    const added = await create({ headers })
    expect(added.body.headers).toEqual({ 'x-api-token': '********', 'x-team': '********' })
    const shown = JSON.stringify((await ask('GET', PATH)).body)
    expect(shown).not.toMatch(/canary/)
    const database = new Sqlite(path.join(server.dataDir, 'chat-gateway.db'), {
      readonly: true,
      fileMustExist: true,
    })
    expect(JSON.stringify(database.prepare('select * from connection').all())).not.toMatch(/canary/)
    database.close()
    await ask('POST', `${PATH}/${added.body.id}`, {
      ...input({ headers: added.body.headers }),
      key: undefined,
    })
    await modelIds('?refresh=true')
    expect(fake.requests.at(-1)?.headers).toMatchObject({
      'x-api-token': 'token-canary-1',
      'x-team': 'blue',
      authorization: `Bearer ${KEY}`,
    })
  })

  it('lose their key when an empty one is sent', async () => {
    await start()
    const { body } = await create()
    const changed = await ask<Connection>('POST', `${PATH}/${body.id}`, input({ key: '' }))
    expect(changed.body).toMatchObject({
      has_key: false,
      key_hint: null,
      state: {
        status: 'failed',
        detail: expect.stringContaining('rejected the API key'),
        code: 'upstream_refused_key',
      },
    })
  })

  it('can be changed while they answer: the answer goes on to its end', async () => {
    await start()
    const { body } = await create()
    const answer = await server.call('POST', '/api/chat/completions', {
      token,
      body: { model: 'echo', stream: true, messages: [{ role: 'user', content: '/slow 12' }] },
    })
    await ask('POST', `${PATH}/${body.id}`, { ...input({ name: 'Renamed' }), key: undefined })
    const text = await answer.text()
    expect(text).toContain('word12')
    expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true)
  })

  it('are neither shown nor contacted by models once they are disabled (row 11)', async () => {
    await start()
    await create({ enabled: false })
    expect(await modelIds('?refresh=true')).toEqual(['guide'])
    for (const model of ['echo', 'Cloud.echo', '0.echo', '/0/echo']) {
      const reply = await ask('POST', '/api/chat/completions', {
        model,
        messages: [{ role: 'user', content: 'hi' }],
      })
      expect(reply.status).toBe(400)
    }
    expect(fake.requests).toEqual([])
  })

  it.each([
    [{ url: 'ftp://x' }, 422],
    [{ url: 'http://user:pass@host' }, 400],
    [{ url: 'http://host/v1?key=1' }, 400],
    [{ url: 'http://[bad' }, 400],
    [{ headers: { Cookie: 'a=b' } }, 400],
    [{ headers: { Host: 'evil' } }, 400],
    [{ headers: { 'x-a': 'a\r\nb: c' } }, 422],
    [{ key: 'sk-\u00e5\u00e4' }, 400],
    [{ kind: 'other' }, 422],
    [{ name: '' }, 422],
    [{ timeout_seconds: 0 }, 422],
  ])('refuse %j with %i', async (changes, status) => {
    await start()
    const reply = await create(changes)
    expect(reply.status).toBe(status)
    expect(reply.body).toHaveProperty('detail')
  })

  it('answer 404 for an unknown id', async () => {
    await start()
    expect((await ask('POST', `${PATH}/nobody`, input())).status).toBe(404)
  })
})

describe('connections of the environment', () => {
  it('are in use with their keys by place, and are neither moved nor removed here', async () => {
    const runtime = await startFakeRuntime({ models: ['llama'] })
    opened.push(runtime)
    await start({
      OPENAI_API_BASE_URLS: `http://127.0.0.1:1/v1;${fake.url}`,
      OPENAI_API_KEYS: `;${KEY}`,
      LLMHOST_BASE_URLS: runtime.url,
    })
    expect(await modelIds()).toEqual(['llama', 'echo', 'slow', 'guide'])
    const list = (await ask<Connection[]>('GET', PATH)).body
    expect(
      list.map(({ id, origin, overridden, state }) => [id, origin, overridden, state.status]),
    ).toEqual([
      ['env-runtime-0', 'environment', [], 'ok'],
      ['env-compatible-0', 'environment', [], 'failed'],
      ['env-compatible-1', 'environment', [], 'ok'],
    ])
    const moved = input({ url: 'http://127.0.0.1:2/v1' })
    for (const reply of [
      await ask('DELETE', `${PATH}/env-runtime-0`),
      await ask('POST', `${PATH}/env-compatible-1`, moved),
    ]) {
      expect(reply.status).toBe(400)
      expect(reply.body['detail']).toMatch(/from the environment/)
    }
  })

  it('take a key, a prefix, headers, models and a switch, keep them through a restart, and go back to the environment', async () => {
    const environment = { OPENAI_API_BASE_URLS: fake.url, OPENAI_API_KEYS: 'outdated-key' }
    await start(environment)
    expect(await modelIds()).toEqual(['guide'])
    const change = (changes: Record<string, unknown>) =>
      ask<Connection>('POST', `${PATH}/env-compatible-0`, input({ key: undefined, ...changes }))
    const changed = await change({
      name: '127.0.0.1',
      key: KEY,
      prefix_id: 'c',
      headers: { 'X-Api-Token': 'token-canary' },
      model_ids: ['slow'],
    })
    expect(changed.body).toMatchObject({
      origin: 'environment',
      key_hint: 'sk-…cdef',
      prefix_id: 'c',
      state: { status: 'ok' },
    })
    expect(changed.body.overridden).toEqual(['prefix_id', 'model_ids', 'key', 'headers'])
    expect(await modelIds()).toEqual(['c.slow', 'guide'])
    expect(fake.requests.at(-1)!.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'x-api-token': 'token-canary',
    })
    const database = new Sqlite(path.join(server.dataDir, 'chat-gateway.db'), {
      readonly: true,
      fileMustExist: true,
    })
    expect(JSON.stringify(database.prepare('select * from connection_override').all())).not.toMatch(
      /canary/,
    )
    database.close()

    const { dataDir } = server
    await server.close({ keep: true })
    opened.splice(opened.indexOf(server), 1)
    // The provider has moved to another URL, and a different one answers at the old URL.
    const stranger = await startFakeCompatible({ models: ['strange'] })
    opened.push(stranger)
    server = await startTestServer({
      environment: { ...environment, OPENAI_API_BASE_URLS: `${stranger.url};${fake.url}` },
      dataDir,
    })
    opened.push(server)
    expect(await modelIds()).toEqual(['strange', 'c.slow', 'guide'])
    expect(JSON.stringify(stranger.requests)).not.toContain('canary')

    const target = `${PATH}/env-compatible-1`
    const off = input({ name: '127.0.0.1', key: KEY, enabled: false })
    expect((await ask<Connection>('POST', target, off)).body).toMatchObject({
      enabled: false,
      overridden: ['enabled', 'key'],
    })
    expect(await modelIds()).toEqual(['strange', 'guide'])
    expect((await ask('DELETE', target)).status).toBe(200)
    expect((await ask<Connection[]>('GET', PATH)).body[1]).toMatchObject({
      enabled: true,
      overridden: [],
      has_key: false,
    })
  })

  it('are asked without a key when an empty one is sent, and with their own again when that is taken back', async () => {
    await start({ OPENAI_API_BASE_URLS: fake.url, OPENAI_API_KEYS: KEY })
    const target = `${PATH}/env-compatible-0`
    const without = await ask<Connection>('POST', target, input({ name: '127.0.0.1', key: '' }))
    expect(without.body).toMatchObject({
      has_key: false,
      overridden: ['key'],
      state: { status: 'failed' },
    })
    expect(
      (await ask<Connection>('POST', target, input({ name: '127.0.0.1' }))).body,
    ).toMatchObject({
      overridden: [],
      state: { status: 'ok' },
    })
  })

  it('keep their key while the environment wins, and say so', async () => {
    await start({
      OPENAI_API_BASE_URLS: fake.url,
      OPENAI_API_KEYS: KEY,
      ENABLE_PERSISTENT_CONFIG: 'false',
    })
    const target = `${PATH}/env-compatible-0`
    const refused = await ask('POST', target, input({ key: 'another' }))
    expect([refused.status, refused.body['detail']]).toEqual([
      400,
      expect.stringContaining('ENABLE_PERSISTENT_CONFIG'),
    ])
    expect(
      (await ask<Connection>('POST', target, input({ prefix_id: 'c', key: undefined }))).body,
    ).toMatchObject({ prefix_id: 'c' })
  })

  it('do not show a local runtime that nobody configured while it does not answer', async () => {
    await start()
    expect((await ask<Connection[]>('GET', PATH)).body).toEqual([])
  })
})

describe('trying a connection', () => {
  it('says what answered', async () => {
    await start()
    expect((await verify({})).body).toMatchObject({
      ok: true,
      detail: 'Connected. It offers 2 models.',
      models: ['echo', 'slow'],
    })
    const runtime = await startFakeRuntime({ models: ['llama'], version: '0.5.1' })
    opened.push(runtime)
    expect((await verify({ kind: 'runtime', url: runtime.url })).body).toMatchObject({
      ok: true,
      version: '0.5.1',
      models: ['llama'],
    })
  })

  it('lends the stored key only to the unchanged address', async () => {
    await start()
    const { body } = await create()
    expect((await verify({ id: body.id, key: undefined })).body.ok).toBe(true)
    const other = await startFakeCompatible()
    opened.push(other)
    await verify({ id: body.id, key: undefined, url: other.url })
    expect(other.requests[0]?.headers.authorization).toBeUndefined()
  })

  it('saves nothing', async () => {
    await start()
    await verify({})
    expect((await ask<Connection[]>('GET', PATH)).body).toEqual([])
  })

  it.each([
    ['a refused port', () => 'http://127.0.0.1:1/v1', 'nothing is listening'],
    ['an unknown host', () => 'http://nobody.invalid/v1', /host name cannot be/],
    ['a wrong path', () => fake.url.replace('/v1', ''), '/v1 at the end'],
    ['https on a plain port', () => fake.url.replace('http:', 'https:'), 'http:// or https://'],
  ])('says what to do about %s', async (_, url, sentence) => {
    await start()
    const check = (await verify({ url: url() })).body
    expect(check.ok).toBe(false)
    expect(check.detail).toMatch(sentence)
    expect(check.detail).not.toMatch(/127\.0\.0\.1|canary/)
  })

  it('says what to do about a wrong key', async () => {
    await start()
    expect((await verify({ key: 'wrong-key' })).body).toMatchObject({
      ok: false,
      detail: expect.stringContaining('Check the API key'),
    })
  })

  it.each([
    ['a web page', 'text/html', '<html></html>', 'not its API'],
    ['text', 'text/plain', 'hello', 'not its API'],
    ['other JSON', 'application/json', '{"hello":1}', 'not with a list of models'],
    ['an empty list', 'application/json', '{"data":[]}', 'offers no models'],
  ])('says what it found instead of models: %s', async (_, type, body, sentence) => {
    await start()
    const page = createServer((__, response) =>
      response.writeHead(200, { 'content-type': type }).end(body),
    )
    page.listen(0, '127.0.0.1')
    await once(page, 'listening')
    opened.push({ close: () => new Promise((resolve) => page.close(() => resolve())) })
    const check = (
      await verify({ url: `http://127.0.0.1:${(page.address() as AddressInfo).port}/v1` })
    ).body
    expect(check).toMatchObject({ ok: false, detail: expect.stringContaining(sentence) })
  })
})

describe('a dead connection', () => {
  it('delays nobody: the others are listed while it never answers', async () => {
    const hole = createSocketServer((socket) => socket.resume())
    hole.listen(0, '127.0.0.1')
    await once(hole, 'listening')
    opened.push({ close: () => new Promise((resolve) => hole.close(() => resolve())) })
    await start({
      OPENAI_API_BASE_URLS: `http://127.0.0.1:${(hole.address() as AddressInfo).port}/v1;${fake.url}`,
      OPENAI_API_KEYS: `;${KEY}`,
    })
    expect(await modelIds()).toEqual(['echo', 'slow', 'guide'])
  })
})

describe('offline mode', () => {
  it('contacts only this computer and private networks', async () => {
    await start({ OFFLINE_MODE: 'true' })
    await create()
    const far = await create({ name: 'Far', url: 'http://far.example.invalid/v1' })
    expect(far.body.state).toMatchObject({
      status: 'failed',
      detail: 'Not used while offline mode is on.',
    })
    expect((await verify({ url: 'http://far.example.invalid/v1' })).body.detail).toContain(
      'offline mode',
    )
    expect(await modelIds()).toEqual(['echo', 'slow', 'guide'])
  })
})
