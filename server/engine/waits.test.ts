import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  startConversation,
  type Conversation,
  type OpenChat,
  type TestSocket,
} from '../testing/start-conversation.ts'
import { writeTinyModel } from '../testing/write-tiny-model.ts'

let conversation: Conversation
let socket: TestSocket
beforeAll(async () => {
  conversation = await startConversation({ environment: { ENABLE_BUILT_IN_RUNTIME: 'true' } })
  const { server, token } = conversation
  const folder = path.join(server.dataDir, 'models')
  mkdirSync(folder, { recursive: true })
  writeTinyModel(path.join(folder, 'tiny.gguf'), {})
  server.context.engine.library.announce()
  await server.call('GET', '/api/models?refresh=true', { token })
  socket = await conversation.openSocket()
}, 60_000)
afterAll(() => conversation.close())

const question = { model: 'tiny', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 4 }

async function ask(): Promise<OpenChat> {
  const chat = await conversation.createChat('Hello')
  const { chat_id, id } = chat
  const reply = await conversation.complete({
    ...question,
    chat_id,
    id,
    session_id: socket.sessionId,
  })
  expect(reply.status).toBe(200)
  return chat
}

const framesOf = ({ id }: OpenChat) =>
  socket.frames.filter(({ message_id: messageId }) => messageId === id)
const statusesOf = (chat: OpenChat) =>
  framesOf(chat).flatMap(({ data }) => (data?.type === 'status' ? [data.data] : []))

/** Occupies both conversations that the model holds at once; returns functions that end them. */
async function occupy(): Promise<(() => void)[]> {
  const { server, token } = conversation
  return Promise.all(
    [1, 2].map(async () => {
      const leaving = new AbortController()
      const reply = await fetch(`${server.url}/llmhost/api/chat`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
        body: JSON.stringify({ ...question, options: { num_predict: 1_000_000 } }),
        signal: leaving.signal,
      })
      await reply.body!.getReader().read()
      return () => leaving.abort()
    }),
  )
}

it('says in a stored chat that the model is being loaded, until the first text', async () => {
  const chat = await ask()
  const message = await conversation.finished(chat)
  const statuses = statusesOf(chat)
  expect(statuses[0]).toMatchObject({ action: 'model_loading', done: false })
  expect(statuses.at(-1)).toMatchObject({ action: 'model_loading', done: true, hidden: true })
  expect(statuses.length).toBeLessThan(13)
  const types = framesOf(chat).map(({ data }) => data?.type)
  expect(types.indexOf('status')).toBeLessThan(types.indexOf('chat:message:delta'))
  expect(message.statusHistory).toHaveLength(statuses.length)
  const again = await ask()
  await conversation.finished(again)
  expect(statusesOf(again)).toEqual([])
}, 60_000)

it('says that a question waits for others, and ends that when it is answered', async () => {
  const [leave, stop] = await occupy()
  const chat = await ask()
  await expect.poll(() => statusesOf(chat)).toHaveLength(1)
  expect(statusesOf(chat)[0]).toMatchObject({
    action: 'model_queued',
    description: 'Queued behind another question…',
    done: false,
  })
  leave!()
  await conversation.finished(chat)
  expect(statusesOf(chat)).toHaveLength(2)
  expect(statusesOf(chat)[1]).toMatchObject({ action: 'model_queued', done: true, hidden: true })
  stop!()
}, 60_000)

it('ends the line of a question that is stopped while it waits', async () => {
  const leave = await occupy()
  const chat = await ask()
  await expect.poll(() => statusesOf(chat)).toHaveLength(1)
  const { server, token } = conversation
  await server.call('POST', `/api/tasks/chat/${chat.chat_id}/stop`, { token })
  await conversation.finished(chat)
  expect(statusesOf(chat).at(-1)).toMatchObject({ done: true, hidden: true })
  for (const end of leave) end()
}, 60_000)

it('sends nothing of it to a caller without a chat', async () => {
  const leave = await occupy()
  setTimeout(() => leave.forEach((end) => end()), 300)
  const reply = await conversation.complete({ ...question, stream: true })
  const lines = (await reply.text()).split('\n').filter((line) => line.startsWith('data: {'))
  expect(lines.length).toBeGreaterThan(1)
  for (const line of lines) expect(JSON.parse(line.slice(6))).toHaveProperty('choices')
}, 60_000)
