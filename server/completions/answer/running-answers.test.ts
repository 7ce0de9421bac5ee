import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerInChat, startSlowAnswer, stopTask, toRequest } from '../../testing/answer-in-chat.ts'
import { startConversation, type Conversation } from '../../testing/start-conversation.ts'
import { startTestServer } from '../../testing/start-server.ts'

let conversation: Conversation
beforeAll(async () => {
  conversation = await startConversation()
})
afterAll(() => conversation.close())

describe('A running answer', () => {
  test('can be stopped: the upstream is cancelled, the partial text kept, the message done', async () => {
    const { chat, socket, taskId } = await startSlowAnswer(conversation)
    const aborts = conversation.upstream.aborts()
    expect(await (await stopTask(conversation, taskId)).json()).toMatchObject({ status: true })
    const message = await conversation.finished(chat)
    expect(message.content).toMatch(/^word1/)
    expect(message.error).toMatchObject({ content: 'Stopped.', code: 'stopped' })
    expect((await socket.event('chat:completion')).data.data).toMatchObject({
      done: true,
      error: { code: 'stopped' },
    })
    expect(socket.text(chat.id)).toBe(message.content)
    await expect.poll(() => conversation.upstream.aborts()).toBe(aborts + 1)
    expect((await stopTask(conversation, taskId)).status).toBe(404)
  })

  test('shows its text so far to a reader of the chat, and is listed as running', async () => {
    const { chat, socket, taskId } = await startSlowAnswer(conversation)
    await expect.poll(() => socket.text(chat.id).length).toBeGreaterThan(30)
    const seen = socket.text(chat.id)
    const message = await conversation.readMessage(chat)
    expect(message.content.startsWith(seen)).toBe(true)
    expect(message.done).not.toBe(true)
    const running = await conversation.server.call('GET', `/api/tasks/chat/${chat.chat_id}`, {
      token: conversation.token,
    })
    expect(await running.json()).toEqual({ task_ids: [taskId] })
    await stopTask(conversation, taskId)
    await conversation.finished(chat)
  })

  test('is written down as it grows', async () => {
    const { chat, socket, taskId } = await startSlowAnswer(conversation)
    const stored = async () =>
      (await conversation.server.context.storage
        .prepare<[string], string>('select content from message where id = ?')
        .pluck()
        .get(chat.id))!
    await expect.poll(() => socket.text(chat.id).length).toBeGreaterThan(60)
    const seen = socket.text(chat.id)
    await expect
      .poll(async () => (await stored()).length, { timeout: 2000 })
      .toBeGreaterThanOrEqual(seen.length)
    await stopTask(conversation, taskId)
    await conversation.finished(chat)
  })

  test('row R23: goes on when the caller leaves, 50 times, and the whole text is stored', async () => {
    const leave = async () => {
      const chat = await conversation.createChat('/slow 8')
      const controller = new AbortController()
      const response = await conversation.complete(
        toRequest('/slow 8', { chat_id: chat.chat_id, id: chat.id, stream: true }),
        {
          signal: controller.signal,
        },
      )
      await response.body!.getReader().read()
      controller.abort()
      return conversation.finished(chat)
    }
    for (const message of await Promise.all(Array.from({ length: 50 }, leave))) {
      expect(message.content).toBe('word1 word2 word3 word4 word5 word6 word7 word8')
      expect(message).not.toHaveProperty('error')
    }
  })

  test('ends with its chat when that is deleted', async () => {
    const { chat, taskId } = await startSlowAnswer(conversation)
    await conversation.server.call('DELETE', `/api/v1/chats/${chat.chat_id}`, {
      token: conversation.token,
    })
    await expect.poll(() => conversation.server.context.tasks.get(taskId)).toBeNull()
  })

  test('ends with its message when that is deleted', async () => {
    const { chat, taskId } = await startSlowAnswer(conversation)
    const path = `/api/v1/chats/${chat.chat_id}/messages/${chat.id}`
    expect(
      (await conversation.server.call('DELETE', path, { token: conversation.token })).status,
    ).toBe(200)
    await expect
      .poll(() => conversation.server.context.tasks.get(taskId), { timeout: 3000 })
      .toBeNull()
  })

  test('row R24: is not slowed by a caller who does not read', async () => {
    const chat = await conversation.createChat('/long 60000')
    const response = await conversation.complete(
      toRequest('/long 60000', { chat_id: chat.chat_id, id: chat.id, stream: true }),
    )
    const message = await conversation.finished(chat)
    expect(message.content.endsWith('word60000')).toBe(true)
    await response.body?.cancel()
  })
})

test('An answer that a client announced and never asked for ends with a stop of its chat', async () => {
  const { server, token } = conversation
  const chat = await conversation.createChat('Later')
  const body = { chat: { history: { messages: { [chat.id]: { done: false } } } } }
  await server.call('POST', `/api/v1/chats/${chat.chat_id}`, { token, body })
  const socket = await conversation.openSocket()
  const stop = (query = '', caller = token) =>
    server.call('POST', `/api/tasks/chat/${chat.chat_id}/stop${query}`, { token: caller })
  expect((await stop('', await conversation.addUser('Mallory'))).status).toBe(404)
  expect((await stop('?message_id=another')).status).toBe(200)
  expect(await conversation.readMessage(chat)).toMatchObject({ done: false })
  expect(await (await stop(`?message_id=${chat.id}`)).json()).toMatchObject({ status: false })
  expect(await conversation.readMessage(chat)).toMatchObject({
    content: '',
    done: true,
    error: { code: 'stopped' },
  })
  expect((await socket.event('chat:completion')).data.data).toMatchObject({
    done: true,
    error: { code: 'stopped' },
  })
  const answer = await conversation.complete({ ...toRequest('Hello'), ...chat, stream: false })
  expect(answer.status).toBe(200)
  expect(await conversation.readMessage(chat)).not.toHaveProperty('error')
})

test('row R34: stopping the gateway ends running answers with the reason and keeps their text', async () => {
  const own = await startConversation()
  const chat = await own.createChat('/slow 400')
  const socket = await own.openSocket()
  await own.complete(
    toRequest('/slow 400', { chat_id: chat.chat_id, id: chat.id, session_id: socket.sessionId }),
  )
  const stream = await own.createChat('/slow 400')
  const reader = await own.complete(
    toRequest('/slow 400', { chat_id: stream.chat_id, id: stream.id, stream: true }),
  )
  await socket.event('chat:message:delta')
  const { server, upstream } = own
  await server.close({ keep: true })
  expect((await reader.text()).endsWith('data: [DONE]\n\n')).toBe(true)
  await upstream.close()
  const again = await startTestServer({
    dataDir: server.dataDir,
    environment: { OPENAI_API_BASE_URLS: '' },
  })
  const response = await again.call('GET', `/api/v1/chats/${chat.chat_id}`, { token: own.token })
  const { chat: body } = (await response.json()) as {
    chat: { history: { messages: Record<string, unknown> } }
  }
  expect(body.history.messages[chat.id]).toMatchObject({
    done: true,
    content: expect.stringMatching(/^word1/) as string,
    error: { content: expect.stringContaining('stopped') as string },
  })
  await again.close()
}, 20_000)

describe('Upstream faults of a stored answer', () => {
  test('row R15: a cut stream keeps the partial text and the message says why', async () => {
    const { chat, response } = await answerInChat(conversation, '/cut', { stream: true })
    const text = await response.text()
    expect(text).toContain('"error":{')
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    const message = await conversation.readMessage(chat)
    expect(message).toMatchObject({ content: 'Partial text before', done: true })
    expect(message.error!.content.length).toBeGreaterThan(20)
  })

  test('an error inside the stream answers a JSON caller with its status and keeps the text', async () => {
    const { chat, response } = await answerInChat(conversation, '/failing')
    expect(response.status).toBe(502)
    expect(await conversation.readMessage(chat)).toMatchObject({
      content: 'Partial text before',
      done: true,
      error: { content: expect.any(String) as string },
    })
  })

  test('a fault before the first byte is the status of the stream, and the message is finished with the reason', async () => {
    const { chat, response } = await answerInChat(conversation, '/error 400', { stream: true })
    expect(response.status).toBe(400)
    const { detail } = (await response.json()) as { detail: string }
    expect(await conversation.readMessage(chat)).toMatchObject({
      content: '',
      done: true,
      error: { content: detail },
    })
  })

  test('a window hears of the fault over the socket', async () => {
    const socket = await conversation.openSocket()
    const { response } = await answerInChat(conversation, '/error 400', {
      session_id: socket.sessionId,
    })
    expect(response.status).toBe(200)
    expect((await socket.event('chat:completion')).data.data).toMatchObject({
      done: true,
      content: '',
      error: { content: expect.any(String) as string },
    })
  })

  test('asking again for the same message takes the error away', async () => {
    const { chat, response } = await answerInChat(conversation, '/cut')
    await response.text()
    expect(
      (await conversation.complete(toRequest('Hello', { chat_id: chat.chat_id, id: chat.id })))
        .status,
    ).toBe(200)
    const message = await conversation.readMessage(chat)
    expect(message).toMatchObject({
      content: expect.stringMatching(/^Hello from the scripted model/) as string,
      done: true,
    })
    expect(message).not.toHaveProperty('error')
  })

  test('row 21: an upstream that sends frames like our events writes text at most', async () => {
    const socket = await conversation.openSocket()
    const { chat, response } = await answerInChat(conversation, '/noisy', {
      session_id: socket.sessionId,
    })
    await response.text()
    const message = await conversation.finished(chat)
    expect(message.content).toBe('Before after.')
    const types = new Set(socket.frames.map(({ data }) => data?.type))
    expect(types.has('execute')).toBe(false)
  })
})
