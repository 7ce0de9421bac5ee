import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  ask,
  QUESTION,
  sourcesOf,
  startReading,
  type Reading,
} from '../../testing/start-reading.ts'

let reading: Reading
let conversation: Reading['conversation']
beforeAll(async () => {
  reading = await startReading()
  conversation = reading.conversation
})
afterAll(() => conversation.close())
beforeEach(async () => {
  reading.reset()
  await conversation.server.context.settings.update({
    RAG_FILE_MAX_COUNT: null,
    BYPASS_EMBEDDING_AND_RETRIEVAL: null,
    USER_PERMISSIONS: null,
    ENABLE_RETRIEVAL_QUERY_GENERATION: null,
  })
})

const detailOf = async (response: Response) =>
  ((await response.json()) as { detail: string }).detail
const REPORTS = ['report-1', 'report-2'].map((id) => ({ type: 'file', id }))

test('More files than allowed are refused before anything is read', async () => {
  await conversation.server.context.settings.update({ RAG_FILE_MAX_COUNT: 1 })
  const response = await conversation.complete(ask(REPORTS))
  expect(response.status).toBe(400)
  expect(await detailOf(response)).toBe(
    'One file can be attached at once, and these are 2. Remove some, or put them into a collection.',
  )
  expect(reading.searches).toEqual([])
  expect((await conversation.complete(ask(REPORTS.slice(0, 1)))).status).toBe(200)
})

test('A file nobody asked to be read is said at once instead of being waited for', async () => {
  reading.addFile('unread', '', { status: 'pending', isAsked: false })
  const begun = performance.now()
  const response = await conversation.complete(ask([{ type: 'file', id: 'unread' }]))
  expect(performance.now() - begun).toBeLessThan(5000)
  expect(response.status).toBe(409)
  expect(await detailOf(response)).toContain('was uploaded without being read')
})

test('With retrieval bypassed long texts are cut to the room there is, not searched', async () => {
  await conversation.server.context.settings.update({ BYPASS_EMBEDDING_AND_RETRIEVAL: true })
  reading.addFile('report-1', 'Bridges were built. '.repeat(20_000))
  const sources = await sourcesOf(
    await conversation.complete(ask([{ type: 'file', id: 'report-1' }])),
  )
  expect(reading.searches).toEqual([])
  expect(sources).toHaveLength(1)
  const [text] = sources[0]!.document
  expect(text!.length).toBeGreaterThan(10_000)
  expect(text!.length / 4).toBeLessThanOrEqual(32_768 * 0.6)
  expect(sources[0]!.metadata[0]).toMatchObject({ start: 0, end: text!.length })
})

describe('Pages of the web', () => {
  test('need the permission to have addresses fetched, here as anywhere', async () => {
    await conversation.server.context.settings.update({
      USER_PERMISSIONS: JSON.stringify({ chat: { web_upload: false } }),
    })
    const page = { type: 'url', url: 'https://example.org/page' }
    expect((await conversation.complete(ask([page]), { token: reading.stranger })).status).toBe(403)
    const inMessage = await conversation.complete(
      { model: 'text', messages: [{ role: 'user', content: QUESTION, files: [page] }] },
      { token: reading.stranger },
    )
    expect(await sourcesOf(inMessage)).toEqual([])
    const inMetadata = await conversation.complete(
      ask(undefined, { metadata: { files: [page] } }),
      { token: reading.stranger },
    )
    expect(await sourcesOf(inMetadata)).toEqual([])
    expect(await sourcesOf(await conversation.complete(ask([page])))).toHaveLength(1)
  })
})

test('Several models asked one question search once, for all and for a file nothing was found of', async () => {
  const response = await conversation.complete({
    ...ask(REPORTS),
    parent_id: null,
    user_message: { id: crypto.randomUUID(), role: 'user', content: QUESTION },
    message_ids: { text: crypto.randomUUID(), echo: crypto.randomUUID() },
  })
  const { completions } = (await response.json()) as {
    completions: { completion: { sources: unknown[] } }[]
  }
  expect(completions.map(({ completion }) => completion.sources.length)).toEqual([2, 2])
  expect(reading.searches).toHaveLength(2)
})

test('A folder stands for the files it brings along, for its owner alone', async () => {
  // The folder is created in the gateway itself, which does not know these files.
  const body = { name: 'Bridges', data: { files: [] } }
  const made = await conversation.server.call('POST', '/api/v1/folders/', {
    token: conversation.token,
    body,
  })
  const { id } = (await made.json()) as { id: string }
  const { sqlite } = conversation.server.context.storage
  sqlite
    .prepare('update folder set data = ? where id = ?')
    .run(JSON.stringify({ files: REPORTS.slice(0, 1) }), id)
  expect(await sourcesOf(await conversation.complete(ask([{ type: 'folder', id }])))).toMatchObject(
    [{ source: { id: 'report-1' } }],
  )
  expect(reading.searches).toMatchObject([{ collections: ['file-report-1'] }])
  expect(
    (await conversation.complete(ask([{ type: 'folder', id }]), { token: reading.stranger }))
      .status,
  ).toBe(404)
  expect((await conversation.complete(ask([{ type: 'folder', id: 'nothing' }]))).status).toBe(404)
})

test('A picture a model cannot see is replaced by words, and the person is told', async () => {
  reading.addFile('picture', '', { meta: { content_type: 'image/png' } })
  const body = {
    id: 'blind',
    name: 'Blind',
    base_model_id: 'text',
    params: {},
    meta: { capabilities: { vision: false } },
  }
  expect(
    (
      await conversation.server.call('POST', '/api/v1/models/create', {
        token: conversation.token,
        body,
      })
    ).status,
  ).toBe(200)
  const chat = await conversation.createChat(QUESTION)
  const files = [{ type: 'image', url: '/api/v1/files/picture/content' }]
  const messages = [{ role: 'user', content: QUESTION, files }]
  const asked = { model: 'blind', messages, chat_id: chat.chat_id, id: chat.id }
  expect((await conversation.complete(asked)).status).toBe(200)
  expect(JSON.stringify(reading.lastMessages())).toContain('This model cannot see pictures')
  expect(JSON.stringify(reading.lastMessages())).not.toContain('data:image')
  const { statusHistory } = await conversation.readMessage(chat)
  expect(statusHistory).toMatchObject([{ action: 'pictures_left_out', count: 1 }])
})

describe('Numbers of attached things', () => {
  test('are bounded wherever they come from, and repeats count once', async () => {
    const repeated = Array.from({ length: 5000 }, () => REPORTS[0])
    expect((await conversation.complete(ask(repeated))).status).toBe(200)
    const many = Array.from({ length: 1001 }, (_, index) => ({
      type: 'text',
      content: `Text ${index}`,
    }))
    expect((await conversation.complete(ask(many))).status).toBe(400)
    const messages = [{ role: 'user', content: QUESTION, files: many }]
    expect((await conversation.complete({ model: 'text', messages })).status).toBe(400)
    const folder = {
      name: 'Many',
      data: {
        files: Array.from({ length: 501 }, (_, index) => ({ type: 'file', id: `f${index}` })),
      },
    }
    const made = await conversation.server.call('POST', '/api/v1/folders/', {
      token: conversation.token,
      body: folder,
    })
    expect(made.status).toBe(400)
  })
})
