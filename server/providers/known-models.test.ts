import { afterEach, describe, expect, it } from 'vitest'
import type { Connection } from '#contract/connections.ts'
import type { Model } from '#contract/models.ts'
import {
  startFakeCompatible,
  type FakeCompatibleOptions,
} from '../testing/fake-upstream/fake-compatible.ts'
import type { FakeUpstream } from '../testing/fake-upstream/fake-server.ts'
import {
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from '../testing/start-server.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const item of opened.splice(0).toReversed()) await item.close()
})

async function provide(options: FakeCompatibleOptions): Promise<FakeUpstream> {
  const fake = await startFakeCompatible(options)
  opened.push(fake)
  return fake
}

interface Gateway {
  readonly server: TestServer
  readonly models: () => Promise<readonly Pick<Model, 'id' | 'unavailable'>[]>
  ask(
    model: string,
    options?: Record<string, unknown>,
  ): Promise<{ status: number; code: string; headers: Headers }>
  connect(input: Record<string, unknown>): Promise<Connection>
}

async function start(
  environment: Record<string, string>,
  options: TestServerOptions = {},
): Promise<Gateway> {
  const server = await startTestServer({
    environment: { OPENAI_API_BASE_URLS: '', ...environment },
    ...options,
  })
  opened.push(server)
  const token = options.dataDir === undefined ? await server.signUp('Ada') : await signIn(server)
  return {
    server,
    async models() {
      const response = await server.call('GET', '/api/models?refresh=true', { token })
      const { data } = (await response.json()) as { data: Model[] }
      return data
        .filter(({ id }) => id !== 'guide')
        .map(({ id, unavailable }) => ({ id, ...(unavailable && { unavailable }) }))
    },
    async ask(model, extra = {}) {
      const body = { model, messages: [{ role: 'user', content: 'Hello' }], ...extra }
      const response = await server.call('POST', '/api/chat/completions', { token, body })
      const reply = (await response.json()) as { error?: { code?: string } }
      return { status: response.status, code: reply.error?.code ?? '', headers: response.headers }
    },
    async connect(input) {
      const body = { kind: 'compatible', name: 'Cloud', ...input }
      return (await (
        await server.call('POST', '/api/v1/connections', { token, body })
      ).json()) as Connection
    },
  }
}

async function signIn(server: TestServer): Promise<string> {
  const body = { email: 'ada@example.com', password: 'correct horse battery' }
  return (
    (await (await server.call('POST', '/api/v1/auths/signin', { body })).json()) as {
      token: string
    }
  ).token
}

/** A list that was just requested is not requested again at once. */
const PATIENCE = { timeout: 5000, interval: 200 }

const unavailable = (id: string) => ({ id, unavailable: true })

describe('the models of a provider that does not answer', () => {
  it('stay listed with a mark, and calls say with 502 what is wrong, through a restart of the gateway', async () => {
    const fake = await startFakeCompatible({ models: ['echo', 'slow'] })
    const environment = { OPENAI_API_BASE_URLS: fake.url }
    const first = await start(environment)
    expect(await first.models()).toEqual([{ id: 'echo' }, { id: 'slow' }])
    await fake.close()
    await expect.poll(first.models, PATIENCE).toEqual([unavailable('echo'), unavailable('slow')])
    for (const stream of [true, false])
      expect(await first.ask('echo', { stream })).toMatchObject({
        status: 502,
        code: 'upstream_refused_connection',
      })
    await first.server.close({ keep: true })
    opened.pop()
    const second = await start(environment, { dataDir: first.server.dataDir })
    expect(await second.ask('echo')).toMatchObject({
      status: 502,
      code: 'upstream_refused_connection',
    })
    expect(await second.models()).toEqual([unavailable('echo'), unavailable('slow')])
    expect(await second.ask('nothing')).toMatchObject({ status: 400, code: 'model_not_found' })
  })

  it('lose their mark when it answers again, and those it dropped are gone', async () => {
    const options: FakeCompatibleOptions & { key?: string; models: string[] } = {
      models: ['echo', 'old'],
    }
    const fake = await provide(options)
    const gateway = await start({ OPENAI_API_BASE_URLS: fake.url })
    expect(await gateway.models()).toEqual([{ id: 'echo' }, { id: 'old' }])
    options.key = 'a new key'
    await expect.poll(gateway.models, PATIENCE).toEqual([unavailable('echo'), unavailable('old')])
    expect(await gateway.ask('echo')).toMatchObject({ status: 502, code: 'upstream_refused_key' })
    delete options.key
    options.models.pop()
    await expect.poll(gateway.models, PATIENCE).toEqual([{ id: 'echo' }])
  })

  it('give way to the same model of a connection that answers', async () => {
    const [dead, alive] = [
      await startFakeCompatible({ models: ['echo', 'own'] }),
      await provide({ models: ['echo'] }),
    ]
    const gateway = await start({ OPENAI_API_BASE_URLS: `${dead.url};${alive.url}` })
    await gateway.models()
    await dead.close()
    await expect.poll(gateway.models, PATIENCE).toEqual([{ id: 'echo' }, unavailable('own')])
    expect((await gateway.ask('echo')).status).toBe(200)
  })

  it('are answered 503 while nobody can know them, as no list has come yet', async () => {
    const gateway = await start({ OPENAI_API_BASE_URLS: 'http://127.0.0.1:1/v1' })
    const reply = await gateway.ask('echo')
    expect(reply).toMatchObject({ status: 503, code: 'models_unknown' })
    expect(reply.headers.get('retry-after')).toBe('3')
  })

  it('are unknown with 400 when the provider answers, but refuses', async () => {
    const fake = await provide({ models: ['echo'], key: 'the-key' })
    const gateway = await start({ OPENAI_API_BASE_URLS: fake.url })
    expect(await gateway.ask('echo')).toMatchObject({ status: 400, code: 'model_not_found' })
  })
})

describe('model ids named in a connection', () => {
  it('are listed in their order whether its list has them or not, and calls for them go up', async () => {
    const fake = await provide({
      models: ['echo', 'slow'],
      script: async () => ({ steps: [{ kind: 'content', text: 'Hi' }] }),
    })
    const gateway = await start({})
    await gateway.connect({ url: fake.url, model_ids: ['hidden', 'slow'] })
    expect(await gateway.models()).toEqual([{ id: 'hidden' }, { id: 'slow' }])
    expect((await gateway.ask('hidden')).status).toBe(200)
  })

  it('are listed although the provider has never answered', async () => {
    const gateway = await start({})
    await gateway.connect({ url: 'http://127.0.0.1:1/v1', model_ids: ['named'] })
    expect(await gateway.models()).toEqual([unavailable('named')])
    expect(await gateway.ask('named')).toMatchObject({
      status: 502,
      code: 'upstream_refused_connection',
    })
  })
})
