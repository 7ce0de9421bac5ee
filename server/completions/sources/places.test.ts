import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ask, QUESTION, startReading, type Reading } from '../../testing/start-reading.ts'

let reading: Reading
let conversation: Reading['conversation']
beforeAll(async () => {
  reading = await startReading()
  conversation = reading.conversation
})
afterAll(() => conversation.close())
beforeEach(() => reading.reset())

const FILE = { type: 'file', id: 'report-1' }

async function create(path: string, body: unknown): Promise<{ id: string }> {
  const response = await conversation.server.call('POST', path, { token: conversation.token, body })
  if (response.status !== 200)
    throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as { id: string }
}

test('Sources of a folder are searched for every chat in it, and for no other', async () => {
  const knowledge = await create('/api/v1/knowledge/create', {
    name: 'Bridges',
    description: 'All about them',
  })
  const folder = await create('/api/v1/folders/', {
    name: 'Work',
    data: { files: [{ type: 'collection', id: knowledge.id, name: 'Bridges' }] },
  })
  const outside = await conversation.createChat(QUESTION)
  await (
    await conversation.complete(ask(undefined, { chat_id: outside.chat_id, id: outside.id }))
  ).json()
  expect(reading.searches).toEqual([])
  await create(`/api/v1/chats/${outside.chat_id}/folder`, { folder_id: folder.id })
  await (
    await conversation.complete(ask(undefined, { chat_id: outside.chat_id, id: outside.id }))
  ).json()
  expect(reading.searches).toMatchObject([{ collections: [knowledge.id] }])
})

test('Each of several answers brings its own sources, marked with its message', async () => {
  const chat = await conversation.createChat(QUESTION)
  const [one, two] = [randomUUID(), randomUUID()]
  const message_ids = [
    { model_id: 'text', message_id: one },
    { model_id: 'markdown', message_id: two },
  ]
  const body = ask([FILE], {
    chat_id: chat.chat_id,
    parent_id: chat.questionId,
    message_ids,
    stream: true,
  })
  const text = await (await conversation.complete(body)).text()
  const frames = text.split('\n\n').filter((line) => line.startsWith('data: {'))
  const withSources = frames
    .map((line) => JSON.parse(line.slice(6)) as Record<string, unknown>)
    .filter((frame) => 'sources' in frame)
  expect(new Set(withSources.map(({ message_id: id }) => id))).toEqual(new Set([one, two]))
  expect(withSources).toHaveLength(2)
  for (const id of [one, two])
    expect((await conversation.readMessage({ ...chat, id })).sources).toHaveLength(1)
})

test('A temporary chat has sources over its session alone', async () => {
  const socket = await conversation.openSocket()
  const other = await conversation.openSocket()
  const body = ask([FILE], {
    chat_id: 'local:window',
    id: randomUUID(),
    session_id: socket.sessionId,
  })
  await (await conversation.complete(body)).json()
  await socket.event('chat:completion')
  expect((await socket.event('source')).data.data).toMatchObject({ source: { id: 'report-1' } })
  expect(other.frames.filter(({ type }) => type === 'events')).toEqual([])
})
