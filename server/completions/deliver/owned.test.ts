import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerInChat, startSlowAnswer, stopTask, toRequest } from '../../testing/answer-in-chat.ts'
import { startConversation, type Conversation } from '../../testing/start-conversation.ts'

let conversation: Conversation
let stranger: string
beforeAll(async () => {
  conversation = await startConversation()
  stranger = await conversation.addUser('Bob')
})
afterAll(() => conversation.close())

const HELLO =
  'Hello from the scripted model. It answers the same way every time: one sentence, two sentences.'

const answer = (question: string, more?: Record<string, unknown>) =>
  answerInChat(conversation, question, more)

describe('A completion with chat_id and id', () => {
  test('streams to the caller, is stored done with usage, and a window of the owner sees it live', async () => {
    const socket = await conversation.openSocket()
    const { chat, response } = await answer('Hello', { stream: true })
    const text = await response.text()
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    const message = await conversation.readMessage(chat)
    expect(message).toMatchObject({
      content: HELLO,
      done: true,
      parentId: chat.questionId,
      usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18 },
    })
    expect(message).not.toHaveProperty('error')
    const done = await socket.event('chat:completion')
    expect(done).toMatchObject({
      chat_id: chat.chat_id,
      message_id: chat.id,
      data: { data: { done: true, content: HELLO } },
    })
    expect(socket.text(chat.id)).toBe(HELLO)
  })

  test('usage frames go only to callers who asked for them', async () => {
    const { response } = await answer('Hello', { stream: true })
    expect(await response.text()).not.toContain('usage')
    const { response: asked } = await answer('Hello', {
      stream: true,
      stream_options: { include_usage: true },
    })
    expect(await asked.text()).toContain('"total_tokens":18')
  })

  test('without stream answers the completion JSON with chat_id', async () => {
    const { chat, response } = await answer('Hello')
    expect(await response.json()).toMatchObject({
      object: 'chat.completion',
      chat_id: chat.chat_id,
      choices: [{ message: { role: 'assistant', content: HELLO }, finish_reason: 'stop' }],
      usage: { total_tokens: 18 },
    })
    expect(await conversation.readMessage(chat)).toMatchObject({ content: HELLO, done: true })
  })

  test('with the session of a live socket answers at once and the text travels over the socket', async () => {
    const socket = await conversation.openSocket()
    const { chat, response } = await answer('/reasoning', {
      session_id: socket.sessionId,
      stream: true,
    })
    const started = (await response.json()) as { task_id: string }
    expect(started).toEqual({
      status: true,
      task_id: started.task_id,
      task_ids: [started.task_id],
      chat_id: chat.chat_id,
    })
    const done = await socket.event('chat:completion')
    expect(done.data.data).toMatchObject({
      done: true,
      content: 'Then I answer it.',
      reasoning_content: 'First I look at the question.',
    })
    expect(socket.text(chat.id)).toBe('Then I answer it.')
    expect(socket.text(chat.id, 'chat:reasoning:delta')).toBe('First I look at the question.')
    const message = await conversation.readMessage(chat)
    expect(message).toMatchObject({
      content: 'Then I answer it.',
      reasoning_content: 'First I look at the question.',
      done: true,
    })
    expect(message['output']).toMatchObject([
      {
        type: 'reasoning',
        content: [{ type: 'output_text', text: 'First I look at the question.' }],
        summary: null,
      },
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Then I answer it.' }],
      },
    ])
    expect(message.reasoning_seconds).toBeGreaterThanOrEqual(0)
    expect(message.answer_seconds).toBeGreaterThanOrEqual(message.reasoning_seconds!)
    const active = socket.frames
      .filter(({ data }) => data?.type === 'chat:active')
      .map(({ data }) => data?.data['active'])
    expect(active).toEqual([true, false])
  })

  test('the event that nothing is being written any more says when the chat changed last, for a list that did not read it again', async () => {
    const socket = await conversation.openSocket()
    const { chat } = await answer('Hello', { session_id: socket.sessionId, stream: true })
    const ended = () =>
      socket.frames.find(
        ({ data }) => data?.type === 'chat:active' && data.data['active'] === false,
      )
    await expect.poll(ended).toBeDefined()
    const { updated_at } = await conversation.readChat(chat.chat_id)
    expect(ended()).toMatchObject({
      chat_id: chat.chat_id,
      data: { data: { active: false, updated_at } },
    })
  })

  test("row 49: another user's session is nobody's: the caller polls, the other socket gets nothing", async () => {
    const socket = await conversation.openSocket(stranger)
    const { chat, response } = await answer('Hello', { session_id: socket.sessionId, stream: true })
    expect(await response.json()).toMatchObject({ status: true, chat_id: chat.chat_id })
    await conversation.finished(chat)
    expect(socket.frames.filter(({ type }) => type === 'events')).toEqual([])
  })

  test.each([true, false])(
    'an unknown session is answered at once, for who polls the chat (stream: %s)',
    async (stream) => {
      const { chat, response } = await answer('Hello', { session_id: randomUUID(), stream })
      const started = (await response.json()) as { task_id: string }
      expect(started).toEqual({
        status: true,
        task_id: started.task_id,
        task_ids: [started.task_id],
        chat_id: chat.chat_id,
      })
      expect(await conversation.finished(chat)).toMatchObject({ content: HELLO, done: true })
    },
  )

  test('an unknown session is told a new chat in the answer itself', async () => {
    const user = { id: randomUUID(), role: 'user', content: 'Hello' }
    const response = await conversation.complete(
      toRequest('Hello', {
        parent_id: null,
        user_message: user,
        session_id: randomUUID(),
        stream: true,
      }),
    )
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    expect(await response.text()).toContain('"content":" scripted"')
  })

  test('a missing placeholder is created and X-Chat-Repairs says so', async () => {
    const chat = await conversation.createChat('Hello')
    const id = randomUUID()
    const response = await conversation.complete(
      toRequest('Hello', { chat_id: chat.chat_id, id, parent_id: chat.questionId }),
    )
    expect(response.headers.get('x-chat-repairs')).toContain('placeholder')
    const { history } = (await conversation.readChat(chat.chat_id)).chat
    expect(history.messages[id]).toMatchObject({
      content: HELLO,
      parentId: chat.questionId,
      done: true,
    })
    expect(history.messages[chat.questionId]!.childrenIds).toEqual([chat.id, id])
    expect(history.currentId).toBe(id)
  })

  test('user_message stores the next question with its answer', async () => {
    const { chat, response } = await answer('Hello')
    await response.text()
    const [questionId, id] = [randomUUID(), randomUUID()]
    const userMessage = { id: questionId, role: 'user', content: 'And now?' }
    const next = await conversation.complete(
      toRequest('And now?', {
        chat_id: chat.chat_id,
        id,
        parent_id: chat.id,
        user_message: userMessage,
      }),
    )
    expect(next.status).toBe(200)
    const { messages } = (await conversation.readChat(chat.chat_id)).chat.history
    expect(messages[questionId]).toMatchObject({
      role: 'user',
      content: 'And now?',
      parentId: chat.id,
      childrenIds: [id],
    })
    expect(messages[id]).toMatchObject({ parentId: questionId, done: true })
  })

  test('an empty message list means the stored thread', async () => {
    const chat = await conversation.createChat('/echo stored')
    await conversation.complete({ model: 'text', messages: [], chat_id: chat.chat_id, id: chat.id })
    expect(conversation.upstream.requests.at(-1)!.json).toMatchObject({
      messages: [{ role: 'user', content: '/echo stored' }],
    })
    expect(conversation.upstream.requests.at(-1)!.json).not.toHaveProperty('chat_id')
  })

  test('tool calls of the model are handed to the caller and stored with the message', async () => {
    const { chat, response } = await answer('/tools', {
      tools: [{ type: 'function', function: { name: 'get_weather' } }],
    })
    const call = { function: { name: 'get_weather', arguments: '{"city":"Örebro","days":2}' } }
    expect(await response.json()).toMatchObject({
      choices: [{ message: { content: null, tool_calls: [call] }, finish_reason: 'tool_calls' }],
    })
    expect(await conversation.readMessage(chat)).toMatchObject({ tool_calls: [call], done: true })
  })

  test('the same message cannot be written twice at once', async () => {
    const { chat, taskId } = await startSlowAnswer(conversation)
    const again = await conversation.complete(
      toRequest('Hello', { chat_id: chat.chat_id, id: chat.id }),
    )
    expect(again.status).toBe(409)
    await again.text()
    await stopTask(conversation, taskId)
    await conversation.finished(chat)
  })

  test('an id of a question is refused and the question stays', async () => {
    const chat = await conversation.createChat('Hello')
    const response = await conversation.complete(
      toRequest('Hello', { chat_id: chat.chat_id, id: chat.questionId }),
    )
    expect(response.status).toBe(400)
    expect(
      (await conversation.readMessage({ chat_id: chat.chat_id, id: chat.questionId })).content,
    ).toBe('Hello')
  })

  test('an unknown model leaves the chat as it was', async () => {
    const chat = await conversation.createChat('Hello')
    const before = await conversation.readChat(chat.chat_id)
    const response = await conversation.complete({
      ...toRequest('Hello', { chat_id: chat.chat_id, id: chat.id }),
      model: 'nothing',
    })
    expect(response.status).toBe(400)
    expect(await conversation.readChat(chat.chat_id)).toEqual(before)
  })
})

describe('A completion with parent_id null and no chat_id', () => {
  test('creates the chat with question and answer from user_message and returns chat_id', async () => {
    const [questionId, id] = [randomUUID(), randomUUID()]
    const response = await conversation.complete(
      toRequest('Hello', {
        parent_id: null,
        id,
        user_message: { id: questionId, content: 'Hello there', role: 'user' },
      }),
    )
    const { chat_id: chatId } = (await response.json()) as { chat_id: string }
    expect(response.headers.get('x-chat-id')).toBe(chatId)
    expect(response.headers.get('x-chat-repairs')).toBeNull()
    const { chat, title } = await conversation.readChat(chatId)
    expect(title).toBe('Hello there')
    expect(chat.history.currentId).toBe(id)
    expect(chat.messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'Hello there'],
      ['assistant', HELLO],
    ])
  })

  test('tells a streaming caller the chat in the first frame, and takes the question from the messages', async () => {
    const response = await conversation.complete(
      toRequest('Streamed question', { parent_id: null, stream: true }),
    )
    const [first] = (await response.text()).split('\n\n')
    const { chat_id: chatId } = JSON.parse(first!.slice('data: '.length)) as { chat_id: string }
    expect(chatId).toBe(response.headers.get('x-chat-id'))
    expect((await conversation.readChat(chatId)).chat.messages[0]).toMatchObject({
      role: 'user',
      content: 'Streamed question',
    })
  })
})

describe("Another's chat", () => {
  test("row 45: a foreign chat_id answers 404 to users and administrators alike, and the victim's chat stays byte for byte", async () => {
    const mine = await conversation.createChat('Mine')
    const theirs = await conversation.createChat('Theirs', { token: stranger })
    const before = [
      await conversation.readChat(mine.chat_id),
      await conversation.readChat(theirs.chat_id, stranger),
    ]
    for (const [chat, token] of [
      [mine, stranger],
      [theirs, conversation.token],
    ] as const) {
      for (const more of [
        {},
        { id: chat.id },
        { id: chat.id, stream: true, parent_id: null },
        { id: randomUUID(), user_message: { content: 'x' } },
      ]) {
        const response = await conversation.complete(
          toRequest('x', { chat_id: chat.chat_id, ...more }),
          {
            token,
          },
        )
        expect(response.status).toBe(404)
        expect(await response.json()).toMatchObject({ detail: 'There is no chat with this id.' })
      }
    }
    expect([
      await conversation.readChat(mine.chat_id),
      await conversation.readChat(theirs.chat_id, stranger),
    ]).toEqual(before)
  })

  test('rows 46 and 48: prefixes and odd spellings of an id give no access', async () => {
    const { chat_id: chatId, id } = await conversation.createChat('Mine')
    const spellings = [
      `local:${chatId}`,
      `channel:${chatId}`,
      `temporary:${chatId}`,
      ` ${chatId}`,
      `${chatId} `,
      `${chatId}\0`,
      chatId.toUpperCase(),
      `%20${chatId}`,
      `${chatId}/../x`,
      '__proto__',
    ]
    for (const chat_id of spellings) {
      for (const token of [conversation.token, stranger]) {
        const response = await conversation.complete(
          toRequest('x', { chat_id, id, message_ids: { text: id } }),
          { token },
        )
        expect(response.status).toBe(404)
      }
    }
    expect(await conversation.readMessage({ chat_id: chatId, id })).toMatchObject({ content: '' })
  })

  test('row 47: a stranger cannot stop a run, the run goes on; its owner and an administrator can', async () => {
    const { chat, taskId } = await startSlowAnswer(conversation)
    expect((await stopTask(conversation, taskId, stranger)).status).toBe(404)
    expect((await stopTask(conversation, taskId)).status).toBe(200)
    expect(await conversation.finished(chat)).toMatchObject({ error: { code: 'stopped' } })

    const theirs = await conversation.createChat('/slow 400', { token: stranger })
    const socket = await conversation.openSocket(stranger)
    const body = toRequest('/slow 400', {
      chat_id: theirs.chat_id,
      id: theirs.id,
      session_id: socket.sessionId,
    })
    const { task_id: theirTask } = (await (
      await conversation.complete(body, { token: stranger })
    ).json()) as { task_id: string }
    expect((await stopTask(conversation, theirTask)).status).toBe(200)
    await conversation.finished(theirs, stranger)
  })
})
