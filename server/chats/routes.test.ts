import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  branchPageSchema,
  chatListItemSchema,
  chatSchema,
  chatSearchHitSchema,
} from '#contract/chats.ts'
import { EXTERNAL_EVENT_TYPES } from '#contract/events.ts'
import { createTestChats, type TestChats } from '../testing/create-test-chats.ts'
import { isOnPostgres } from '../testing/create-test-storage.ts'
import { serveTestRoutes, type TestCall, type TestRoutes } from '../testing/serve-test-routes.ts'

const ROOT = '/api/v1/chats'
let test: TestChats
let served: TestRoutes
let owner: string
let other: string

beforeEach(async () => {
  test = await createTestChats()
  served = await serveTestRoutes(test.chats.routes)
  owner = await test.addUser('owner')
  other = await test.addUser('other')
})
afterEach(() => served.close())

const call = (path: string, options?: TestCall) => served.call(owner, ROOT + path, options)
const chatBody = () => ({
  title: 'Routes',
  models: ['m'],
  messages: [],
  history: {
    currentId: 'a1',
    messages: {
      q1: {
        id: 'q1',
        role: 'user',
        content: 'Hi',
        childrenIds: ['a1'],
        models: ['m'],
        timestamp: 1,
      },
      a1: {
        id: 'a1',
        role: 'assistant',
        content: '',
        parentId: 'q1',
        childrenIds: [],
        model: 'm',
        modelName: 'M',
        modelIdx: 0,
        timestamp: 2,
      },
    },
  },
})
const create = async (chat: object = chatBody()): Promise<string> =>
  (await call('/new', { body: { chat } })).body.id as string

describe('the life of a chat', () => {
  it('is created, read, updated, listed, found, pinned, deleted and restored', async () => {
    const created = await call('/new', { body: { chat: chatBody(), folder_id: null } })
    expect(created.status).toBe(200)
    const { id } = chatSchema.parse(created.body)
    expect((await call(`/${id}`)).body).toEqual(created.body)

    const updated = await call(`/${id}`, {
      body: { chat: { title: 'New name', history: { messages: { a1: { content: 'Hello' } } } } },
    })
    expect(chatSchema.parse(updated.body)).toMatchObject({
      title: 'New name',
      chat: { history: { messages: { a1: { content: 'Hello', model: 'm' } } } },
    })

    for (const path of ['/', '', '/list', '/?page=1'])
      expect((await call(path)).body).toMatchObject([{ id, active: false }])
    expect(chatListItemSchema.array().parse((await call('/')).body)).toHaveLength(1)
    expect(
      chatSearchHitSchema.array().parse((await call('/search?text=hello')).body),
    ).toMatchObject([{ id, message_id: 'a1' }])

    expect((await call(`/${id}/pin`, { method: 'POST' })).body).toMatchObject({ id, pinned: true })
    expect((await call('/pinned')).body).toMatchObject([{ id }])
    expect((await call('/')).body).toEqual([])
    expect((await call('/?include_pinned=true')).body).toMatchObject([{ id }])

    expect((await call(`/${id}`, { method: 'DELETE' })).body).toBe(true)
    expect((await call(`/${id}`)).status).toBe(404)
    expect((await call(`/${id}/restore`, { method: 'POST' })).body).toMatchObject({ id })
    expect((await call(`/${id}`)).status).toBe(200)
  })

  it('an update answers the whole chat, or with reply=minimal only what changed for certain', async () => {
    const id = await create()
    const chat = { history: { current_id: 'q1' } }
    const full = await call(`/${id}`, { body: { chat } })
    expect(full.body.repairs).toEqual(['"current_id" was read as "currentId".'])
    const minimal = await call(`/${id}?reply=minimal`, { body: { chat } })
    expect(Object.keys(minimal.body)).toEqual(['id', 'updated_at', 'repairs'])
  })

  it('branch answers pages of the thread', async () => {
    const id = await create()
    const page = branchPageSchema.parse((await call(`/${id}/branch?limit=1`)).body)
    expect(page).toMatchObject({
      chat_id: id,
      before: 'a1',
      messages: [{ id: 'a1', siblingIds: ['a1'] }],
    })
    expect((await call(`/${id}/branch?before=a1`)).body).toMatchObject({
      before: null,
      messages: [{ id: 'q1' }],
    })
    expect((await call(`/${id}/branch?through=nobody`)).status).toBe(404)
    expect((await call(`/${id}/branch?limit=0`)).status).toBe(422)
  })

  it('one message is changed and removed by its own route', async () => {
    const id = await create()
    const changed = await call(`/${id}/messages/q1?reply=minimal`, {
      body: { content: 'Hi again' },
    })
    expect(changed.body).toMatchObject({ id })
    expect((await call(`/${id}`)).body.chat.history.messages.q1).toMatchObject({
      content: 'Hi again',
      models: ['m'],
    })
    const removed = await call(`/${id}/messages/a1`, { method: 'DELETE' })
    expect(removed.body.chat.history).toMatchObject({
      currentId: 'q1',
      messages: { q1: { childrenIds: [] } },
    })
    expect((await call(`/${id}/messages/a1`, { method: 'DELETE' })).status).toBe(404)
  })

  it('an answer being written is not edited by hand', async () => {
    const id = await create()
    await test.chats.openAnswer({ chatId: id, messageId: 'a1', model: 'm', modelName: 'M' })
    expect((await call(`/${id}/messages/a1`, { body: { content: 'x' } })).status).toBe(409)
  })

  it('row 101: a message named __proto__ is stored and answered like any other, however it is spelled', async () => {
    const text =
      '{"chat":{"title":"p","history":{"messages":{"__proto__":{"role":"user","content":"first"}}}}}'
    const created = await served.call(owner, `${ROOT}/new`, { text })
    expect(Object.entries(created.body.chat.history.messages)).toMatchObject([
      ['__proto__', { content: 'first' }],
    ])
    const escaped = String.raw`{"chat":{"history":{"messages":{"\u005f\u005fproto__":{"content":"second"}}}}}`
    const updated = await served.call(owner, `${ROOT}/${created.body.id}`, { text: escaped })
    expect(Object.entries(updated.body.chat.history.messages)).toMatchObject([
      ['__proto__', { content: 'second' }],
    ])
  })

  it('R27: concurrent partial updates lose no message', async () => {
    const id = await create()
    const writers = Array.from({ length: 50 }, (_, writer) => writer)
    await Promise.all(
      writers.map(async (writer) => {
        for (let round = 0; round < 10; round += 1) {
          const name = `w${writer}-${round}`
          const message = { role: 'user', content: name, parentId: 'a1', childrenIds: [] }
          const reply = await call(`/${id}?reply=minimal`, {
            body: { chat: { history: { messages: { [name]: message } } } },
          })
          expect(reply.status).toBe(200)
        }
      }),
    )
    const { messages } = (await call(`/${id}`)).body.chat.history
    expect(Object.keys(messages)).toHaveLength(502)
    expect(messages.a1.childrenIds).toHaveLength(500)
  })
})

describe("another user's chat", () => {
  const calls: [string, TestCall?][] = [
    [''],
    ['', { body: { chat: { title: 'stolen' } } }],
    ['', { method: 'DELETE' }],
    ['/restore', { method: 'POST' }],
    ['/pin', { method: 'POST' }],
    ['/branch'],
    ['/messages/q1', { body: { content: 'x' } }],
    ['/messages/q1', { method: 'DELETE' }],
    ['/messages/q1/event', { body: { type: 'replace', data: { content: 'x' } } }],
  ]

  it('rows 47 and 55: is the same 404 as one that does not exist, and stays untouched', async () => {
    const id = await create()
    const before = (await call(`/${id}`)).body
    for (const [path, options] of calls) {
      const foreign = await served.call(other, `${ROOT}/${id}${path}`, options)
      const missing = await served.call(
        other,
        `${ROOT}/11111111-1111-4111-8111-111111111111${path}`,
        options,
      )
      expect(foreign.status).toBe(404)
      expect(foreign.body).toEqual(missing.body)
    }
    expect((await call(`/${id}`)).body).toEqual(before)
    expect((await served.call(other, `${ROOT}/`)).body).toEqual([])
  })

  it('row 48: other spellings of an id are other ids', async () => {
    const id = await create()
    for (const spelling of [
      id.toUpperCase(),
      `${id}%20`,
      `%20${id}`,
      `${id}%00`,
      `local:${id}`,
      id.replaceAll('-', '_'),
      `${id}'--`,
    ]) {
      expect((await call(`/${spelling}`)).status).toBe(404)
    }
  })

  it('needs a caller at all', async () => {
    const id = await create()
    for (const [path, options] of calls)
      expect((await served.call(null, `${ROOT}/${id}${path}`, options)).status).toBe(401)
  })
})

describe('message events', () => {
  const send = (id: string, body: unknown, caller = owner) =>
    served.call(caller, `${ROOT}/${id}/messages/a1/event`, { body })

  it('are stored and sent to the windows of the owner, from the owner or an admin', async () => {
    const id = await create()
    test.emitted.length = 0
    expect(
      (await send(id, { type: 'status', data: { description: 'working', done: false } })).body,
    ).toBe(true)
    expect(
      (await send(id, { type: 'message', data: { content: 'by admin' } }, `admin:${other}`)).body,
    ).toBe(true)
    expect((await call(`/${id}`)).body.chat.history.messages.a1).toMatchObject({
      content: 'by admin',
      statusHistory: [{ description: 'working' }],
    })
    expect(test.emitted).toEqual([
      {
        userId: owner,
        chat_id: id,
        message_id: 'a1',
        data: { type: 'status', data: { description: 'working', done: false }, index: 0 },
      },
      {
        userId: owner,
        chat_id: id,
        message_id: 'a1',
        data: { type: 'message', data: { content: 'by admin' } },
      },
    ])
  })

  it('take exactly the types of the specification', async () => {
    const id = await create()
    const edit = { id: 'e', block: 0, source: 'x', timestamp: 1 }
    const data = { content: 'x', files: [], embeds: [], ...edit }
    for (const type of EXTERNAL_EVENT_TYPES)
      expect((await send(id, { type, data })).status).toBe(200)
    for (const type of [
      'execute',
      'input',
      'confirmation',
      'chat:completion',
      'chat:title',
      'Status',
      'own',
      'constructor',
      '__proto__',
    ]) {
      const reply = await send(id, { type, data })
      expect(reply.status).toBe(400)
      expect(reply.body.detail).toContain('cannot be sent from outside')
    }
  })

  it('with malformed data are refused with the reason', async () => {
    const id = await create()
    for (const body of [
      { type: 'message', data: { content: 5 } },
      { type: 'replace', data: {} },
      { type: 'files', data: {} },
      { type: 'embeds', data: { embeds: [1] } },
      { type: 'chat:message:artifact', data: { id: 'e', block: -1, source: 'x', timestamp: 1 } },
      { type: 'chat:message:artifact', data: { id: 'e', block: 0, timestamp: 1 } },
    ]) {
      expect((await send(id, body)).status).toBe(400)
    }
    expect((await send(id, { type: 'status', data: [] })).status).toBe(422)
    expect((await send(id, { type: 'status' })).status).toBe(422)
  })

  it('row 55: a message of another chat is not reached through this one', async () => {
    const id = await create()
    const sibling = await create({
      title: 'other',
      history: { messages: { elsewhere: { role: 'user', content: 'x' } } },
    })
    const reply = await served.call(owner, `${ROOT}/${id}/messages/elsewhere/event`, {
      body: { type: 'replace', data: { content: 'y' } },
    })
    expect(reply.status).toBe(404)
    expect((await call(`/${sibling}`)).body.chat.history.messages.elsewhere.content).toBe('x')
  })
})

describe('bad input', () => {
  it('is answered with 4xx and a sentence, never with 500', async () => {
    const id = await create()
    const deep = `{"chat":{"files":${'['.repeat(150)}${']'.repeat(150)}}}`
    const texts = [
      '',
      '{',
      'null',
      '[]',
      '{"chat":null}',
      '{"chat":[]}',
      '{"chat":{"title":5}}',
      '{"chat":{"history":[]}}',
      '{"chat":{"history":{"messages":[]}}}',
      '{"chat":{"history":{"messages":{"x":null}}}}',
      '{"chat":{"history":{"messages":{"":{}}}}}',
      '{"chat":{"messages":{}}}',
      '{"chat":{"messages":["x"]}}',
      '{"chat":{"timestamp":1e400}}',
      '{"chat":{"other":1e400}}',
      '{"chat":{"timestamp":-1}}',
      `{"chat":{"title":"${'x'.repeat(1_000_000)}"}}`,
      `{"chat":{"history":{"messages":{"${'k'.repeat(1000)}":{}}}}}`,
      '{"chat":{"history":{"messages":{"__proto__":5}}}}',
      '{"chat":{"messages":[{"id":"__proto__","__proto__":[]},{"role":5}]}}',
      deep,
    ]
    for (const text of texts) {
      const reply = await served.call(owner, `${ROOT}/${id}`, { text })
      expect([reply.status, text.slice(0, 80)]).toEqual([
        expect.toSatisfy((status: number) => status === 400 || status === 422),
        text.slice(0, 80),
      ])
      expect(reply.body.detail.length).toBeGreaterThan(0)
    }
    expect(
      (await served.call(owner, `${ROOT}/new`, { text: '{}', type: 'text/plain' })).status,
    ).toBe(415)
    expect((await call('/?page=-1')).status).toBe(422)
    expect((await call('/?page=0')).body).toEqual((await call('/?page=1')).body)
    expect((await call('/?include_pinned=perhaps')).status).toBe(422)
    expect((await call(`/search?text=${'x'.repeat(501)}`)).status).toBe(422)
  })

  it('takes null for what was not said, as scripts send it', async () => {
    const nothing = {
      models: null,
      messages: null,
      files: null,
      tags: null,
      params: null,
      timestamp: null,
      currentId: null,
    }
    const made = await served.call(owner, `${ROOT}/new`, {
      body: { chat: { ...nothing, title: null, history: null } },
    })
    expect([made.status, made.body.title, made.body.chat.files]).toEqual([200, 'New Chat', []])
    const message = {
      role: 'user',
      content: 'Hello',
      parentId: null,
      childrenIds: null,
      timestamp: null,
      models: null,
    }
    const chat = { ...nothing, history: { currentId: 'm', messages: { m: message } } }
    const changed = await served.call(owner, `${ROOT}/${made.body.id}`, { body: { chat } })
    expect(changed.body.chat).toMatchObject({
      title: 'New Chat',
      history: { currentId: 'm', messages: { m: { childrenIds: [] } } },
    })
  })

  it('sorts lists as usual where the wish is empty', async () => {
    expect((await call('/archived?page=1&query=&order_by=&direction=')).status).toBe(200)
  })

  it('keeps long texts and odd characters as they are', async () => {
    const content = `${'long '.repeat(200_000)}\u0000 \u202e ${'\u{1f469}\u200d\u{1f680}'}`
    const id = await create({ history: { messages: { m: { role: 'user', content } } } })
    // PostgreSQL refuses the character 0 in texts.
    const kept = isOnPostgres ? content.replace('\0', '\u{fffd}') : content
    expect((await call(`/${id}`)).body.chat.history.messages.m.content).toBe(kept)
  })
})
