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
beforeEach(() => reading.reset())

describe('What is not there for the caller', () => {
  test.each([
    ['a foreign file', { type: 'file', id: 'report-1' }],
    ['an unknown file', { type: 'file', id: 'nothing' }],
    ['a foreign collection', { type: 'collection', id: 'bridges' }],
    ['a foreign note', { type: 'note', id: 'note-one' }],
    [
      'a foreign collection of the index',
      { type: 'url', url: 'https://example.org', collection_name: 'web-page' },
    ],
    ['a foreign file under a name of the index', { collection_name: 'file-report-1' }],
    ['a thing of an unknown kind', { type: 'spell', id: 'x' }],
  ])('%s is the same 404, and nothing reaches a model', async (_, entry) => {
    const response = await conversation.complete(ask([entry]), { token: reading.stranger })
    expect(response.status).toBe(404)
    expect(((await response.json()) as { detail: string }).detail).toMatch(
      /^The attached [\w ]+ does not exist\. Remove it and ask again\.$/,
    )
    expect(conversation.upstream.requests).toEqual([])
    expect(reading.searches).toEqual([])
  })

  test('a foreign chat too, and no placeholder is left behind', async () => {
    const foreign = await conversation.createChat('Secret?')
    const chat = await conversation.createChat(QUESTION, { token: reading.stranger })
    const body = ask([{ type: 'chat', id: foreign.chat_id }], {
      chat_id: chat.chat_id,
      id: crypto.randomUUID(),
    })
    expect((await conversation.complete(body, { token: reading.stranger })).status).toBe(404)
    expect(
      Object.keys(
        (await conversation.readChat(chat.chat_id, reading.stranger)).chat.history.messages,
      ),
    ).toHaveLength(2)
  })

  test('attached to a message by somebody at another time, it is left out with a notice', async () => {
    const chat = await conversation.createChat(QUESTION, { token: reading.stranger })
    const messages = [
      {
        role: 'user',
        content: QUESTION,
        files: [
          { type: 'file', id: 'report-1' },
          { type: 'file', id: 'nothing' },
        ],
      },
    ]
    const response = await conversation.complete(
      { model: 'text', messages, chat_id: chat.chat_id, id: chat.id },
      { token: reading.stranger },
    )
    expect(await sourcesOf(response)).toEqual([])
    const message = await conversation.readMessage(chat, reading.stranger)
    expect(message.statusHistory).toMatchObject([
      { action: 'sources_left_out', count: 2, done: true },
    ])
    expect(reading.searches).toEqual([])
  })
})

describe('Pictures', () => {
  const picture = { meta: { content_type: 'image/png' } }
  const withPicture = {
    role: 'user',
    content: [
      { type: 'text', text: 'What is it?' },
      { type: 'image_url', image_url: { url: '/api/v1/files/picture-1/content' } },
    ],
  }

  test('named by their file reach a model that sees as bytes', async () => {
    reading.addFile('picture-1', '', picture)
    await (await conversation.complete({ model: 'text', messages: [withPicture] })).json()
    expect(reading.lastMessages()[0]!.content).toEqual([
      { type: 'text', text: 'What is it?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ])
  })

  test('among the attachments do too, and are not searched', async () => {
    reading.addFile('picture-1', '', picture)
    await (await conversation.complete(ask([{ type: 'file', id: 'picture-1' }]))).json()
    expect(reading.lastMessages()[0]!.content).toEqual([
      { type: 'text', text: QUESTION },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ])
    expect(reading.searches).toEqual([])
  })

  test('of somebody else are not shown', async () => {
    reading.addFile('picture-1', '', picture)
    await (
      await conversation.complete(
        { model: 'text', messages: [withPicture] },
        { token: reading.stranger },
      )
    ).json()
    expect(JSON.stringify(reading.lastMessages())).not.toContain('data:image')
  })

  test('other addresses of pictures go up as they came, byte for byte', async () => {
    const content = [
      { type: 'image_url', image_url: { url: 'data:image/png;base64,BBBB' } },
      { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
    ]
    const body = JSON.stringify({ model: 'text', messages: [{ role: 'user', content }] })
    await (await conversation.complete(body)).json()
    expect(conversation.upstream.requests.at(-1)!.text).toBe(body)
  })
})
