import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { FunctionItem } from '#contract/functions.ts'
import type { PluginTrace } from '#contract/plugins.ts'
import { startTestServer, type TestServer } from '../../testing/start-server.ts'

describe('The guide, a function of the gateway itself', () => {
  let server: TestServer
  let admin = ''
  let bob = ''
  beforeAll(async () => {
    server = await startTestServer({ environment: { LOG_LEVEL: 'silent' } })
    admin = await server.signUp('Ada')
    await server.context.settings.update({ ENABLE_SIGNUP: true, DEFAULT_USER_ROLE: 'user' })
    bob = await server.signUp('Bob')
  })
  afterAll(() => server.close())

  async function call(method: string, path: string, body?: unknown, token = admin) {
    const reply = await server.call(method, `/api/v1/${path}`, {
      token,
      ...(body !== undefined && { body }),
    })
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
  }
  const modelIds = async (): Promise<string[]> => {
    const reply = await server.call('GET', '/api/models', { token: bob })
    return ((await reply.json()) as { data: { id: string }[] }).data.map(({ id }) => id)
  }
  const ask = (token = bob) =>
    server.call('POST', '/api/chat/completions', {
      token,
      body: { model: 'guide', messages: [{ role: 'user', content: 'privacy' }] },
    })

  test('stands among the functions, and has a trace for whoever asked it', async () => {
    const listed = (await call('GET', 'functions/list')).body as unknown as FunctionItem[]
    expect(listed).toMatchObject([
      { id: 'guide', type: 'pipe', name: 'Guide (not an AI)', is_built_in: true, is_active: true },
    ])
    expect(await (await ask()).text()).toContain('# Privacy')
    const [trace] = (await call('GET', 'plugins/traces', undefined, bob))
      .body as unknown as PluginTrace[]
    expect(trace).toMatchObject({
      store: 'function',
      plugin_id: 'guide',
      hook: 'pipe',
      status: 'done',
      is_restricted: true,
      input: null,
    })
    const [whole] = (await call('GET', 'plugins/traces')).body as unknown as PluginTrace[]
    expect(whole).toMatchObject({ input: { model: 'guide', messages: [{ content: 'privacy' }] } })
  })

  test('is switched off and on like any other, and stays so after a restart', async () => {
    const first = await startTestServer({ environment: { LOG_LEVEL: 'silent' } })
    const token = await first.signUp('Ada')
    const idsOf = async (gateway: TestServer): Promise<string[]> => {
      const reply = await gateway.call('GET', '/api/models', { token })
      return ((await reply.json()) as { data: { id: string }[] }).data.map(({ id }) => id)
    }
    expect(await idsOf(first)).toEqual(['guide'])
    expect(
      await (await first.call('POST', '/api/v1/functions/id/guide/toggle', { token })).json(),
    ).toMatchObject({ is_active: false })
    expect(await idsOf(first)).toEqual([])
    await first.close({ keep: true })
    const second = await startTestServer({
      dataDir: first.dataDir,
      environment: { LOG_LEVEL: 'silent' },
    })
    onTestFinished(() => second.close())
    expect(await idsOf(second)).toEqual([])
    const refused = await second.call('POST', '/api/chat/completions', {
      token,
      body: { model: 'guide', messages: [] },
    })
    expect(refused.status).toBe(400)
    expect(
      await (await second.call('POST', '/api/v1/functions/id/guide/toggle', { token })).json(),
    ).toMatchObject({ is_active: true })
    expect(await idsOf(second)).toEqual(['guide'])
  })

  test('is neither changed nor deleted nor replaced, and has no settings', async () => {
    const refused = {
      status: 400,
      body: { detail: expect.stringContaining('part of the gateway') as string },
    }
    expect(
      await call('POST', 'functions/id/guide/update', {
        name: 'Mine',
        content: 'class Pipe:\n    pass\n',
      }),
    ).toMatchObject(refused)
    expect(await call('DELETE', 'functions/id/guide/delete')).toMatchObject(refused)
    const copy = { id: 'guide', name: 'Mine', content: 'class Pipe:\n    pass\n' }
    expect(await call('POST', 'functions/create', copy)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('taken') as string },
    })
    expect(await call('POST', 'functions/sync', { functions: [copy] })).toMatchObject(refused)
    expect(await call('POST', 'functions/sync', { functions: [] })).toMatchObject({
      status: 200,
      body: [{ id: 'guide' }],
    })
    expect((await call('GET', 'functions/export')).body).toEqual([])
    expect(await call('GET', 'functions/id/guide')).toMatchObject({
      status: 200,
      body: { content: '', is_built_in: true },
    })
    expect((await call('GET', 'functions/id/guide/valves/spec')).body).toBeNull()
    expect((await call('POST', 'functions/id/guide/valves/update', { pace: 1 })).status).toBe(400)
    expect(
      (await call('POST', 'functions/id/guide/valves/user/update', { pace: 1 }, bob)).status,
    ).toBe(400)
    expect(await modelIds()).toEqual(['guide'])
  })

  test('is tried in the console, without Python', async () => {
    const run = { hook: 'pipe', arguments: { messages: [{ role: 'user', content: 'keyboard' }] } }
    const { body } = await call('POST', 'plugins/function/guide/run', run)
    expect(body).toMatchObject({ status: 'done', plugin_id: 'guide', logs: [] })
    expect(JSON.stringify(body['result'])).toContain('# Keyboard')
    expect(await call('POST', 'plugins/function/guide/run', { hook: 'inlet' })).toMatchObject({
      body: {
        status: 'failed',
        error: { message: expect.stringContaining('no hook "inlet"') as string },
      },
    })
  })
})
