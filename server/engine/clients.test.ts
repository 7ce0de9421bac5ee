import { spawn } from 'node:child_process'
import { text as readText } from 'node:stream/consumers'
import { Ollama } from 'ollama'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEngineGateway, type EngineGateway } from '../testing/start-engine-gateway.ts'
import { startModelHub } from '../testing/start-model-hub.ts'
import { createTinyModel } from '../testing/write-tiny-model.ts'

const messages = [{ role: 'user', content: 'Hello' }]
const options = { num_predict: 5, seed: 3 }
const tools = [
  {
    type: 'function',
    function: {
      name: 'weather',
      description: 'The weather of a town.',
      parameters: {
        type: 'object',
        properties: { town: { type: 'string', description: 'Town' } },
        required: ['town'],
      },
    },
  },
]

let gateway: EngineGateway
let client: Ollama
beforeAll(async () => {
  gateway = await startEngineGateway()
  gateway.addModel('tiny', { contextLength: 2048 })
  gateway.addModel('tiny-embed', { pooling: 'mean', seed: 3 })
  client = new Ollama({
    host: `${gateway.server.url}/llmhost`,
    headers: { Authorization: `Bearer ${gateway.admin}` },
  })
}, 60_000)
afterAll(() => gateway.close())

describe('the official JavaScript client', () => {
  it('lists and shows models and what is loaded, with the fields it declares', async () => {
    expect((await client.ps()).models).toEqual([])
    const { models } = await client.list()
    const details = {
      parent_model: '',
      format: 'gguf',
      family: 'llama',
      families: ['llama'],
      parameter_size: '0.1M',
      quantization_level: 'F32',
    }
    const row = {
      name: 'tiny',
      model: 'tiny',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      details,
    }
    const listed = models.find(({ name }) => name === 'tiny')
    expect(listed).toMatchObject({ ...row, size: createTinyModel({ contextLength: 2048 }).length })
    expect(Date.parse(String(listed!.modified_at))).toBeLessThanOrEqual(Date.now())
    expect(await client.show({ model: 'tiny' })).toMatchObject({
      details,
      capabilities: ['completion'],
      model_info: { 'general.architecture': 'llama', 'llama.context_length': 2048 },
      license: '',
      modelfile: '',
      parameters: '',
      template: '',
    })
    expect(await client.generate({ model: 'tiny', prompt: '', keep_alive: '10m' })).toMatchObject({
      done: true,
      done_reason: 'load',
    })
    const [loaded] = (await client.ps()).models
    expect(loaded).toMatchObject({ ...row, digest: listed!.digest, size_vram: 0 })
    expect(Date.parse(String(loaded!.expires_at)) - Date.now()).toBeGreaterThan(500_000)
    expect((await client.version()).version).toMatch(/^\d+\.\d+\.\d+/)
  }, 60_000)

  it('chats and generates, whole and streamed, the same for the same seed', async () => {
    const whole = await client.chat({ model: 'tiny', messages, options })
    let text = ''
    for await (const part of await client.chat({ model: 'tiny', messages, options, stream: true }))
      text += part.message.content
    expect(text).toBe(whole.message.content)
    expect(whole).toMatchObject({ done: true, done_reason: 'length', eval_count: 5 })
    const generated = await client.generate({ model: 'tiny', prompt: 'Hello', options })
    text = ''
    const stream = await client.generate({ model: 'tiny', prompt: 'Hello', options, stream: true })
    for await (const part of stream) text += part.response
    expect(text).toBe(generated.response)
  }, 60_000)

  it('counts a whole question, also the part that is still in memory from the one before', async () => {
    const counts = []
    for (let calls = 0; calls < 2; calls += 1)
      counts.push((await client.chat({ model: 'tiny', messages, options })).prompt_eval_count)
    expect(counts[0]).toBeGreaterThan(20)
    expect(counts[1]).toBe(counts[0])
  }, 60_000)

  it('means the same by a name and by its tag "latest"', async () => {
    for (const model of ['tiny', 'tiny:latest']) {
      expect((await client.chat({ model, messages, options })).done).toBe(true)
      expect((await client.show({ model })).details.family).toBe('llama')
    }
    await expect(client.chat({ model: 'tiny:8b', messages, options })).rejects.toThrow('not found')
  }, 60_000)

  it('sends tools and their results', async () => {
    const call = { function: { name: 'weather', arguments: { town: 'Bern' } } }
    const reply = await client.chat({
      model: 'tiny',
      messages: [
        ...messages,
        { role: 'assistant', content: '', tool_calls: [call] },
        { role: 'tool', content: 'Sun', tool_name: 'weather' },
      ],
      tools,
      options,
    })
    expect(reply.done).toBe(true)
  }, 60_000)

  it('embeds in both forms, and cuts vectors to the dimensions it asks for', async () => {
    const embed = (more: object) =>
      client.embed({ model: 'tiny-embed', input: ['river', 'stone'], ...more })
    const { embeddings: whole } = await embed({})
    const { embeddings: cut } = await embed({ dimensions: 16 })
    expect(cut.map((vector) => vector.length)).toEqual([16, 16])
    expect(Math.hypot(...cut[0]!)).toBeCloseTo(1)
    expect(cut[0]![1]! / cut[0]![0]!).toBeCloseTo(whole[0]![1]! / whole[0]![0]!)
    await expect(embed({ dimensions: 1000 })).rejects.toThrow('a whole number up to 64')
    const old = await client.embeddings({ model: 'tiny-embed', prompt: 'river' })
    expect(old.embedding).toEqual(whole[0])
  }, 60_000)

  it('pulls with progress, and deletes', async () => {
    const hub = await startModelHub(createTinyModel({ seed: 11 }))
    try {
      await gateway.server.context.settings.update({ MODEL_MIRRORS: [hub.url] })
      const statuses = []
      for await (const part of await client.pull({ model: hub.repository, stream: true }))
        statuses.push(part.status)
      expect(statuses.at(-1)).toBe('success')
      expect((await client.pull({ model: hub.repository })).status).toBe('success')
      await client.delete({ model: hub.repository })
      await expect(client.show({ model: hub.repository })).rejects.toThrow('no model')
    } finally {
      await hub.close()
    }
  }, 60_000)

  it.each<[string, () => Promise<unknown>, string]>([
    [
      'a picture',
      () =>
        client.chat({
          model: 'tiny',
          messages: [{ role: 'user', content: 'Hi', images: ['aGk='] }],
        }),
      'cannot look at pictures',
    ],
    [
      'a text to fill in',
      () => client.generate({ model: 'tiny', prompt: 'a', suffix: 'b' }),
      'does not fill in the middle',
    ],
    ['a copy', () => client.copy({ source: 'tiny', destination: 'other' }), 'does not copy models'],
    ['to publish', () => client.push({ model: 'tiny' }), 'does not publish models'],
    [
      'a model of another one',
      () => client.create({ model: 'mine', from: 'tiny', system: 'Be short.' }),
      'does not take: from, system',
    ],
  ])('hears in words that the runtime cannot do it: %s', async (_, work, words) => {
    await expect(work()).rejects.toThrow(words)
  })

  it('ends the answer with its abort, and frees the model', async () => {
    const stream = await client.chat({
      model: 'tiny',
      messages,
      stream: true,
      options: { num_predict: 1_000_000 },
    })
    const read = async () => {
      for await (const _ of stream) client.abort()
    }
    await expect(read()).rejects.toThrow('abort')
    expect(await client.chat({ model: 'tiny', messages: [], keep_alive: 0 })).toMatchObject({
      done_reason: 'unload',
    })
    await expect
      .poll(async () => (await client.ps()).models.map(({ name }) => name))
      .not.toContain('tiny')
  }, 60_000)
})

const PYTHON = `
import json, sys
from ollama import Client
url, key, options = json.load(sys.stdin)
client = Client(host=url, headers={'Authorization': 'Bearer ' + key})
messages = [{'role': 'user', 'content': 'Hello'}]
whole = client.chat('tiny', messages, options=options)
streamed = client.chat('tiny', messages, options=options, stream=True)
generated = client.generate('tiny', 'Hello', options=options)
print(json.dumps({
    'models': sorted(model.model for model in client.list().models),
    'family': client.show('tiny').details.family,
    'loaded': sorted(model.model for model in client.ps().models),
    'whole': whole.message.content,
    'streamed': ''.join(part.message.content for part in streamed),
    'generated': generated.eval_count,
    'vectors': [len(vector) for vector in client.embed('tiny-embed', ['river', 'stone'], dimensions=8).embeddings],
    'old': len(client.embeddings('tiny-embed', 'river').embedding),
}))
`

const python = process.env['SDK_PYTHON']

it.runIf(python)(
  'the official Python client makes the same calls',
  async () => {
    const child = spawn(python!, ['-c', PYTHON], { stdio: ['pipe', 'pipe', 'inherit'] })
    child.stdin.end(JSON.stringify([`${gateway.server.url}/llmhost`, gateway.admin, options]))
    const made = JSON.parse(await readText(child.stdout)) as Record<string, unknown>
    expect(made).toMatchObject({
      models: ['tiny', 'tiny-embed'],
      family: 'llama',
      loaded: ['tiny', 'tiny-embed'],
      whole: made['streamed'],
      generated: 5,
      vectors: [8, 8],
      old: 64,
    })
    expect(made['whole']).not.toBe('')
  },
  60_000,
)
