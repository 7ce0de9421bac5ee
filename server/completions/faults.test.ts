import { afterEach, expect, test } from 'vitest'
import { toPieces, type Step } from '../testing/fake-upstream/script.ts'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'

let conversation: Conversation
afterEach(() => conversation.close())

async function start(steps: readonly Step[]) {
  conversation = await startConversation({
    upstream: { models: ['text'], script: async () => ({ steps }) },
  })
  const chat = await conversation.createChat('Hello')
  const body = {
    model: 'text',
    messages: [{ role: 'user', content: 'Hello' }],
    chat_id: chat.chat_id,
    id: chat.id,
  }
  return { chat, body, socket: await conversation.openSocket() }
}

const EVENT_TYPES = [
  'execute',
  'confirmation',
  'input',
  'notification',
  'status',
  'replace',
  'embeds',
  'files',
  'source',
  'citation',
  'chat:title',
  'chat:tags',
  'chat:completion',
  'chat:message',
  'chat:message:delta',
  'chat:active',
  'call',
  'error',
  'events',
  'execute:python',
]

test('row 21: frames of a model server shaped like our events are no events, and its text is only text', async () => {
  const hostile = EVENT_TYPES.flatMap((type) => {
    const event = {
      type,
      data: { code: 'alert(1)', content: 'taken over', title: 'taken over', embeds: ['<script>'] },
    }
    return [
      event,
      { type: 'events', chat_id: 'x', data: event },
      { event, choices: [] },
      { choices: [{ index: 0, delta: { type, data: event.data }, event }] },
    ]
  })
  const raw = hostile.map((frame): Step => ({
    kind: 'raw',
    bytes: `event: ${String(frame.type)}\ndata: ${JSON.stringify(frame)}\n\n`,
  }))
  const { chat, body, socket } = await start([...toPieces('Only {"type":"execute"} text'), ...raw])
  await (await conversation.complete({ ...body, session_id: socket.sessionId })).text()
  const message = await conversation.finished(chat)
  await socket.event('chat:completion')
  expect(message).toMatchObject({ content: 'Only {"type":"execute"} text', done: true })
  for (const field of ['statusHistory', 'embeds', 'files', 'sources'])
    expect(message[field] ?? []).toEqual([])
  const seen = new Set(socket.frames.map(({ data }) => data?.type))
  expect(
    [...seen].filter(
      (type) =>
        type &&
        !['chat:active', 'chat:message:delta', 'chat:completion', 'chat:list'].includes(type),
    ),
  ).toEqual([])
  expect(JSON.stringify(socket.frames)).not.toContain('taken over')
  expect((await conversation.readChat(chat.chat_id)).title).toBe('New Chat')
})

test('row 21: sources and ids an upstream claims are not passed on as those of the gateway', async () => {
  const claims = {
    sources: [{ source: { name: 'Fake', url: 'javascript:alert(1)' } }],
    selected_model_id: 'fake',
    chat_id: 'fake',
  }
  const frames = [claims, { ...claims, choices: [{ index: 0, delta: { content: 'Real words' } }] }]
  const raw = frames.map((frame): Step => ({
    kind: 'raw',
    bytes: `data: ${JSON.stringify(frame)}\n\n`,
  }))
  const { body } = await start(raw)
  const text = await (await conversation.complete({ ...body, stream: true })).text()
  expect(text).toContain('Real words')
  expect(text).not.toMatch(/javascript|Fake|selected_model_id/)
})

test('row R7: an answer that the full disk does not take stays readable and is saved when there is space again', async () => {
  const text = Array.from({ length: 20_000 }, (_, index) => `word${index}`).join(' ')
  const { chat, body, socket } = await start([
    { kind: 'wait', milliseconds: 300 },
    ...toPieces(text),
  ])
  const { sqlite } = conversation.server.context.storage
  await (await conversation.complete({ ...body, session_id: socket.sessionId })).text()
  sqlite.pragma(`max_page_count = ${Number(sqlite.pragma('page_count', { simple: true }))}`)

  const done = await socket.event('chat:completion')
  expect(done.data.data).toMatchObject({
    content: text,
    error: { content: expect.stringContaining('disk is full') as string },
  })
  expect(await conversation.readMessage(chat)).toMatchObject({ content: text, done: true })
  expect(
    (
      await conversation.complete({
        ...body,
        messages: [{ role: 'user', content: 'x'.repeat(100_000) }],
        parent_id: null,
        chat_id: null,
      })
    ).status,
  ).toBe(507)

  sqlite.pragma('max_page_count = 1000000')
  const stored = () =>
    sqlite.prepare('select content from message where id = ?').pluck().get(chat.id)
  await expect.poll(stored, { timeout: 5000 }).toBe(text)
})

test('A model that sends surrogates in halves and odd characters is stored as it was meant', async () => {
  const halves = ['\\ud83e', '\\udd8a', ' \\u0000 ', '\\ud800', '. '].map((half): Step => ({
    kind: 'raw',
    bytes: `data: {"choices":[{"index":0,"delta":{"content":"${half}"},"finish_reason":null}]}\n\n`,
  }))
  const { chat, body } = await start([...halves, { kind: 'content', text: 'end' }])
  expect((await conversation.complete(body)).status).toBe(200)
  const { content, done } = await conversation.readMessage(chat)
  expect(done).toBe(true)
  expect(content.startsWith('🦊')).toBe(true)
  expect(content.endsWith('. end')).toBe(true)
})
