import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { drawNoisyPng, drawPng } from '../../testing/draw-png.ts'
import type { Script, Step } from '../../testing/fake-upstream/script.ts'
import {
  startAutomatic1111,
  type Automatic1111,
} from '../../testing/picture-servers/automatic1111.ts'
import {
  startOpenAiPictures,
  type OpenAiPictures,
} from '../../testing/picture-servers/openai-pictures.ts'
import {
  startConversation,
  type Conversation,
  type OpenChat,
} from '../../testing/start-conversation.ts'

/** Steps of the model while it has no tool result yet, and afterwards. */
let first: readonly Step[] = []
const afterwards: readonly Step[] = [{ kind: 'content', text: 'Here is your picture.' }]
/** Body of the provider's non-streaming reply, where a test sets one. */
let whole: object | null = null
const script: Script = async ({ messages, body, stream }) => {
  if (whole !== null && !stream)
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(whole),
    }
  if (body['max_tokens'] === 1000)
    return {
      steps: [{ kind: 'content', text: '{"prompt": "A red lighthouse at dusk, oil on canvas"}' }],
    }
  return { steps: messages.some(({ role }) => role === 'tool') ? afterwards : first }
}
const say = (text: string): Step => ({ kind: 'content', text })
const frame = (delta: object): Step => ({
  kind: 'raw',
  bytes: `data: ${JSON.stringify({ id: 'c1', choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`,
})
const imageOf = (bytes: Buffer) => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${bytes.toString('base64')}` },
})

let conversation: Conversation
let painter: OpenAiPictures
let slow: Automatic1111
beforeAll(async () => {
  conversation = await startConversation({ upstream: { models: ['text'], script } })
  painter = await startOpenAiPictures()
  slow = await startAutomatic1111()
})
afterAll(async () => {
  await conversation.close()
  await painter.close()
  await slow.close()
})

const set = (changes: Record<string, unknown>) =>
  conversation.server.context.settings.update(changes as Record<string, never>)
beforeEach(async () => {
  first = [say('I see.')]
  whole = null
  painter.calls.length = 0
  painter.fault = null
  slow.fault = null
  conversation.upstream.requests.length = 0
  await set({
    ENABLE_IMAGE_GENERATION: true,
    ENABLE_IMAGE_EDIT: true,
    ENABLE_IMAGE_PROMPT_GENERATION: true,
    IMAGE_GENERATION_ENGINE: 'openai',
    IMAGES_OPENAI_API_BASE_URL: `${painter.url}/v1`,
    IMAGES_OPENAI_API_KEY: 'sk-pictures',
    IMAGES_EDIT_OPENAI_API_BASE_URL: `${painter.url}/v1`,
    IMAGES_EDIT_OPENAI_API_KEY: 'sk-pictures',
    IMAGE_EDIT_MODEL: 'dall-e-2',
    AUTOMATIC1111_BASE_URL: slow.url,
    AUTOMATIC1111_API_AUTH: 'user:secret',
  })
})

const QUESTION = 'Draw me a lighthouse.'
const ask = (chat: OpenChat, more: object = {}) => ({
  model: 'text',
  messages: [{ role: 'user', content: QUESTION }],
  features: { image_generation: true },
  chat_id: chat.chat_id,
  id: chat.id,
  ...more,
})

async function answered(more?: object, token?: string) {
  const chat = await conversation.createChat(QUESTION, { token })
  const response = await conversation.complete(ask(chat, more), { token })
  const body = await response.text()
  if (response.status !== 200) throw new Error(body)
  return { chat, body, message: await conversation.readMessage(chat, token) }
}

const read = async (url: string, token = conversation.token) => {
  const reply = await conversation.server.call('GET', url, { token })
  return { status: reply.status, bytes: Buffer.from(await reply.arrayBuffer()) }
}
const gallery = async () =>
  (await (
    await conversation.server.call('GET', '/api/v1/images/gallery', { token: conversation.token })
  ).json()) as {
    items: Record<string, unknown>[]
  }
const actions = (message: { statusHistory?: unknown }) =>
  (message.statusHistory as { action: string; done: boolean; error?: boolean }[]).filter(
    ({ action }) => action === 'image_generation',
  )
const IN_PROMPTS = { params: { function_calling: 'default' } }

test('a model that calls tools asks for the picture itself, and it is kept with the answer', async () => {
  first = [
    say('One moment.'),
    {
      kind: 'tool',
      name: 'generate_image',
      arguments: { prompt: 'A lighthouse', size: '256x256' },
    },
  ]
  const { chat, message } = await answered()
  const sent = conversation.upstream.requests.find(({ json }) => json !== null)!.json as {
    tools: { function: { name: string } }[]
  }
  expect(sent.tools.map((each) => each.function.name)).toEqual(['generate_image', 'edit_image'])
  expect(painter.calls[0]!.json()).toMatchObject({ prompt: 'A lighthouse', size: '256x256' })
  const [file] = message.files as { type: string; url: string; id: string }[]
  expect(file).toMatchObject({
    type: 'image',
    content_type: 'image/png',
    name: 'generated-image.png',
  })
  expect((await read(file!.url)).bytes).toEqual(painter.picture)
  expect(message.content).toContain('Here is your picture.')
  expect(actions(message).map(({ done }) => done)).toEqual([false, true])
  expect((await gallery()).items[0]).toMatchObject({
    id: file!.id,
    chat_id: chat.chat_id,
    message_id: chat.id,
    prompt: 'A lighthouse',
  })
})

test('a model that calls none has the picture made ahead, from a prompt the task model words', async () => {
  const { message } = await answered(IN_PROMPTS)
  expect(painter.calls[0]!.json()).toMatchObject({
    prompt: 'A red lighthouse at dusk, oil on canvas',
  })
  expect(message.files).toHaveLength(1)
  const { messages } = conversation.upstream.requests.at(-1)!.json as {
    messages: { role: string; content: string }[]
  }
  expect(messages[0]).toMatchObject({
    role: 'system',
    content: expect.stringContaining('A picture was made for this question'),
  })
})

test('the size and the number the person chose count before those of the model', async () => {
  const features = { image_generation: true, image_options: { size: '1024x1536', n: 2 } }
  first = [{ kind: 'tool', name: 'generate_image', arguments: { prompt: 'x', size: '256x256' } }]
  const native = await answered({ features })
  const ahead = await answered({ ...IN_PROMPTS, features })
  const wanted = { size: '1024x1536', n: 2 }
  expect(painter.calls.map((call) => call.json())).toMatchObject([wanted, wanted])
  expect([native, ahead].map(({ message }) => message.files?.length)).toEqual([2, 2])
  const bare = { image_generation: true, image_options: { size: '', n: null } }
  await answered({ ...IN_PROMPTS, features: bare })
  expect(painter.calls.at(-1)!.json()).toMatchObject({ n: 1 })
  for (const [options, status] of [
    [{ n: 0 }, 422],
    [{ n: 17 }, 422],
    [{ size: 5 }, 422],
    [{ seed: -1 }, 422],
    [{ seed: 'odd' }, 422],
    [['1024x1024'], 422],
  ] as const) {
    const body = { model: 'text', messages: [], features: { image_options: options } }
    expect((await conversation.complete(body)).status).toBe(status)
  }
  const odd = { image_generation: true, image_options: { size: 'huge' } }
  const { message } = await answered({ ...IN_PROMPTS, features: odd })
  expect(actions(message).at(-1)).toMatchObject({
    error: true,
    description: 'The size "huge" is none. Write it as 512x512.',
  })
})

test('the seed the person chose goes to engines that take one, and is passed over by others', async () => {
  const features = { image_generation: true, image_options: { seed: 4711 } }
  first = [{ kind: 'tool', name: 'generate_image', arguments: { prompt: 'x' } }]
  await answered({ features })
  expect(painter.calls.at(-1)!.json()).not.toHaveProperty('seed')
  await set({ IMAGE_GENERATION_ENGINE: 'automatic1111' })
  await answered({ features })
  await answered({ ...IN_PROMPTS, features })
  const asked = slow.calls.filter(({ path }) => path.endsWith('/txt2img'))
  expect(asked.slice(-2).map((call) => call.json())).toMatchObject([{ seed: 4711 }, { seed: 4711 }])
})

test('a question with a picture has it edited', async () => {
  const own = drawPng(3, 3)
  const content = [{ type: 'text', text: 'Make it winter' }, imageOf(own)]
  const { message } = await answered({ ...IN_PROMPTS, messages: [{ role: 'user', content }] })
  expect(painter.calls.map(({ path }) => path)).toEqual(['/v1/images/edits'])
  expect(painter.calls[0]!.body.includes(own)).toBe(true)
  expect(message.files).toHaveLength(1)
  first = [{ kind: 'tool', name: 'edit_image', arguments: { prompt: 'Make it spring' } }]
  const again = await answered({ messages: [{ role: 'user', content }] })
  expect(painter.calls.at(-1)!.body.includes(own)).toBe(true)
  expect(again.message.files).toHaveLength(1)
})

test('what fails is said in a sentence, to the person and to the model', async () => {
  painter.fault = 'refused'
  const { message } = await answered(IN_PROMPTS)
  expect(actions(message).at(-1)).toMatchObject({
    done: true,
    error: true,
    description: expect.stringContaining('safety system'),
  })
  expect(message.files).toBeUndefined()
  first = [{ kind: 'tool', name: 'generate_image', arguments: { prompt: 'x' } }]
  const native = await answered()
  expect(native.message).toMatchObject({
    done: true,
    content: expect.stringContaining('Here is your picture.'),
  })
  const { messages } = conversation.upstream.requests.at(-1)!.json as {
    messages: { role: string; content: string }[]
  }
  expect(messages.find(({ role }) => role === 'tool')!.content).toContain('safety system')
})

test('without the permission it is refused, and while it is off the person is told', async () => {
  const token = await conversation.addUser('Bo')
  await set({ USER_PERMISSIONS: JSON.stringify({ features: { image_generation: false } }) })
  const chat = await conversation.createChat(QUESTION, { token })
  expect((await conversation.complete(ask(chat), { token })).status).toBe(403)
  await set({ USER_PERMISSIONS: '{}', ENABLE_IMAGE_GENERATION: false, ENABLE_IMAGE_EDIT: false })
  const { message } = await answered()
  expect(actions(message)).toEqual([
    expect.objectContaining({ description: expect.stringContaining('not set up') }),
  ])
  expect(painter.calls).toEqual([])
})

test('stopping the answer reaches the server that makes the picture, which told how far it was', async () => {
  await set({ IMAGE_GENERATION_ENGINE: 'automatic1111' })
  slow.fault = 'silent'
  const before = slow.interrupted
  const chat = await conversation.createChat(QUESTION)
  const socket = await conversation.openSocket()
  await conversation.complete(ask(chat, { ...IN_PROMPTS, session_id: socket.sessionId }))
  await slow.called('/sdapi/v1/progress')
  const { statusHistory } = await vi.waitFor(async () => {
    const message = await conversation.readMessage(chat)
    expect(JSON.stringify(message)).toContain('"progress"')
    return message
  }, 10_000)
  expect(statusHistory).toContainEqual(
    expect.objectContaining({ progress: { done: 8, total: 20 } }),
  )
  await conversation.server.call('POST', `/api/tasks/chat/${chat.chat_id}/stop`, {
    token: conversation.token,
  })
  await slow.called('/sdapi/v1/interrupt')
  expect(slow.interrupted).toBe(before + 1)
  const stopped = await conversation.finished(chat)
  expect(stopped.files).toBeUndefined()
  expect(actions(stopped).at(-1)).toEqual({
    action: 'image_generation',
    description: 'The picture was stopped.',
    done: true,
    hidden: true,
  })
})

test.each([
  ['images of a delta', (image: object) => frame({ content: '', images: [image] })],
  [
    'parts of a content',
    (image: object) => frame({ content: [{ type: 'text', text: '' }, image] }),
  ],
])(
  'pictures a provider returns as %s become files instead of megabytes in the message',
  async (_, toFrame) => {
    const bytes = drawNoisyPng(3_000_000)
    first = [say('Look: '), toFrame(imageOf(bytes)), say('there.')]
    const { message, body, chat } = await answered({ features: undefined, stream: true })
    expect(message.content).toBe('Look: there.')
    const [file] = message.files as { url: string; id: string }[]
    expect((await read(file!.url)).bytes.equals(bytes)).toBe(true)
    expect(JSON.stringify(message).length).toBeLessThan(3000)
    expect(body.length).toBeLessThan(6000)
    expect(body).toContain(`"images":[{"type":"image_url","image_url":{"url":"${file!.url}"}}]`)
    expect((await gallery()).items[0]).toMatchObject({
      kind: 'received',
      id: file!.id,
      chat_id: chat.chat_id,
      prompt: QUESTION,
    })
    const whole = await answered({ features: undefined })
    expect(
      (JSON.parse(whole.body) as { choices: { message: { images: unknown[] } }[] }).choices[0]!
        .message.images,
    ).toHaveLength(1)
  },
)

test('callers without a chat get what the provider sent', async () => {
  const image = imageOf(drawPng())
  first = [say('Look: '), frame({ content: '', images: [image] })]
  const body = { model: 'text', messages: [{ role: 'user', content: QUESTION }] }
  const streamed = await (await conversation.complete({ ...body, stream: true })).text()
  expect(streamed).toContain(image.image_url.url)
  const message = { role: 'assistant', content: 'Look:', images: [image] }
  whole = {
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'text',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
  }
  const answer = (await (await conversation.complete(body)).json()) as {
    choices: { message: { images: unknown[] } }[]
  }
  expect(answer.choices[0]!.message.images).toEqual([image])
  const base64 = image.image_url.url.split(',')[1]!
  const ask = (more: object) =>
    conversation.server.call('POST', '/openai/responses', {
      token: conversation.token,
      body: { model: 'text', input: QUESTION, ...more },
    })
  const { output } = (await (await ask({})).json()) as {
    output: { type: string; result?: string }[]
  }
  expect(output.at(-1)).toMatchObject({
    type: 'image_generation_call',
    status: 'completed',
    result: base64,
  })
  const events = (await (await ask({ stream: true })).text())
    .split('\n\n')
    .filter((text) => text !== '')
  const last = JSON.parse(events.at(-1)!.split('data: ')[1]!) as {
    response: { output: { type: string; result?: string }[] }
  }
  expect(last.response.output.map(({ type }) => type)).toEqual(['message', 'image_generation_call'])
  expect(last.response.output[1]!.result).toBe(base64)
  expect(
    events.some((event) => event.startsWith('event: response.image_generation_call.completed')),
  ).toBe(true)
})

test('a picture of an answer that is none, or too large, is left out with a sentence', async () => {
  await set({ IMAGE_MAX_PIXELS: 1 })
  first = [
    frame({
      images: [
        imageOf(drawPng(2000, 2000)),
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      ],
    }),
    say('There.'),
  ]
  const { message } = await answered({ features: undefined })
  await set({ IMAGE_MAX_PIXELS: 50 })
  expect(message.files).toBeUndefined()
  expect(actions(message).map((each) => (each as { description?: string }).description)).toEqual([
    expect.stringContaining('2000 by 2000 pixels'),
    expect.stringContaining('not a PNG'),
  ])
})

test('people who can read the chat can read its pictures, and nobody else', async () => {
  first = [{ kind: 'tool', name: 'generate_image', arguments: { prompt: 'A lighthouse' } }]
  const { chat, message } = await answered()
  const other = await conversation.addUser('Cy')
  const { url } = (message.files as { url: string }[])[0]!
  expect((await read(url, other)).status).toBe(404)
  await conversation.server.call('POST', `/api/v1/chats/${chat.chat_id}/share`, {
    token: conversation.token,
  })
  const shared = await read(url, other)
  expect([shared.status, shared.bytes.equals(painter.picture)]).toEqual([200, true])
  await conversation.server.call('DELETE', `/api/v1/chats/${chat.chat_id}/share`, {
    token: conversation.token,
  })
  expect((await read(url, other)).status).toBe(404)
})
