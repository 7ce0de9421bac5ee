import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startFakeRuntime } from '../../testing/fake-upstream/fake-runtime.ts'
import type { Reply, ScriptInput, Step } from '../../testing/fake-upstream/script.ts'
import { startConversation, type Conversation } from '../../testing/start-conversation.ts'

const text = (...pieces: string[]): Step[] =>
  pieces.map((piece) => ({ kind: 'content', text: piece }))
const usage: Step = { kind: 'usage', prompt: 11, completion: 7 }

let replies: Reply[]
let asked: ScriptInput[]
let conversation: Conversation

beforeAll(async () => {
  conversation = await startConversation({
    upstream: {
      models: ['text'],
      script: (input) => {
        asked.push(input)
        return replies.shift() ?? { steps: text('nothing is left') }
      },
    },
  })
})
afterAll(() => conversation.close())
beforeEach(() => {
  replies = []
  asked = []
})

const length = (content: string): Reply => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body: [
    { choices: [{ index: 0, delta: { content }, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'length' }] },
  ]
    .map((frame) => `data: ${JSON.stringify(frame)}\n\n`)
    .join('')
    .concat('data: [DONE]\n\n'),
})

/** Requests an answer and waits for its end. */
async function answer(
  chat: { chat_id: string; id: string },
  more: Record<string, unknown> = {},
): Promise<Response> {
  const { chat_id, id } = chat
  const body = { model: 'text', messages: [], stream: true, chat_id, id, ...more }
  const response = await conversation.complete(body)
  await response.clone().text()
  return response
}

const rolesOf = ({ messages }: ScriptInput) => messages.map(({ role }) => role)

test('An answer that reached its length limit goes on as the same message, and tokens are added up', async () => {
  const chat = await conversation.createChat('Count')
  replies = [length('One, two,'), { steps: [...text(' three', ', four.'), usage] }]
  await answer(chat)
  expect(await conversation.readMessage(chat)).toMatchObject({
    content: 'One, two,',
    finish_reason: 'length',
  })
  const reply = await answer(chat, { continue_response: true })
  expect(await reply.text()).not.toContain('One, two')
  const message = await conversation.readMessage(chat)
  expect(message).toMatchObject({ content: 'One, two, three, four.', done: true })
  expect(message.finish_reason).toBeUndefined()
  expect(message.usage).toMatchObject({ total_tokens: 18 })
  expect(rolesOf(asked[1]!)).toEqual(['user', 'assistant', 'user'])
  expect(asked[1]!.body).not.toHaveProperty('continue_response')
  // Nothing of the request to continue is stored.
  const stored = await conversation.readChat(chat.chat_id)
  expect(Object.keys(stored.chat.history.messages)).toHaveLength(2)
})

test('The windows are told that the answer goes on, and get what comes behind what they have', async () => {
  const chat = await conversation.createChat('Count')
  replies = [{ steps: [...text('One'), { kind: 'cut' }] }, { steps: text(' and', ' two.') }]
  await answer(chat)
  expect((await conversation.readMessage(chat)).error).toBeDefined()
  const socket = await conversation.openSocket()
  await answer(chat, { continue_response: true })
  await expect
    .poll(() =>
      socket.frames
        .filter(({ message_id: id }) => id === chat.id)
        .map(({ data }) => [data!.type, data!.data['offset'] ?? data!.data['done']])
        .filter(([type]) => type === 'chat:message:delta' || type === 'chat:completion'),
    )
    .toEqual(
      expect.arrayContaining([
        ['chat:completion', false],
        ['chat:message:delta', 3],
        ['chat:completion', true],
      ]),
    )
  const message = await conversation.readMessage(chat)
  expect(message.content).toBe('One and two.')
  expect(message.error).toBeUndefined()
})

test('An error while it goes on leaves the first part and what came of the second', async () => {
  const chat = await conversation.createChat('Count')
  replies = [
    length('One'),
    { status: 500, body: 'no' },
    { steps: [...text(', two'), { kind: 'cut' }] },
    { steps: text(', three') },
  ]
  await answer(chat)
  for (const content of ['One', 'One, two']) {
    await answer(chat, { continue_response: true })
    const message = await conversation.readMessage(chat)
    expect(message.content).toBe(content)
    expect(message.error).toBeDefined()
    if (content === 'One') replies = replies.filter((reply) => 'steps' in reply)
  }
  await answer(chat, { continue_response: true })
  expect(await conversation.readMessage(chat)).toMatchObject({ content: 'One, two, three' })
})

test('A client that sends the answer as the last message goes on with it', async () => {
  const chat = await conversation.createChat('Count')
  replies = [length('One'), { steps: text(', two') }]
  await answer(chat)
  const messages = [
    { role: 'user', content: 'Count' },
    { role: 'assistant', content: 'One' },
  ]
  await answer(chat, { messages })
  expect(await conversation.readMessage(chat)).toMatchObject({ content: 'One, two' })
  expect(rolesOf(asked[1]!)).toEqual(['user', 'assistant', 'user'])
})

test('Tools that were called stay what they were, and the model goes on behind their results', async () => {
  const chat = await conversation.createChat('Count')
  const call = { type: 'function_call', id: 'c', call_id: 'c', name: 'add', arguments: '{}' }
  const output = [
    call,
    {
      type: 'function_call_output',
      id: 'o',
      call_id: 'c',
      output: [{ type: 'input_text', text: '3' }],
    },
  ]
  const message = { content: 'It is', done: true, output, finish_reason: 'length' }
  await conversation.server.call('POST', `/api/v1/chats/${chat.chat_id}`, {
    token: conversation.token,
    body: { chat: { history: { messages: { [chat.id]: message } } } },
  })
  replies = [{ steps: text(' three.') }]
  await answer(chat, { continue_response: true })
  expect(rolesOf(asked[0]!)).toEqual(['user', 'assistant', 'tool'])
  const stored = await conversation.readMessage(chat)
  expect(stored.content).toBe('It is three.')
  expect((stored['output'] as { type: string }[]).map(({ type }) => type)).toEqual([
    'function_call',
    'function_call_output',
    'message',
  ])
})

test('A fresh answer is no answer to go on with, and a member without the permission may not', async () => {
  const chat = await conversation.createChat('Count')
  const refused = await answer(chat, { continue_response: true })
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ error: { code: 'nothing_to_continue' } })

  const member = await conversation.addUser('Berta')
  const { server, token } = conversation
  const path = '/api/v1/users/default/permissions'
  const permissions = (await (await server.call('GET', path, { token })).json()) as {
    chat: Record<string, boolean>
  }
  permissions.chat['continue_response'] = false
  await server.call('POST', path, { token, body: permissions })
  const own = await conversation.createChat('Count', { token: member })
  const body = { model: 'text', messages: [], stream: true, ...own }
  replies = [length('One')]
  await (await conversation.complete(body, { token: member })).text()
  const denied = await conversation.complete(
    { ...body, continue_response: true },
    { token: member },
  )
  expect(denied.status).toBe(403)
  expect(await conversation.readMessage(own, member)).toMatchObject({ content: 'One' })
  const foreign = await conversation.complete({ ...body, continue_response: true }, { token })
  expect(foreign.status).toBe(404)
})

test('A local runtime writes on in the answer itself', async () => {
  const runtime = await startFakeRuntime({
    models: ['local'],
    script: (input) => {
      asked.push(input)
      return { steps: text(asked.length === 1 ? 'One' : ', two') }
    },
  })
  const local = await startConversation({
    environment: { LLMHOST_BASE_URLS: runtime.url },
  })
  try {
    const chat = await local.createChat('Count')
    const body = { model: 'local', messages: [], stream: true, ...chat }
    await (await local.complete(body)).text()
    await (await local.complete({ ...body, continue_response: true })).text()
    expect(rolesOf(asked[1]!)).toEqual(['user', 'assistant'])
    expect(await local.readMessage(chat)).toMatchObject({ content: 'One, two' })
  } finally {
    await local.close()
    await runtime.close()
  }
})
