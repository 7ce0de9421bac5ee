import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Model, ModelInfo } from '#contract/models.ts'
import { startFakeCompatible } from '../testing/fake-upstream/fake-compatible.ts'
import { startFakeRuntime } from '../testing/fake-upstream/fake-runtime.ts'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

let server: TestServer
let admin: string
const opened: { close(): Promise<void> }[] = []

beforeEach(async () => {
  const runtime = await startFakeRuntime({ models: ['llama:8b'] })
  const remote = await startFakeCompatible({
    models: ['cloud-1'],
    modelFields: { context_length: 1000, description: 'Big.' },
  })
  opened.push(runtime, remote)
  server = await startTestServer({
    environment: { LLMHOST_BASE_URL: runtime.url, OPENAI_API_BASE_URL: remote.url },
  })
  opened.push(server)
  admin = await server.signUp('Ada')
})

afterEach(async () => {
  for (const item of opened.splice(0).toReversed()) await item.close()
})

async function get<Body>(target: string, token: string): Promise<{ status: number; body: Body }> {
  const response = await server.call('GET', target, { token })
  return { status: response.status, body: (await response.json()) as Body }
}

const idsFor = async (token: string) =>
  (await get<{ data: Model[] }>('/api/models', token)).body.data.map(({ id }) => id)

async function addUser(): Promise<string> {
  const account = {
    name: 'Bo',
    email: 'bo@example.com',
    password: 'correct horse battery',
    role: 'user',
  }
  await server.call('POST', '/api/v1/auths/add', { body: account, token: admin })
  const session = await server.call('POST', '/api/v1/auths/signin', { body: account })
  return ((await session.json()) as { token: string }).token
}

describe('the model list', () => {
  it('has the models of every connection and the guide, as a list object, under both paths', async () => {
    const list = await get<{ object: string; data: Model[] }>('/api/models', admin)
    expect(list.body.object).toBe('list')
    expect(list.body.data.map(({ id }) => id)).toEqual(['llama:8b', 'cloud-1', 'guide'])
    expect(list.body.data[0]).toMatchObject({
      object: 'model',
      connection_type: 'local',
      connection_name: 'Local runtime',
    })
    expect(list.body.data[0]?.info.meta.capabilities).toMatchObject({
      vision: true,
      tools: true,
      reasoning: true,
    })
    expect((await get('/api/v1/models', admin)).body).toEqual(list.body)
  })

  it('shows a user only the guide until access is opened for all', async () => {
    const user = await addUser()
    expect(await idsFor(user)).toEqual(['guide'])
    await server.call('POST', '/api/v1/settings', {
      body: { values: { BYPASS_MODEL_ACCESS_CONTROL: true } },
      token: admin,
    })
    expect(await idsFor(user)).toEqual(['llama:8b', 'cloud-1', 'guide'])
  })

  it('answers 400 with the same text for unknown and forbidden models', async () => {
    const user = await addUser()
    const texts = await Promise.all(
      ['cloud-1', 'nobody'].map(async (model) => {
        const body = { model, messages: [{ role: 'user', content: 'hi' }] }
        const reply = await server.call('POST', '/api/chat/completions', { body, token: user })
        return { status: reply.status, text: (await reply.text()).replaceAll(model, 'ID') }
      }),
    )
    expect(texts[0]).toEqual(texts[1])
    expect(texts[0]).toMatchObject({
      status: 400,
      text: expect.stringContaining('Model not found'),
    })
  })
})

describe('one model', () => {
  it('is described with capabilities as list and as map', async () => {
    const info = await get<ModelInfo>('/api/v1/models/model?id=llama%3A8b', admin)
    expect(info.status).toBe(200)
    expect(info.body).toMatchObject({
      id: 'llama:8b',
      model: 'llama:8b',
      base_model_id: null,
      params: {},
    })
    expect(info.body.meta).toMatchObject({
      context_length: 8192,
      capability_flags: { vision: true },
    })
    expect(info.body.meta.capabilities).toContain('vision')
    const cloud = await get<ModelInfo>('/api/v1/models/model?id=cloud-1', admin)
    expect(cloud.body.meta).toMatchObject({ description: 'Big.', context_length: 1000 })
  })

  it('is 404 when it is unknown or forbidden', async () => {
    const user = await addUser()
    expect((await get('/api/v1/models/model?id=nobody', admin)).status).toBe(404)
    expect((await get('/api/v1/models/model?id=cloud-1', user)).status).toBe(404)
    expect((await get('/api/v1/models/model', admin)).status).toBe(422)
  })
})
