import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  startExtendedConversation,
  type ExtendedConversation,
} from '../testing/start-extended-conversation.ts'
import type { RequestFilters, StreamFilter } from '../extensions/filters.ts'

let filters: RequestFilters | null = null
let asked: { chatId: string | null; sent: string }[] = []

const shout: StreamFilter = (chunk) => ({
  ...chunk,
  choices: chunk.choices.map((choice) => ({
    ...choice,
    delta: { ...choice.delta, content: choice.delta.content?.toUpperCase() },
  })),
})

let conversation: ExtendedConversation
beforeAll(async () => {
  conversation = await startExtendedConversation(() => ({
    filters: ({ chatId, sent }) => {
      asked.push({ chatId, sent: sent.model })
      return filters
    },
  }))
})
afterAll(() => conversation.close())
beforeEach(() => {
  filters = { inlets: [], stream: [] }
  asked = []
  conversation.upstream.requests.length = 0
})

const body = (more: Record<string, unknown> = {}) => ({
  model: 'text',
  messages: [{ role: 'user', content: 'Hello' }],
  ...more,
})
const upstreamBody = () => conversation.upstream.requests.at(-1)!.json!
const HELLO =
  'Hello from the scripted model. It answers the same way every time: one sentence, two sentences.'

describe('Inlets', () => {
  test('change everything about a request, one after the other, also where they change what they are given', async () => {
    filters = {
      stream: [],
      inlets: [
        (request) => {
          request.messages[0]!['content'] = 'Changed'
          return request
        },
        async (request) => ({
          ...request,
          temperature: 0.1,
          messages: [{ role: 'system', content: 'Be kind.' }, ...request.messages],
        }),
      ],
    }
    await (await conversation.complete(body({ params: { top_p: 0.5 } }))).json()
    expect(upstreamBody()).toMatchObject({
      temperature: 0.1,
      top_p: 0.5,
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Changed' },
      ],
    })
  })

  test('may take a feature over, which is then not missed; one they leave is', async () => {
    filters = {
      stream: [],
      inlets: [(request) => ({ ...request, features: { ...request.features, web_search: false } })],
    }
    const chat = await conversation.createChat('Hello')
    const features = { web_search: true, image_generation: true }
    await (
      await conversation.complete(body({ chat_id: chat.chat_id, id: chat.id, features }))
    ).json()
    const { statusHistory } = await conversation.readMessage(chat)
    expect(statusHistory!.map(({ action }) => action)).toEqual(['image_generation'])
  })

  test('that throw end the request with 400 and their words; a chat keeps them as the error of the message', async () => {
    filters = {
      stream: [],
      inlets: [
        () => {
          throw new Error('Not on Sundays.')
        },
      ],
    }
    const reply = await conversation.complete(body())
    expect([reply.status, await reply.json()]).toEqual([
      400,
      expect.objectContaining({ detail: 'Not on Sundays.' }),
    ])
    const chat = await conversation.createChat('Hello')
    expect((await conversation.complete(body({ chat_id: chat.chat_id, id: chat.id }))).status).toBe(
      400,
    )
    expect(await conversation.readMessage(chat)).toMatchObject({
      done: true,
      error: { content: 'Not on Sundays.', code: 'filter_failed' },
    })
    expect(conversation.upstream.requests).toEqual([])
  })

  test('that give back nothing are a fault of theirs, not of the gateway', async () => {
    filters = { stream: [], inlets: [() => undefined as never] }
    expect((await conversation.complete(body())).status).toBe(400)
  })

  test('know the place of the answer', async () => {
    const chat = await conversation.createChat('Hello')
    await (await conversation.complete(body({ chat_id: chat.chat_id, id: chat.id }))).json()
    await (await conversation.complete(body())).json()
    expect(asked).toEqual([
      { chatId: chat.chat_id, sent: 'text' },
      { chatId: null, sent: 'text' },
    ])
  })
})

describe('An inlet that changes the model', () => {
  const route = (model: unknown) => {
    filters = { stream: [], inlets: [(request) => ({ ...request, model: model as string })] }
  }

  test.each([{ stream: true }, { stream: false }])(
    'chooses who answers a stateless call; %j',
    async (how) => {
      route('echo')
      const text = await (await conversation.complete(body(how))).text()
      expect(upstreamBody()['model']).toBe('echo')
      expect(text).not.toContain(HELLO)
    },
  )

  test('chooses who answers in a chat and in the other dialects; the message names the model', async () => {
    route('echo')
    const chat = await conversation.createChat('Hello')
    await (await conversation.complete(body({ chat_id: chat.chat_id, id: chat.id }))).json()
    expect(await conversation.readMessage(chat)).toMatchObject({
      content: 'Hello',
      selectedModelId: 'echo',
      model: 'text',
    })
    const messages = {
      model: 'text',
      messages: [{ role: 'user', content: 'Hello' }],
      max_tokens: 100,
    }
    await (await conversation.call('/api/v1/messages', messages)).text()
    expect(upstreamBody()['model']).toBe('echo')
  })

  test('is told the model of each answer of a fan-out', async () => {
    const seen: string[] = []
    filters = {
      stream: [],
      inlets: [
        (request) => {
          seen.push(request.model)
          return request
        },
      ],
    }
    const chat = await conversation.createChat('Hello')
    const message_ids = { text: chat.id, echo: crypto.randomUUID() }
    await (
      await conversation.complete(body({ chat_id: chat.chat_id, id: chat.id, message_ids }))
    ).text()
    expect(seen.toSorted()).toEqual(['echo', 'text'])
  })

  test('brings along what the chosen model presets instead of what the other one did', async () => {
    const create = (id: string, params: Record<string, unknown>) =>
      conversation.server.call('POST', '/api/v1/models/create', {
        token: conversation.token,
        body: { id, base_model_id: 'text', name: id, meta: {}, params },
      })
    await create('router', { temperature: 0.1, top_p: 0.2, seed: 5, system: 'Be a router.' })
    await create('expert', { temperature: 0.9, system: 'Be an expert.' })
    route('expert')
    await (await conversation.complete(body({ model: 'router', seed: 5 }))).json()
    expect(upstreamBody()).toMatchObject({
      model: 'text',
      temperature: 0.9,
      seed: 5,
      messages: [{ content: 'Be an expert.' }, {}],
    })
    expect(upstreamBody()).not.toHaveProperty('top_p')
  })

  test.each(['nobody-knows-it', 5, ''])(
    'to %j is refused with what to do, and asks nobody',
    async (model) => {
      route(model)
      const reply = await conversation.complete(body())
      expect(reply.status).toBe(400)
      expect(((await reply.json()) as { detail: string }).detail).toContain('A filter')
      expect(conversation.upstream.requests.filter(({ method }) => method === 'POST')).toEqual([])
    },
  )

  test('cannot choose one its caller may not use', async () => {
    const { context } = conversation.server
    await context.settings.update({ BYPASS_MODEL_ACCESS_CONTROL: false })
    try {
      const token = await conversation.addUser('Bob')
      await conversation.server.call('POST', '/api/v1/models/create', {
        token: conversation.token,
        body: {
          id: 'text',
          base_model_id: null,
          name: 'Text',
          meta: {},
          params: {},
          access_grants: [{ principal_type: 'user', principal_id: '*', permission: 'read' }],
        },
      })
      filters = { stream: [], inlets: [(request) => request] }
      expect((await conversation.complete(body(), { token })).status).toBe(200)
      conversation.upstream.requests.length = 0
      route('echo')
      const reply = await conversation.complete(body(), { token })
      expect([reply.status, await reply.json()]).toMatchObject([
        400,
        { detail: expect.stringContaining('"echo"') },
      ])
      expect(conversation.upstream.requests).toEqual([])
    } finally {
      await context.settings.update({ BYPASS_MODEL_ACCESS_CONTROL: true })
    }
  })
})

describe('Stream hooks', () => {
  test.each([{ stream: true }, { stream: false }])(
    'change what the caller of a stateless call gets; %j',
    async (how) => {
      filters = { inlets: [], stream: [shout] }
      const text = await (await conversation.complete(body(how))).text()
      expect(text).toContain(how.stream ? 'HELLO' : HELLO.toUpperCase())
      expect(text).not.toContain('Hello')
    },
  )

  test('change what is stored, and null drops a chunk', async () => {
    filters = {
      inlets: [],
      stream: [shout, (chunk) => (chunk.choices[0]?.delta.content?.includes('TWO') ? null : chunk)],
    }
    const chat = await conversation.createChat('Hello')
    await (await conversation.complete(body({ chat_id: chat.chat_id, id: chat.id }))).json()
    expect((await conversation.readMessage(chat)).content).toBe(
      HELLO.toUpperCase().replace(' TWO', ''),
    )
  })

  test.each(['/api/v1/messages', '/llmhost/v1/responses'])('hold for %s as well', async (path) => {
    filters = { inlets: [], stream: [shout] }
    const input = path.endsWith('responses')
      ? { input: 'Hello' }
      : { messages: [{ role: 'user', content: 'Hello' }], max_tokens: 100 }
    for (const stream of [false, true]) {
      const response = await conversation.call(path, { model: 'text', ...input, stream })
      const text = await response.text()
      expect(text).toContain('HELLO')
      expect(text).not.toContain('Hello')
    }
  })
})

test('Without filters the bytes go up as they came', async () => {
  filters = null
  const bytes = JSON.stringify(body({ odd: [1, null] }), null, 3)
  await (await conversation.complete(bytes)).json()
  expect(conversation.upstream.requests.at(-1)!.text).toBe(bytes)
})
