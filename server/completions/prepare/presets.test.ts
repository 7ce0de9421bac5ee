import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startConversation, type Conversation } from '../../testing/start-conversation.ts'

let conversation: Conversation
beforeEach(async () => {
  conversation = await startConversation({ upstream: { models: ['text', 'echo'] } })
})
afterEach(() => conversation.close())

const post = (path: string, body: unknown, token = conversation.token) =>
  conversation.server.call('POST', path, { token, body })
const ask = (content: string, more: Record<string, unknown> = {}) => ({
  model: 'tutor',
  messages: [{ role: 'user', content }],
  ...more,
})
const sent = () => conversation.upstream.requests.at(-1)!.json!
const sentSystem = () => (sent()['messages'] as { role: string; content: string }[])[0]

const preset = (params: Record<string, unknown>, base = 'text') =>
  post('/api/v1/models/create', {
    id: 'tutor',
    base_model_id: base,
    name: 'Tutor',
    meta: {},
    params,
  })

describe('A model with a preset', () => {
  test('gets its system prompt in front, with names filled, and its parameters under those of the request', async () => {
    await preset({
      system: 'Teach {{USER_NAME}}.',
      temperature: 0.1,
      top_p: 0.3,
      custom_params: { top_k: '5', user: 'class' },
    })
    const messages = [
      { role: 'system', content: 'Be {{USER_NAME}}.' },
      { role: 'user', content: 'Hi' },
    ]
    await (
      await conversation.complete(
        ask('', { messages, temperature: 0.9, params: { top_p: 0.5, system: 'Be brief.' } }),
      )
    ).text()
    expect(sent()).toMatchObject({
      model: 'text',
      temperature: 0.9,
      top_p: 0.5,
      top_k: 5,
      user: 'class',
    })
    expect(sentSystem()).toEqual({
      role: 'system',
      content: 'Teach Ada.\nBe brief.\nBe {{USER_NAME}}.',
    })
  })

  test('is told what the person told about themselves, by the names of templates', async () => {
    await preset({ system: '{{USER_BIO}} {{USER_BIRTH_DATE}} {{USER_GENDER}} {{USER_LOCATION}}' })
    await post('/api/v1/auths/update/profile', {
      name: 'Ada',
      bio: 'Counts.',
      date_of_birth: '1990-12-31',
    })
    await post('/api/v1/users/user/info/update', { location: 'London' })
    await (await conversation.complete(ask('Hi'))).text()
    expect(sentSystem()!.content).toBe('Counts. 1990-12-31 Unknown London')
  })

  test('may decide about streaming, whatever the caller wishes', async () => {
    await preset({ stream_response: false })
    const response = await conversation.complete(ask('Hello', { stream: true }))
    expect(await response.json()).toMatchObject({ object: 'chat.completion' })
    expect(sent()['stream']).not.toBe(true)
  })

  test('may name other reasoning tags', async () => {
    await preset({ reasoning_tags: ['<plan>', '</plan>'] }, 'echo')
    const answer = async (question: string, more: Record<string, unknown>) => {
      const chat = await conversation.createChat(question)
      await (
        await conversation.complete(ask(question, { chat_id: chat.chat_id, id: chat.id, ...more }))
      ).text()
      return conversation.readMessage(chat)
    }
    expect(await answer('<plan>first</plan> then', {})).toMatchObject({
      content: 'then',
      reasoning_content: 'first',
    })
    expect(await answer('<think>first</think> then', {})).toMatchObject({
      content: '<think>first</think> then',
    })
    const params = { reasoning_tags: [['[[', ']]']] }
    expect(await answer('[[first]] then', { model: 'echo', params })).toMatchObject({
      content: 'then',
      reasoning_content: 'first',
    })
    expect(
      await answer('<think>a</think> b', { model: 'echo', params: { reasoning_tags: false } }),
    ).toMatchObject({
      content: '<think>a</think> b',
    })
  })
})

test('A folder puts its system prompt behind that of the model', async () => {
  await preset({ system: 'Teach.' })
  const folder = (await (
    await post('/api/v1/folders/', {
      name: 'Trains',
      data: { system_prompt: 'About trains, {{USER_NAME}}.' },
    })
  ).json()) as {
    id: string
  }
  const response = await conversation.complete(
    ask('Hello', { parent_id: null, folder_id: folder.id }),
  )
  const { chat_id: chatId } = (await response.json()) as { chat_id: string }
  expect(sentSystem()!.content).toBe('Teach.\nAbout trains, Ada.')
  expect((await conversation.readChat(chatId)).folder_id).toBe(folder.id)
})

test('An arena says in its first frame, in its JSON and in the message which model answered', async () => {
  await conversation.server.context.settings.update({ ENABLE_EVALUATION_ARENA_MODELS: true })
  const arena = { model: 'arena-model', messages: [{ role: 'user', content: 'Hello' }] }
  const stream = await (await conversation.complete({ ...arena, stream: true })).text()
  const [first] = stream.split('\n\n')
  const selected = (JSON.parse(first!.slice(6)) as { selected_model_id: string }).selected_model_id
  expect(['text', 'echo']).toContain(selected)
  expect(await (await conversation.complete(arena)).json()).toMatchObject({
    selected_model_id: expect.any(String),
  })
  const chat = await conversation.createChat('Hello')
  const answer = await conversation.complete({ ...arena, chat_id: chat.chat_id, id: chat.id })
  const { selected_model_id } = (await answer.json()) as { selected_model_id: string }
  expect(await conversation.readMessage(chat)).toMatchObject({
    selectedModelId: selected_model_id,
    model: 'arena-model',
  })
})

describe('features', () => {
  test('memory tells the model what fits the question, while memories are on', async () => {
    await post('/api/v1/memories/add', { content: 'Drives trains in Örebro' })
    await (
      await conversation.complete(
        ask('How do my trains brake?', { model: 'text', features: { memory: true } }),
      )
    ).text()
    expect(sentSystem()!.content).toContain('- Drives trains in Örebro')
    await (
      await conversation.complete(
        ask('What do I like?', { model: 'text', features: { memory: true } }),
      )
    ).text()
    expect(sentSystem()!.content).toContain('- Drives trains in Örebro')
    await (await conversation.complete(ask('How do my trains brake?', { model: 'text' }))).text()
    expect(sentSystem()!.role).toBe('user')
    await conversation.server.context.settings.update({ ENABLE_MEMORIES: false })
    await (
      await conversation.complete(
        ask('How do my trains brake?', { model: 'text', features: { memory: true } }),
      )
    ).text()
    expect(sentSystem()!.role).toBe('user')
  })

  test('memory goes by words, and says so, while the engine for embeddings does not answer', async () => {
    await post('/api/v1/memories/add', { content: 'Drives trains in Örebro' })
    await post('/api/v1/memories/add', { content: 'Likes tea' })
    await conversation.server.context.settings.update({
      RAG_EMBEDDING_ENGINE: 'openai',
      RAG_OPENAI_API_BASE_URL: 'http://127.0.0.1:1/v1',
    })
    const chat = await conversation.createChat('How do my trains brake?')
    const body = { model: 'text', features: { memory: true }, chat_id: chat.chat_id, id: chat.id }
    await (await conversation.complete(ask('How do my trains brake?', body))).text()
    expect(sentSystem()!.content).toContain('- Drives trains in Örebro')
    expect(sentSystem()!.content).not.toContain('tea')
    expect((await conversation.readMessage(chat)).statusHistory).toMatchObject([
      {
        action: 'memory',
        done: true,
        error: true,
        description: expect.stringContaining('memories that share words') as string,
      },
    ])
  })

  test('voice tells the model that its answer is read aloud', async () => {
    await conversation.server.context.settings.update({
      VOICE_MODE_PROMPT_TEMPLATE: 'Speak plainly to {{USER_NAME}}.',
    })
    await (
      await conversation.complete(ask('Hi', { model: 'text', features: { voice: true } }))
    ).text()
    expect(sentSystem()!.content).toBe('Speak plainly to Ada.')
  })

  test('the gateway does not have are named in the status line of the answer', async () => {
    const chat = await conversation.createChat('Hello')
    const features = { web_search: true, code_interpreter: false }
    await (
      await conversation.complete({
        ...ask('Hello'),
        model: 'text',
        chat_id: chat.chat_id,
        id: chat.id,
        features,
      })
    ).text()
    const message = await conversation.readMessage(chat)
    expect(message.statusHistory).toEqual([
      { action: 'web_search', description: expect.stringContaining('Web search'), done: true },
    ])
    expect(message.content).not.toBe('')
  })
})

describe('What a body asks for beyond the permissions of its caller', () => {
  const withdraw = (branch: 'chat' | 'features', name: string) =>
    post('/api/v1/users/default/permissions', { [branch]: { [name]: false } })
  const CASES: readonly (readonly ['chat' | 'features', string, Record<string, unknown>])[] = [
    ['chat', 'controls', { params: { temperature: 1 } }],
    ['chat', 'params', { params: { temperature: 1 } }],
    ['chat', 'system_prompt', { params: { system: 'Be rude.' } }],
    ['chat', 'multiple_models', { parent_id: null, message_ids: { text: 'a', echo: 'b' } }],
    ['chat', 'temporary', { chat_id: 'local:window' }],
    ['features', 'web_search', { features: { web_search: true } }],
    ['features', 'image_generation', { features: { image_generation: true } }],
    ['features', 'code_interpreter', { features: { code_interpreter: true } }],
    ['features', 'memories', { features: { memory: true } }],
  ]

  test.each(CASES)(
    '%s.%s: is a 403 for people, and granted to administrators',
    async (branch, name, more) => {
      const stranger = await conversation.addUser('Bob')
      const request = ask('Hello', { model: 'text', ...more })
      expect((await conversation.complete(request, { token: stranger })).status).toBe(200)
      await withdraw(branch, name)
      const refused = await conversation.complete(request, { token: stranger })
      expect(refused.status).toBe(403)
      expect(await refused.json()).toMatchObject({
        detail: expect.stringMatching(/^You do not have permission to /),
        error: { code: 'not_permitted' },
      })
      expect(
        (await conversation.complete(ask('Hello', { model: 'text' }), { token: stranger })).status,
      ).toBe(200)
      expect((await conversation.complete({ ...request, message_ids: undefined })).status).toBe(200)
    },
  )

  test('chat.temporary_enforced: stores no chats of people who have it', async () => {
    const stranger = await conversation.addUser('Bob')
    await post('/api/v1/users/default/permissions', { chat: { temporary_enforced: true } })
    expect(
      (
        await conversation.complete(ask('Hello', { model: 'text', parent_id: null }), {
          token: stranger,
        })
      ).status,
    ).toBe(403)
    expect(
      (await conversation.complete(ask('Hello', { model: 'text' }), { token: stranger })).status,
    ).toBe(200)
    expect(
      (await conversation.complete(ask('Hello', { model: 'text', parent_id: null }))).status,
    ).toBe(200)
  })
})

test('The tokens of a key with a daily cap are counted, streamed or not, and the cap holds', async () => {
  await conversation.server.context.settings.update({
    ENABLE_API_KEYS: true,
    ENABLE_API_KEY_LIMITS: true,
  })
  const created = await post('/api/v1/auths/api_keys', { name: 'capped', daily_tokens: 30 })
  const { id, api_key: token } = (await created.json()) as { id: string; api_key: string }
  const request = ask('Hello', { model: 'text' })
  const stream = await (await conversation.complete({ ...request, stream: true }, { token })).text()
  expect(stream).not.toContain('usage')
  expect((await conversation.complete(request, { token })).status).toBe(200)
  expect((await conversation.complete(request, { token })).status).toBe(429)
  const keys = (await (
    await conversation.server.call('GET', '/api/v1/auths/api_keys', { token: conversation.token })
  ).json()) as {
    id: string
  }[]
  expect(keys.find((key) => key.id === id)).toMatchObject({ today: { tokens: 36 } })
})
