import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { messageSchema, type Chat } from '#contract/chats.ts'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'
import type { Fields } from '../lib/is-record.ts'

let conversation: Conversation
beforeAll(async () => {
  conversation = await startConversation()
})
afterAll(() => conversation.close())

const call = async (method: string, path: string, body?: unknown) => {
  const { server, token } = conversation
  const reply = await server.call(method, path, { token, ...(body !== undefined && { body }) })
  return { status: reply.status, text: await reply.text() }
}
const withAnswer = (fields: Record<string, unknown>) => ({
  chat: {
    title: 'Odd',
    history: {
      currentId: 'a',
      messages: {
        q: { id: 'q', role: 'user', content: 'Hi', parentId: null, childrenIds: ['a'] },
        a: { id: 'a', role: 'assistant', content: 'Yes', parentId: 'q', ...fields },
      },
    },
  },
})

/** Fields of an answer as sent, and what of them is stored. */
const REPAIRED: readonly (readonly [
  sent: Record<string, unknown>,
  stored: Record<string, unknown>,
])[] = [
  [{ content: 5 }, { content: '5' }],
  [{ content: {} }, { content: [{}] }],
  [{ content: [1, 'a', null, { text: 3 }] }, { content: [{ type: 'text', text: 'a' }] }],
  [{ content: [null] }, { content: '' }],
  [{ files: 3 }, { files: undefined }],
  [{ files: [3, { id: 'f' }, null] }, { files: [{ id: 'f' }] }],
  [{ sources: 'x' }, { sources: undefined }],
  [{ statusHistory: [3] }, { statusHistory: [] }],
  [{ embeds: { a: 1 } }, { embeds: undefined }],
  [{ models: 3 }, { models: undefined }],
  [{ followUps: 'x' }, { followUps: undefined }],
  [{ output: [3, { type: 'message' }] }, { output: [{ type: 'message' }] }],
  [{ code_executions: 1 }, { code_executions: undefined }],
  [{ modelName: {} }, { modelName: undefined }],
  [{ modelIdx: 'a' }, { modelIdx: undefined }],
  [{ error: 'Failed.' }, { error: { content: 'Failed.' } }],
  [{ error: true }, { error: { content: '' } }],
  [{ error: { content: { a: 1 } } }, { error: { content: '{"a":1}' } }],
  [{ usage: 'x' }, { usage: undefined }],
  [{ annotation: 3 }, { annotation: undefined }],
  [{ favorite: 'x' }, { favorite: undefined }],
  [{ done: 'yes' }, { done: undefined }],
  [{ model: 5 }, { model: undefined }],
  [{ reasoning_content: {} }, { reasoning_content: undefined }],
]

describe('Fields of messages with values of another type', () => {
  test.each(REPAIRED)('%j is stored as %j, and the reply says so', async (sent, stored) => {
    const made = await call('POST', '/api/v1/chats/new', withAnswer(sent))
    expect(made.status).toBe(200)
    const { id } = JSON.parse(made.text) as Chat
    const updated = await call('POST', `/api/v1/chats/${id}`, withAnswer(sent))
    const [name] = Object.keys(sent)
    expect((JSON.parse(updated.text) as Chat).repairs).toEqual([
      expect.stringContaining(`The field "${name}" of the message "a"`),
    ])
    const message = await conversation.readMessage({ chat_id: id, id: 'a' })
    const fields = Object.keys(stored).map((key) => [key, (message as Fields)[key]])
    expect(Object.fromEntries(fields)).toEqual(stored)
    const { content: _content, ...rest } = message
    expect(messageSchema.omit({ content: true }).safeParse(rest).error).toBeUndefined()
    const event = (type: string, data: unknown) =>
      [`/api/v1/chats/${id}/messages/a/event`, { type, data }] as const
    const question = { id: 'q2', role: 'user', content: 'More', parentId: 'a' }
    const place = { model: 'text', chat_id: id, messages: [], stream: false }
    for (const [path, body] of [
      [`/api/v1/chats/${id}`],
      [`/api/v1/chats/${id}/branch`],
      ['/api/v1/chats/search?text=yes'],
      ['/api/v1/chats/all'],
      [`/api/v1/chats/${id}/share`, {}],
      [`/api/v1/chats/${id}/clone`, {}],
      event('status', { description: 'x' }),
      event('files', { files: [{ type: 'image', url: '/x' }] }),
      event('embeds', { embeds: ['<p>'] }),
      event('source', { source: { name: 'x' }, document: ['d'], metadata: [{ source: 'x' }] }),
      event('message', { content: 'z' }),
      ['/api/chat/completions', { ...place, id: 'b', parent_id: 'a', user_message: question }],
      ['/api/chat/completions', { ...place, id: 'a', parent_id: 'q' }],
    ] as [string, unknown?][]) {
      const reply = await call(body === undefined ? 'GET' : 'POST', path, body)
      expect([path, reply.status]).toEqual([path, 200])
    }
  })

  test.each([
    [{ role: {} }, 422],
    [{ timestamp: 'x' }, 422],
    [{ timestamp: -1 }, 400],
    [{ childrenIds: 'a' }, 422],
    [{ parentId: 5 }, 422],
  ])('%j decides the place of a message, and is refused with %i', async (fields, status) => {
    expect((await call('POST', '/api/v1/chats/new', withAnswer(fields))).status).toBe(status)
  })

  test('null and unknown fields are no fault', async () => {
    const fields = { files: null, error: null, mine: 3, usage: {}, done: null }
    const { id } = JSON.parse(
      (await call('POST', '/api/v1/chats/new', withAnswer(fields))).text,
    ) as Chat
    const updated = await call('POST', `/api/v1/chats/${id}`, withAnswer(fields))
    expect((JSON.parse(updated.text) as Chat).repairs ?? []).toEqual([])
    expect(await conversation.readMessage({ chat_id: id, id: 'a' })).toMatchObject({ mine: 3 })
  })
})
