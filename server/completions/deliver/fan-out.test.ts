import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FanOutAnswer } from '#contract/completions.ts'
import { startConversation, type Conversation } from '../../testing/start-conversation.ts'

let conversation: Conversation
beforeAll(async () => {
  conversation = await startConversation()
})
afterAll(() => conversation.close())

/**
 * Sends a question to several models in a new chat, with known ids for the question and the
 * answers.
 */
async function askAll(
  question: string,
  models: readonly string[],
  more: Record<string, unknown> = {},
) {
  const ids = models.map(() => randomUUID())
  const questionId = randomUUID()
  const response = await conversation.complete({
    model: models[0]!,
    messages: [{ role: 'user', content: question }],
    parent_id: null,
    user_message: { id: questionId, role: 'user', content: question },
    message_ids: Object.fromEntries(models.map((model, index) => [model, ids[index]])),
    ...more,
  })
  return { ids, questionId, response }
}
async function firstFrame({ body }: Response): Promise<string> {
  const { value } = await body!.pipeThrough(new TextDecoderStream()).getReader().read()
  return value!.split('\n\n')[0]!
}
const readMessages = async (chatId: string) =>
  (await conversation.readChat(chatId)).chat.history.messages

describe('message_ids', () => {
  test('asks several models one question, whose answers stand beside each other with modelIdx', async () => {
    const { ids, questionId, response } = await askAll('/echo all', ['text', 'echo'])
    const answer = (await response.json()) as FanOutAnswer
    expect(answer.completions.map(({ message_id, model_id }) => [message_id, model_id])).toEqual([
      [ids[0], 'text'],
      [ids[1], 'echo'],
    ])
    expect(answer.completions[1]!.completion!.choices[0]!.message.content).toBe('/echo all')
    const messages = await readMessages(answer.chat_id)
    expect(Object.keys(messages)).toHaveLength(3)
    expect(messages[questionId]).toMatchObject({
      content: '/echo all',
      childrenIds: ids,
      models: ['text', 'echo'],
    })
    expect(messages[ids[0]!]).toMatchObject({
      parentId: questionId,
      model: 'text',
      modelIdx: 0,
      done: true,
      content: '/echo all',
    })
    expect(messages[ids[1]!]).toMatchObject({
      parentId: questionId,
      model: 'echo',
      modelIdx: 1,
      done: true,
    })
  })

  test('as a list names models more than once, in a chat that exists', async () => {
    const chat = await conversation.createChat('/echo twice')
    const second = randomUUID()
    const response = await conversation.complete({
      model: 'text',
      messages: [],
      chat_id: chat.chat_id,
      parent_id: chat.questionId,
      message_ids: [
        { model_id: 'text', message_id: chat.id, modelIdx: 0 },
        { model_id: 'text', message_id: second, modelIdx: 1 },
      ],
    })
    expect(response.status).toBe(200)
    const messages = await readMessages(chat.chat_id)
    expect(messages[chat.questionId]).toMatchObject({ childrenIds: [chat.id, second] })
    expect([messages[chat.id]!.content, messages[second]!.content]).toEqual([
      '/echo twice',
      '/echo twice',
    ])
  })

  test('with stream travels as one stream whose frames name message and model', async () => {
    const { ids, response } = await askAll('/echo streamed words', ['text', 'echo'], {
      stream: true,
    })
    const lines = (await response.text()).split('\n\n').filter((line) => line !== '')
    expect(lines.at(-1)).toBe('data: [DONE]')
    const frames = lines
      .slice(0, -1)
      .map((line) => JSON.parse(line.slice(6)) as Record<string, unknown>)
    for (const id of ids) {
      const own = frames.filter((frame) => frame['message_id'] === id) as {
        model_id: string
        choices: { delta: { content?: string } }[]
      }[]
      expect(own.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(
        '/echo streamed words',
      )
      expect(new Set(own.map(({ model_id }) => model_id)).size).toBe(1)
    }
  })

  test('with a live session answers at once with one task for each model', async () => {
    const socket = await conversation.openSocket()
    const { ids, response } = await askAll('/echo live', ['text', 'echo', 'markdown'], {
      session_id: socket.sessionId,
    })
    const started = (await response.json()) as {
      task_id: string
      task_ids: string[]
      chat_id: string
    }
    expect(started.task_ids).toHaveLength(3)
    expect(started.task_id).toBe(started.task_ids[0])
    for (const id of ids) await conversation.finished({ chat_id: started.chat_id, id })
    expect(ids.map((id) => socket.text(id))).toEqual(['/echo live', '/echo live', '/echo live'])
  })

  test('a model that fails leaves the others alone', async () => {
    const { response } = await askAll('Hello', ['no-such-model', 'nor-this-one', 'text'])
    const { chat_id, completions } = (await response.json()) as FanOutAnswer
    expect(completions.map(({ error }) => error?.['code'] ?? null)).toEqual([
      'model_not_found',
      'model_not_found',
      null,
    ])
    const messages = await readMessages(chat_id)
    expect(completions.map(({ message_id }) => messages[message_id]!.done)).toEqual([
      true,
      true,
      true,
    ])
    expect(messages[completions[1]!.message_id]).toMatchObject({
      error: { content: expect.stringContaining('Model not found') as string },
    })
  })

  test('an upstream that fails for one model is an error in its frames alone', async () => {
    const { ids, response } = await askAll('Hello', ['error', 'text'], { stream: true })
    const text = await response.text()
    expect(text).toContain(`"message_id":"${ids[0]}"`)
    const frames = text.split('\n\n').filter((line) => line.startsWith('data: {'))
    const failed = frames.filter((line) => line.includes('"error"'))
    expect(failed).toHaveLength(1)
    expect(failed[0]).toContain(ids[0]!)
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  test('one answer can be stopped while the others go on', async () => {
    const socket = await conversation.openSocket()
    const { ids, response } = await askAll('/slow 40', ['text', 'echo'], {
      session_id: socket.sessionId,
    })
    const { task_ids: tasks, chat_id } = (await response.json()) as {
      task_ids: string[]
      chat_id: string
    }
    await socket.event('chat:message:delta')
    await conversation.server.call('POST', `/api/tasks/stop/${tasks[0]}`, {
      token: conversation.token,
    })
    const [stopped, whole] = await Promise.all(
      ids.map((id) => conversation.finished({ chat_id, id })),
    )
    expect(stopped).toMatchObject({ error: { code: 'stopped' } })
    expect(whole).not.toHaveProperty('error')
    expect(whole!.content).toContain('word40')
  })

  test('one answer can be stopped by whoever only sees the chat, such as a window that was reloaded', async () => {
    const { ids, response } = await askAll('/slow 40', ['text', 'echo'], { stream: true })
    const { chat_id } = JSON.parse((await firstFrame(response)).slice('data: '.length)) as {
      chat_id: string
    }
    const path = `/api/tasks/chat/${chat_id}/stop?message_id=${ids[0]}`
    expect(
      await (await conversation.server.call('POST', path, { token: conversation.token })).json(),
    ).toMatchObject({ status: true })
    const [stopped, whole] = await Promise.all(
      ids.map((id) => conversation.finished({ chat_id, id })),
    )
    expect(stopped).toMatchObject({ error: { code: 'stopped' } })
    expect(whole).not.toHaveProperty('error')
    expect(whole!.content).toContain('word40')
  })

  test('unknown models alone are a 400, one message id for two models too, and no chat is made', async () => {
    const count = async () =>
      (
        (await (
          await conversation.server.call('GET', '/api/v1/chats/', { token: conversation.token })
        ).json()) as []
      ).length
    const before = await count()
    expect((await askAll('x', ['none', 'neither'])).response.status).toBe(400)
    expect(
      (await askAll('x', ['text', 'echo'], { message_ids: { text: 'same', echo: 'same' } }))
        .response.status,
    ).toBe(400)
    const many = Object.fromEntries(
      Array.from({ length: 21 }, (_, index) => [`model${index}`, `id${index}`]),
    )
    expect((await askAll('x', ['text'], { message_ids: many })).response.status).toBe(400)
    expect(await count()).toBe(before)
  })

  test('without a chat the one model named answers stateless', async () => {
    const { response } = await askAll('/echo once', ['text', 'echo'], { parent_id: undefined })
    expect(await response.json()).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { content: '/echo once' } }],
    })
  })
})
