import { setTimeout as sleep } from 'node:timers/promises'
import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startEngineGateway, type EngineGateway } from '../testing/start-engine-gateway.ts'
import { startModelHub } from '../testing/start-model-hub.ts'
import { writeBlobStore } from '../testing/write-blob-store.ts'
import { createTinyModel } from '../testing/write-tiny-model.ts'
import { findModels } from './library/find-models.ts'

interface Line {
  readonly message?: { readonly content: string; readonly tool_calls?: readonly unknown[] }
  readonly response?: string
  readonly done?: boolean
  readonly done_reason?: string
  readonly error?: string
  readonly eval_count?: number
  readonly prompt_eval_count?: number
}

let gateway: EngineGateway
beforeAll(async () => {
  gateway = await startEngineGateway()
  gateway.addModel('tiny', { chatTemplate: undefined, contextLength: 512 })
  gateway.addModel('gone')
  gateway.addModel('tiny-embed', { pooling: 'mean', seed: 3 })
  writeFileSync(path.join(gateway.folder, 'none.gguf'), 'This is no model at all, but text enough.')
  writeFileSync(path.join(gateway.folder, 'cut.gguf'), createTinyModel().subarray(0, 200_000))
  const foreign = createTinyModel().toString('latin1').replaceAll('llama', 'lhama')
  writeFileSync(path.join(gateway.folder, 'foreign.gguf'), foreign, 'latin1')
}, 60_000)
afterAll(() => gateway.close())

const chat = (options: object = {}) => ({
  model: 'tiny',
  messages: [{ role: 'user', content: 'Hello there' }],
  options: { num_predict: 12, seed: 5 },
  ...options,
})

async function linesOf(reply: Response): Promise<Line[]> {
  const text = await reply.text()
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

const pid = (): number => gateway.server.context.engine.host.pid!

it('lists models without starting the engine, each with what it can', async () => {
  const tags = await gateway.server.call('GET', '/llmhost/api/tags', { token: gateway.admin })
  const { models } = (await tags.json()) as { models: { model: string; size: number }[] }
  expect(models.map(({ model }) => model).toSorted()).toEqual([
    'foreign',
    'gone',
    'tiny',
    'tiny-embed',
  ])
  const show = await gateway.post('/llmhost/api/show', { model: 'tiny' })
  expect(await show.json()).toMatchObject({
    capabilities: ['completion'],
    details: { family: 'llama', quantization_level: 'F32' },
    model_info: { 'llama.context_length': 512 },
  })
  expect(gateway.server.context.engine.host.isRunning).toBe(false)
})

it('answers a conversation in lines and as a whole, the same for the same seed', async () => {
  const reply = await gateway.post('/llmhost/api/chat', chat())
  expect(reply.status).toBe(200)
  const lines = await linesOf(reply)
  const text = lines.map(({ message }) => message?.content ?? '').join('')
  expect(text.trim().split(' ').length).toBeGreaterThan(5)
  expect(lines.at(-1)).toMatchObject({ done: true, done_reason: 'length', eval_count: 12 })
  expect(lines.at(-1)!.prompt_eval_count).toBeGreaterThan(5)
  const whole = await gateway.post('/llmhost/api/chat', chat({ stream: false }))
  expect(((await whole.json()) as Line).message?.content).toBe(text)
}, 60_000)

it('answers chats and completions of every other format', async () => {
  const body = { model: 'tiny', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 8 }
  const completion = await gateway.post('/api/chat/completions', body)
  expect(await completion.json()).toMatchObject({
    choices: [{ finish_reason: 'length', message: { role: 'assistant' } }],
    usage: { completion_tokens: 8 },
  })
  const text = await gateway.post('/llmhost/v1/completions', {
    model: 'tiny',
    prompt: 'Hello',
    max_tokens: 8,
  })
  expect(await text.json()).toMatchObject({
    object: 'text_completion',
    choices: [{ finish_reason: 'length' }],
  })
  const generated = await gateway.post('/llmhost/api/generate', {
    model: 'tiny',
    prompt: 'Hello',
    raw: true,
    stream: false,
    options: { num_predict: 8 },
  })
  expect(await generated.json()).toMatchObject({ done: true, done_reason: 'length', eval_count: 8 })
}, 60_000)

it('keeps to a schema, and to tools', async () => {
  const schema = {
    type: 'object',
    properties: { good: { type: 'boolean' }, kind: { enum: ['stone', 'bird'] } },
    required: ['good', 'kind'],
  }
  const reply = await gateway.post(
    '/llmhost/api/chat',
    chat({ format: schema, stream: false, options: { num_predict: 80 } }),
  )
  const { content } = ((await reply.json()) as Line).message!
  const value = JSON.parse(content) as { good: unknown; kind: unknown }
  expect(typeof value.good).toBe('boolean')
  expect(['stone', 'bird']).toContain(value.kind)
  const both = await gateway.post(
    '/llmhost/api/chat',
    chat({ format: 'json', tools: [{ type: 'function', function: { name: 'weather' } }] }),
  )
  expect(both.status).toBe(400)
  expect(await both.text()).toContain('Ask for a format or for tools')
}, 60_000)

it('embeds texts as vectors of length one, alike for alike texts', async () => {
  const reply = await gateway.post('/llmhost/api/embed', {
    model: 'tiny-embed',
    input: ['green river', 'green river', 'a bird sings on the roof'],
  })
  const { embeddings } = (await reply.json()) as { embeddings: number[][] }
  expect(embeddings.map((vector) => Math.hypot(...vector).toFixed(3))).toEqual([
    '1.000',
    '1.000',
    '1.000',
  ])
  expect(embeddings[0]).toEqual(embeddings[1])
  expect(embeddings[0]).not.toEqual(embeddings[2])
  const compatible = await gateway.post('/api/embeddings', { model: 'tiny-embed', input: 'river' })
  expect(((await compatible.json()) as { data: object[] }).data).toHaveLength(1)
}, 60_000)

it('is offered for the search in documents, and embeds for it', async () => {
  const reply = await gateway.server.call('GET', '/api/v1/retrieval/engine/suggestions', {
    token: gateway.admin,
  })
  expect(await reply.json()).toContainEqual({
    settings: { RAG_EMBEDDING_ENGINE: 'llmhost', RAG_EMBEDDING_MODEL: 'tiny-embed' },
    model: 'tiny-embed',
    connection: 'Built-in runtime',
    is_local: true,
  })
  const trial = await gateway.post('/api/v1/retrieval/engine/test', {
    RAG_EMBEDDING_ENGINE: 'llmhost',
    RAG_EMBEDDING_MODEL: 'tiny-embed',
  })
  expect(await trial.json()).toMatchObject({ dimensions: 64 })
}, 60_000)

it('stops to work when the caller leaves, and has the next one answered', async () => {
  // More than are processed at the same time, so that the next one needs the place of one of them.
  for (let count = 0; count < 3; count += 1) {
    const leaving = new AbortController()
    const reply = await fetch(`${gateway.server.url}/llmhost/api/chat`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${gateway.admin}` },
      body: JSON.stringify(chat({ options: { num_predict: 100_000 } })),
      signal: leaving.signal,
    })
    await reply.body!.getReader().read()
    leaving.abort()
  }
  const next = await gateway.post('/llmhost/api/chat', chat({ stream: false }))
  expect(((await next.json()) as Line).done).toBe(true)
}, 60_000)

it('says in words that the engine ended amid an answer, and starts it anew with the next', async () => {
  const reply = await gateway.post('/llmhost/api/chat', chat({ options: { num_predict: 100_000 } }))
  const before = pid()
  const reader = reply.body!.getReader()
  await reader.read()
  process.kill(before, 'SIGKILL')
  let text = ''
  for (let part = await reader.read(); !part.done; part = await reader.read())
    text += Buffer.from(part.value).toString()
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  expect(lines.at(-1)?.error).toContain('was interrupted')
  const next = await gateway.post('/llmhost/api/chat', chat({ stream: false }))
  expect(((await next.json()) as Line).done).toBe(true)
  expect(pid()).not.toBe(before)
}, 60_000)

it.each([
  ['none', 'This file is no model in the GGUF format.'],
  ['cut', 'This model file ends too early.'],
])('says what is wrong with the file "%s", which no list of models shows', async (name, words) => {
  const entry = await gateway.server.context.engine.library.find(name)
  expect(entry?.problem).toContain(words)
  const reply = await gateway.post('/llmhost/api/chat', chat({ model: name }))
  expect(reply.status).toBe(400)
  expect(await reply.text()).toMatch(/not/i)
})

it('says how much memory a model needs that no memory here holds', async () => {
  gateway.addModel('large')
  // A sparse file: none of its bytes are on the disk.
  truncateSync(path.join(gateway.folder, 'large.gguf'), 2 ** 42)
  gateway.server.context.engine.library.announce()
  const reply = await gateway.post('/llmhost/api/chat', chat({ model: 'large' }))
  const text = await reply.text()
  rmSync(path.join(gateway.folder, 'large.gguf'))
  expect(reply.status).toBeGreaterThanOrEqual(400)
  expect(text).toMatch(/needs more than 4399 GB of memory, and this computer has \d+ GB/)
  const next = await gateway.post('/llmhost/api/chat', chat({ stream: false }))
  expect(((await next.json()) as Line).done).toBe(true)
}, 60_000)

it.each(['copy', 'push'])('refuses to %s a model in words', async (what) => {
  const reply = await gateway.post(`/llmhost/api/${what}`, {
    model: 'tiny',
    from: 'tiny',
    source: 'tiny',
    destination: 'other',
  })
  expect(reply.status).toBeGreaterThanOrEqual(400)
  expect(await reply.text()).toContain('The runtime that comes along does not')
})

it('uses the models of a store of blobs in their place, and deletes none of them', async () => {
  const { settings, engine } = gateway.server.context
  const store = writeBlobStore(createTinyModel({ seed: 13, contextLength: 512 }))
  await settings.update({ MODEL_FOLDERS: [store] })
  const names = (await engine.library.list()).map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['blob-model:latest', 'blob-model:2b', 'someone/other:latest']),
  )
  expect(names.filter((name) => name.includes('broken'))).toEqual([])
  for (const model of ['blob-model', 'blob-model:latest', 'blob-model:2b', 'someone/other']) {
    const reply = await gateway.post('/llmhost/api/chat', chat({ model, stream: false }))
    expect(await reply.json()).toMatchObject({ done: true, eval_count: 12 })
  }
  const removed = await gateway.server.call('DELETE', '/llmhost/api/delete', {
    token: gateway.admin,
    body: { model: 'blob-model' },
  })
  expect(await removed.text()).toContain('is only used here')
  expect(await findModels(store)).toHaveLength(3)
  await settings.update({ MODEL_FOLDERS: [] })
}, 60_000)

it('says that a model is of a kind the engine does not know', async () => {
  const reply = await gateway.post('/llmhost/api/chat', chat({ model: 'foreign' }))
  expect(reply.status).toBeGreaterThanOrEqual(400)
  expect(await reply.text()).toContain('damaged, or of a kind the engine does not know')
}, 60_000)

it('frees the memory of a model when told to, and shows what is loaded', async () => {
  await gateway.post('/llmhost/api/generate', { model: 'tiny', keep_alive: '5m' }).then(linesOf)
  const loaded = async (): Promise<string[]> => {
    const reply = await gateway.server.call('GET', '/llmhost/api/ps', { token: gateway.admin })
    return ((await reply.json()) as { models: { model: string }[] }).models.map(
      ({ model }) => model,
    )
  }
  expect(await loaded()).toContain('tiny')
  await gateway.post('/llmhost/api/unload', { model: 'tiny' })
  for (let tries = 0; tries < 50 && (await loaded()).includes('tiny'); tries += 1) await sleep(50)
  expect(await loaded()).not.toContain('tiny')
}, 60_000)

it('pulls a model with the lines of the dialect, which then answers', async () => {
  const hub = await startModelHub(createTinyModel({ seed: 11 }))
  try {
    await gateway.server.context.settings.update({ MODEL_MIRRORS: [hub.url] })
    const reply = await gateway.post('/llmhost/api/pull', { model: hub.repository })
    const lines = (await linesOf(reply)) as { status?: string; total?: number }[]
    expect(lines[0]).toEqual({ status: 'pulling manifest' })
    expect(lines.find(({ total }) => total === hub.file.length)).toBeDefined()
    expect(lines.at(-1)).toEqual({ status: 'success' })
    const answer = await gateway.post(
      '/llmhost/api/chat',
      chat({ model: 'hub-tiny-q8_0', stream: false }),
    )
    expect(await answer.json()).toMatchObject({ done: true })
    const names = [hub.repository, `${hub.repository}:Q8_0`]
    await gateway.post('/llmhost/api/pull', { model: names[1] }).then(linesOf)
    for (const model of names) {
      const named = await gateway.post('/llmhost/api/chat', chat({ model, stream: false }))
      expect(await named.json()).toMatchObject({ done: true })
      expect((await gateway.post('/llmhost/api/show', { model })).status).toBe(200)
      const compatible = await gateway.post('/llmhost/v1/chat/completions', {
        model,
        messages: [{ role: 'user', content: 'Hello' }],
        max_tokens: 4,
      })
      expect(compatible.status).toBe(200)
    }
    const removed = await gateway.server.call('DELETE', '/llmhost/api/delete', {
      token: gateway.admin,
      body: { model: names[1] },
    })
    expect(removed.status).toBe(200)
    expect(await gateway.server.context.engine.library.find('hub-tiny-q8_0')).toBeNull()
    const gone = await gateway.post('/llmhost/api/chat', chat({ model: names[1] }))
    expect(gone.status).toBe(400)
  } finally {
    await hub.close()
  }
}, 60_000)

it('takes in the file of a model, and refuses one that is none', async () => {
  const upload = (name: string, body: string | Uint8Array<ArrayBuffer>, token: string) =>
    fetch(`${gateway.server.url}/api/v1/engine/models/upload?filename=${name}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/octet-stream', Authorization: `Bearer ${token}` },
      body,
    })
  const taken = await upload('Brought.gguf', new Uint8Array(createTinyModel()), gateway.admin)
  expect(await taken.json()).toMatchObject({ name: 'brought', task: 'chat', problem: null })
  const none = await upload('Page.gguf', 'This is no model, whatever it is called.', gateway.admin)
  expect(none.status).toBe(400)
  const outside = await upload('..%2F..%2Fescape.gguf', 'x', gateway.admin)
  expect(outside.status).toBe(400)
  const member = await gateway.addMember('Brother')
  expect([401, 403]).toContain((await upload('Other.gguf', 'x', member)).status)
})

it('lets only administrators delete, and deletes the file', async () => {
  const member = await gateway.addMember('Member')
  const refused = await gateway.server.call('DELETE', '/llmhost/api/delete', {
    token: member,
    body: { model: 'gone' },
  })
  expect([401, 403]).toContain(refused.status)
  expect(await gateway.server.context.engine.library.find('gone')).not.toBeNull()
  const done = await gateway.server.call('DELETE', '/llmhost/api/delete', {
    token: gateway.admin,
    body: { model: 'gone' },
  })
  expect(done.status).toBe(200)
  expect(await gateway.server.context.engine.library.find('gone')).toBeNull()
})
