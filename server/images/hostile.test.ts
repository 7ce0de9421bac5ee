import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ImagesConfig } from '#contract/images.ts'
import { startAutomatic1111, type Automatic1111 } from '../testing/picture-servers/automatic1111.ts'
import { startComfy, type Comfy } from '../testing/picture-servers/comfyui.ts'
import { startGemini } from '../testing/picture-servers/gemini.ts'
import {
  startOpenAiPictures,
  type OpenAiPictures,
} from '../testing/picture-servers/openai-pictures.ts'
import type { PictureFault, PictureServer } from '../testing/picture-servers/serve-pictures.ts'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

let server: TestServer
let token: string
let openai: OpenAiPictures
let automatic: Automatic1111
let comfy: Comfy
let gemini: PictureServer
beforeAll(async () => {
  server = await startTestServer()
  token = await server.signUp('Root')
  ;[openai, automatic, comfy, gemini] = await Promise.all([
    startOpenAiPictures(),
    startAutomatic1111(),
    startComfy(),
    startGemini(),
  ])
  const config = (await (await call('GET', 'config')).json()) as ImagesConfig
  const changes = {
    ENABLE_IMAGE_GENERATION: true,
    IMAGES_OPENAI_API_BASE_URL: `${openai.url}/v1`,
    IMAGES_OPENAI_API_KEY: 'sk-pictures',
    AUTOMATIC1111_BASE_URL: automatic.url,
    AUTOMATIC1111_API_AUTH: 'user:secret',
    COMFYUI_BASE_URL: comfy.url,
    IMAGES_GEMINI_API_BASE_URL: `${gemini.url}/v1beta`,
    IMAGES_GEMINI_API_KEY: 'gemini-key',
  }
  const { status } = await call('POST', 'config/update', { ...config, ...changes })
  if (status !== 200) throw new Error(`The configuration was refused with ${status}.`)
})
afterAll(async () => {
  await server.close()
  await Promise.all([openai, automatic, comfy, gemini].map((each) => each.close()))
})

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, `/api/v1/images/${path}`, { token, body })
const set = (changes: Record<string, string | number>) => server.context.settings.update(changes)
const generate = async (more: object = {}) => {
  const reply = await call('POST', 'generations', { prompt: 'A lighthouse', ...more })
  return { status: reply.status, detail: ((await reply.json()) as { detail?: string }).detail }
}

beforeEach(async () => {
  for (const each of [openai, automatic, gemini, comfy]) each.fault = null
  comfy.comfyFault = null
  await set({
    IMAGE_TIMEOUT: 20,
    IMAGE_MAX_SIZE: 8,
    IMAGE_MAX_PIXELS: 50,
    IMAGE_GENERATION_ENGINE: 'openai',
  })
})

const SENTENCES: readonly (readonly [PictureFault, RegExp])[] = [
  ['cut', /broke off its answer/],
  ['page', /is no JSON/],
  ['endless', /larger than 8 MB/],
  ['huge', /larger than 8 MB/],
  ['bomb', /60000 by 60000 pixels/],
  ['text', /not a PNG, JPEG, GIF or WebP/],
  ['redirect', /redirects to another address, which is not followed/],
  ['refused', /rejected by the safety system/],
  ['empty', /answered without a picture/],
]

test.each(
  (['openai', 'chat', 'automatic1111', 'gemini'] as const).flatMap((engine) =>
    SENTENCES.map(([fault, words]) => [engine, fault, words] as const),
  ),
)('%s: a server that is %s gives a sentence and no picture', async (engine, fault, words) => {
  await set({ IMAGE_GENERATION_ENGINE: engine })
  for (const each of [openai, automatic, gemini]) each.fault = fault
  expect(await generate()).toEqual({ status: 400, detail: expect.stringMatching(words) })
})

test('automatic1111: a server that breaks off while it loads another model gives a sentence', async () => {
  await set({ IMAGE_GENERATION_ENGINE: 'automatic1111', IMAGE_GENERATION_MODEL: 'second' })
  automatic.fault = 'cut'
  expect(await generate()).toEqual({
    status: 400,
    detail: expect.stringMatching(/broke off its answer/),
  })
  await set({ IMAGE_GENERATION_MODEL: '' })
})

test('a key that a server repeats in its refusal is not shown', async () => {
  openai.fault = 'echo'
  expect(await generate()).toEqual({
    status: 400,
    detail: expect.stringMatching(
      /refused its key \(status 401\)\. Wrong key: Bearer \[redacted\]$/,
    ),
  })
})

test('a connection that its server closed between two calls is opened again', async () => {
  let connections = 0
  const restless = createServer((request, response) => {
    const { socket } = request
    if (socket.listenerCount('asked') > 0) return void socket.resetAndDestroy()
    socket.on('asked', () => undefined)
    response.end('[{"title": "first"}]')
  }).on('connection', () => (connections += 1))
  await once(restless.listen(0, '127.0.0.1'), 'listening')
  const { port } = restless.address() as AddressInfo
  await set({
    IMAGE_GENERATION_ENGINE: 'automatic1111',
    AUTOMATIC1111_BASE_URL: `http://127.0.0.1:${port}`,
  })
  for (const known of [1, 2]) {
    expect(await (await call('GET', 'models')).json()).toEqual([{ id: 'first', name: 'first' }])
    expect(connections).toBe(known)
  }
  await set({ AUTOMATIC1111_BASE_URL: automatic.url })
  restless.closeAllConnections()
  restless.close()
})

test.each(['openai', 'automatic1111', 'comfyui', 'gemini'])(
  '%s: a server that never answers is left when its time is over',
  async (engine) => {
    await set({ IMAGE_GENERATION_ENGINE: engine, IMAGE_TIMEOUT: 1 })
    for (const each of [openai, automatic, gemini]) each.fault = 'silent'
    comfy.comfyFault = 'silent'
    expect(await generate()).toEqual({
      status: 400,
      detail: expect.stringContaining('within one second.'),
    })
  },
)

test.each([
  ['failed', /CUDA out of memory/],
  ['lost', /connection to ComfyUI was lost/],
  ['flood', /connection to ComfyUI was lost/],
  ['page', /not a PNG, JPEG, GIF or WebP/],
] as const)('comfyui: work that is %s gives a sentence', async (fault, words) => {
  await set({ IMAGE_GENERATION_ENGINE: 'comfyui' })
  comfy.comfyFault = fault
  expect(await generate()).toEqual({ status: 400, detail: expect.stringMatching(words) })
})

test.each([
  ['an unknown engine', { IMAGE_GENERATION_ENGINE: 'paint' }, /There is no image engine "paint"/],
  ['no engine', { IMAGE_GENERATION_ENGINE: '' }, /No image engine is chosen/],
  ['a wrong key', { IMAGES_OPENAI_API_KEY: 'sk-wrong' }, /refused its key \(status 401\)/],
  ['nobody there', { IMAGES_OPENAI_API_BASE_URL: 'http://127.0.0.1:1/v1' }, /cannot be reached/],
  ['no address', { IMAGES_OPENAI_API_BASE_URL: '' }, /has no address/],
])('%s gives a sentence', async (_, changes, words) => {
  const before = {
    IMAGES_OPENAI_API_KEY: 'sk-pictures',
    IMAGES_OPENAI_API_BASE_URL: `${openai.url}/v1`,
  }
  await set(changes as Record<string, string>)
  expect(await generate()).toEqual({ status: 400, detail: expect.stringMatching(words) })
  await set(before)
})

test('a call that was named can be stopped, by its person alone, and the server hears of it', async () => {
  await set({ IMAGE_GENERATION_ENGINE: 'comfyui' })
  comfy.comfyFault = 'silent'
  const [before, prompts] = [comfy.interrupted.length, comfy.calls.length]
  const running = generate({ job_id: 'mine' })
  await expect
    .poll(() => comfy.calls.slice(prompts).some(({ path }) => path === '/prompt'))
    .toBe(true)
  expect((await generate({ job_id: 'mine' })).status).toBe(400)
  expect((await call('POST', 'jobs/other/stop')).status).toBe(404)
  expect((await call('POST', 'jobs/mine/stop')).status).toBe(200)
  expect(await running).toEqual({ status: 400, detail: 'The picture was stopped.' })
  const { prompt_id: id } = comfy.calls.findLast(({ path }) => path === '/prompt')!.json()
  expect([comfy.deleted.at(-1), comfy.interrupted.length, comfy.interrupted.at(-1)]).toEqual([
    id,
    before + 1,
    id,
  ])
  expect((await call('POST', 'jobs/mine/stop')).status).toBe(404)
})

test('a client that goes away ends the work', async () => {
  await set({ IMAGE_GENERATION_ENGINE: 'automatic1111' })
  automatic.fault = 'silent'
  const before = automatic.interrupted
  const leaving = new AbortController()
  const running = fetch(`${server.url}/api/v1/images/generations`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ prompt: 'A lighthouse' }),
    signal: leaving.signal,
  })
  const count = automatic.calls.length
  await expect
    .poll(() => automatic.calls.slice(count).some(({ path }) => path.endsWith('/txt2img')))
    .toBe(true)
  leaving.abort()
  await expect(running).rejects.toThrow('aborted')
  await expect.poll(() => automatic.interrupted).toBe(before + 1)
})

test.each(['pending', 'deleted'] as const)(
  'an account that is %s meanwhile makes no picture',
  async (end) => {
    await set({ IMAGE_GENERATION_ENGINE: 'automatic1111' })
    const { users } = server.context
    const made = await server.call('POST', '/api/v1/auths/add', {
      token,
      body: {
        name: end,
        email: `${end}@example.org`,
        password: 'correct horse battery',
        role: 'user',
      },
    })
    const member = (await made.json()) as { id: string; token: string }
    automatic.fault = 'silent'
    const [before, count] = [automatic.interrupted, automatic.calls.length]
    const running = server.call('POST', '/api/v1/images/generations', {
      token: member.token,
      body: { prompt: 'A lighthouse' },
    })
    await expect
      .poll(() => automatic.calls.slice(count).some(({ path }) => path.endsWith('/txt2img')))
      .toBe(true)
    if (end === 'deleted') await users.remove(member.id)
    else await users.update(member.id, { role: 'pending' })
    expect(await (await running).json()).toMatchObject({ detail: 'The picture was stopped.' })
    await expect.poll(() => automatic.interrupted).toBe(before + 1)
  },
)

test('one person has only so many under way', async () => {
  await set({ IMAGE_TIMEOUT: 1, IMAGE_MAX_CALLS: 2 })
  openai.fault = 'silent'
  const all = await Promise.all([generate(), generate(), generate()])
  await set({ IMAGE_MAX_CALLS: 4 })
  expect(all.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([400, 400, 429])
})
