import { readdirSync } from 'node:fs'
import path from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import type { Chat } from '#contract/chats.ts'
import type { Import } from '#contract/imports.ts'
import { useImports } from '../../testing/use-imports.ts'
import { zip } from '../../testing/zip.ts'

const { server, other, call, upload, run, allChats } = useImports()

const said = (parent: string | null, children: string[], role: string, text: string) => ({
  parent,
  children,
  message: {
    author: { role },
    create_time: 1_700_000_000,
    content: { content_type: 'text', parts: [text] },
    metadata: {},
  },
})
const conversation = (id: string, mapping: object, current: string) => ({
  conversation_id: id,
  title: `Chat ${id}`,
  create_time: 1_700_000_000,
  update_time: 1_700_000_100,
  current_node: current,
  mapping,
})
const SHORT = {
  q: said(null, ['a', 'b'], 'user', 'Why is the sky blue?'),
  a: said('q', [], 'assistant', 'Scattering.'),
  b: said('q', [], 'assistant', 'Rayleigh.'),
}
const LONGER = {
  ...SHORT,
  b: said('q', ['q2'], 'assistant', 'Rayleigh.'),
  q2: said('b', [], 'user', 'And sunsets?'),
}

describe('the import assistant', () => {
  it('shows what an archive holds before anything is stored, and what cannot be read', async () => {
    const archive = zip({
      'user.json': { id: 'u' },
      'export/conversations-000.json': [conversation('c1', SHORT, 'b'), { mapping: {} }, 17],
      'export/conversations-001.json': [conversation('c2', LONGER, 'q2')],
      'picture.png': 'not a picture',
    })
    const { status, body } = await upload(archive)
    expect(status).toBe(200)
    expect(body).toMatchObject({ source: 'chatgpt', state: 'ready', problems: [], result: null })
    expect(body.chats).toEqual([
      {
        key: 'c1',
        title: 'Chat c1',
        created_at: 1_700_000_000,
        message_count: 3,
        branch_count: 2,
        state: 'new',
      },
      {
        key: 'c2',
        title: 'Chat c2',
        created_at: 1_700_000_000,
        message_count: 4,
        branch_count: 2,
        state: 'new',
      },
    ])
    expect(await allChats()).toEqual([])
    expect((await call('GET', `/chats/imports/${body.import_id}`, undefined, other())).status).toBe(
      404,
    )
  })

  it('keeps branches and times; a second run changes nothing', async () => {
    const archive = zip({ 'conversations.json': [conversation('c1', SHORT, 'a')] })
    const first = (await upload(archive)).body
    expect(await run(first.import_id)).toMatchObject({
      created: 1,
      updated: 0,
      unchanged: 0,
      failed: 0,
    })
    const before = await allChats()
    expect(before[0]).toMatchObject({
      title: 'Chat c1',
      created_at: 1_700_000_000,
      updated_at: 1_700_000_100,
    })
    expect(before[0]!.chat.history).toMatchObject({
      currentId: 'a',
      messages: { q: { childrenIds: ['a', 'b'] } },
    })
    expect((await call<Import>('GET', `/chats/imports/${first.import_id}`)).body).toMatchObject({
      state: 'done',
      progress: { done: 1, total: 1 },
      result: { created: 1 },
      chats: [{ state: 'known' }],
    })
    expect(await run(first.import_id)).toMatchObject({ created: 0, unchanged: 1 })
    const second = (await upload(archive)).body
    expect(second.chats[0]!.state).toBe('known')
    expect(await run(second.import_id)).toEqual({
      created: 0,
      updated: 0,
      unchanged: 1,
      failed: 0,
      created_ids: [],
      prompts: { created: 0, updated: 0, unchanged: 0, failed: 0 },
    })
    expect(await allChats()).toEqual(before)
    expect((await call<{ id: string }[]>('GET', '/chats/search?text=rayleigh')).body).toHaveLength(
      1,
    )
  })

  it('adds the new messages of a chat that went on elsewhere, and leaves alone what was done to it here', async () => {
    const first = (await upload(zip({ 'conversations.json': [conversation('c1', SHORT, 'b')] })))
      .body
    await run(first.import_id)
    const id = (await allChats())[0]!.id
    await call('POST', `/chats/${id}`, {
      chat: { title: 'My name for it', history: { messages: { a: { content: 'Edited.' } } } },
    })
    const second = (await upload(zip({ 'conversations.json': [conversation('c1', LONGER, 'q2')] })))
      .body
    expect(second.chats[0]!.state).toBe('changed')
    expect(await run(second.import_id, { keys: ['c1'] })).toMatchObject({ updated: 1 })
    const [chat] = await allChats()
    expect(chat).toMatchObject({ id, title: 'My name for it' })
    expect(chat!.chat.history).toMatchObject({
      currentId: 'q2',
      messages: { a: { content: 'Edited.' }, q2: { parentId: 'b' } },
    })
    expect(await run(second.import_id)).toMatchObject({ unchanged: 1 })
  })

  it('imports only the chosen chats, tells of those that cannot be stored, and goes on', async () => {
    const bad = { ['x'.repeat(300)]: said(null, [], 'user', 'Too long a name') }
    const { body } = await upload(
      JSON.stringify([
        conversation('c1', SHORT, 'a'),
        conversation('c2', bad, 'x'),
        conversation('c3', SHORT, 'a'),
      ]),
      {
        type: 'application/json; charset=utf-8',
      },
    )
    expect((await call('POST', `/chats/imports/${body.import_id}/run`, {})).status).toBe(400)
    const result = await run(body.import_id, { keys: ['c2', 'c3', 'nothing'] })
    expect(result).toMatchObject({ created: 1, updated: 0, unchanged: 0, failed: 1 })
    expect(result.created_ids).toEqual((await allChats()).map(({ id }) => id))
    expect(
      (await call<Import>('GET', `/chats/imports/${body.import_id}`)).body.problems.join(' '),
    ).toContain('"Chat c2"')
    expect((await allChats()).map((chat) => chat.title)).toEqual(['Chat c3'])
  })

  it('reads a Claude archive, also in a file of its own', async () => {
    const chat = {
      uuid: 'k1',
      name: 'Letter',
      chat_messages: [
        { uuid: 'm1', sender: 'human', text: 'Hi', created_at: '2025-03-01T10:00:00Z' },
      ],
    }
    expect(
      (await upload(zip({ 'conversations.json': [chat], 'projects.json': [{ uuid: 'p' }] }))).body,
    ).toMatchObject({ source: 'claude' })
    const single = (await upload(JSON.stringify(chat), { type: 'application/json' })).body
    expect(await run(single.import_id)).toMatchObject({ created: 1 })
    expect((await allChats())[0]!.chat.history.messages['m1']).toMatchObject({
      content: 'Hi',
      timestamp: 1_740_823_200,
    })
  })

  it('ends early when its archive is forgotten, keeps what was imported, and goes on the next time', async () => {
    const archive = JSON.stringify(
      Array.from({ length: 400 }, (_, index) => conversation(`c${index}`, SHORT, 'a')),
    )
    const first = (await upload(archive, { type: 'application/json' })).body
    const running = run(first.import_id)
    const second = await call('POST', `/chats/imports/${first.import_id}/run`, { all: true })
    expect([200, 409]).toContain(second.status)
    await call('DELETE', `/chats/imports/${first.import_id}`)
    const { created } = await running
    const again = (await upload(archive, { type: 'application/json' })).body
    const rest = await run(again.import_id)
    expect(rest.created + rest.unchanged).toBe(400)
    expect(rest.unchanged).toBeGreaterThanOrEqual(created)
    expect(await allChats()).toHaveLength(400)
  })

  it('forgets an archive on demand and leaves no files behind', async () => {
    const { body } = await upload(zip({ 'conversations.json': [conversation('c1', SHORT, 'a')] }))
    expect((await call('DELETE', `/chats/imports/${body.import_id}`)).body).toBe(true)
    expect((await call('GET', `/chats/imports/${body.import_id}`)).status).toBe(404)
    await Promise.all([upload('nonsense'), upload(strToU8('PK\u0003\u0004 and nothing more'))])
    const files = readdirSync(path.join(server().dataDir, 'imports'))
    const open = await upload(zip({ 'conversations.json': [conversation('c1', SHORT, 'a')] }))
    expect(readdirSync(path.join(server().dataDir, 'imports')).length).toBe(files.length + 1)
    await call('DELETE', `/chats/imports/${open.body.import_id}`)
    expect(readdirSync(path.join(server().dataDir, 'imports'))).toHaveLength(files.length)
  })
})

describe('archives that are none', () => {
  it.each([
    ['text', 'nonsense'],
    ['an empty list', '[]'],
    ['other JSON', '{"a":1}'],
    ['JSON that ends early', '[{"mapping":{}'],
    [
      'a zip file that ends early',
      zip({ 'conversations.json': [conversation('c', SHORT, 'a')] }).slice(0, 120),
    ],
    ['a zip file without chats', zip({ 'user.json': {} })],
    ['nothing', ''],
  ])('row 91: %s is refused with a sentence', async (_, bytes) => {
    const { status, body } = await upload(bytes)
    expect(status).toBe(400)
    expect(body.detail).toMatch(/\w+ \w+/)
  })

  it('row 92: a zip bomb is cut at a limit', async () => {
    const { status, body } = await upload(
      zipSync({ 'conversations.json': new Uint8Array(100 * 1024 * 1024).fill(0x20) }),
    )
    expect([status, body.detail]).toEqual([400, expect.stringContaining('far more')])
  })

  it('with folders that lie in each other or hold too much come to an end', async () => {
    const folder = (id: string, parent_id: string, data: object = {}) => ({
      id,
      name: id,
      parent_id,
      meta: null,
      data,
    })
    const chat = (id: string, folder_id: string) => ({
      id,
      title: id,
      folder_id,
      chat: { title: id },
    })
    const { body } = await upload(
      JSON.stringify({
        folders: [
          folder('a', 'b'),
          folder('b', 'a'),
          folder('self', 'self'),
          folder('large', '', { blob: 'x'.repeat(1_100_000) }),
        ],
        chats: [chat('one', 'a'), chat('two', 'b'), chat('three', 'self'), chat('four', 'large')],
      }),
      { type: 'application/json' },
    )
    expect(await run(body.import_id)).toMatchObject({ created: 4, failed: 0 })
    const folders = (await call<{ id: string; name: string }[]>('GET', '/folders/')).body
    expect(folders.map(({ name }) => name)).toEqual(['a', 'b', 'large', 'self'])
    expect(
      (await call<{ data: unknown }>('GET', `/folders/${folders[2]!.id}`)).body.data,
    ).toBeNull()
  })

  it('may hold chats of any length, as JSON and in a zip file', async () => {
    const words = Array.from({ length: 400_000 }, (_, index) => `w${index}`).join(' ')
    const chat = {
      title: 'Long',
      history: {
        currentId: 'm',
        messages: { m: { id: 'm', role: 'user', content: words, parentId: null } },
      },
    }
    const archive = { chats: [{ id: 'long', chat }] }
    for (const [bytes, type] of [
      [JSON.stringify(archive), 'application/json'],
      [zip({ 'chats.json': archive }), 'application/zip'],
    ] as const) {
      const token = await server().signUp(`Reader ${type}`)
      await run((await upload(bytes, { token, type })).body.import_id, { all: true }, token)
      const [{ chat: read }] = (await allChats(token)) as [Chat]
      const stored = read.history.messages['m']!
      expect(stored.content === words).toBe(true)
    }
  })

  it('are read one at a time for each person', async () => {
    const text = JSON.stringify({ chats: [{ id: 'one', chat: { title: 'x'.repeat(3_000_000) } }] })
    const replies = await Promise.all(
      [1, 2, 3].map(() => upload(text, { type: 'application/json' })),
    )
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 409, 409,
    ])
    expect((await upload(text, { type: 'application/json' })).status).toBe(200)
  })

  it('row 91: names that lead out of the folder are only names', async () => {
    const { status } = await upload(
      zip({ '../../..\\evil/conversations.json': [conversation('c1', SHORT, 'a')] }),
    )
    expect(status).toBe(200)
    expect(readdirSync(path.dirname(server().dataDir)).some((name) => name.includes('evil'))).toBe(
      false,
    )
  })

  it('another media type is 415', async () => {
    expect((await upload('[]', { type: 'text/plain' })).status).toBe(415)
  })
})

describe('chats as other gateways export them', () => {
  it('are stored one by one or several at once, each as a new chat', async () => {
    const record = {
      chat: { title: 'From there', history: { messages: { m: { role: 'user', content: 'Hi' } } } },
      meta: { tags: ['far'] },
      pinned: true,
    }
    const one = await call<Chat[]>('POST', '/chats/import', {
      ...record,
      created_at: 1000,
      updated_at: 2000,
    })
    expect(one.body).toMatchObject([
      {
        title: 'From there',
        pinned: true,
        created_at: 1000,
        updated_at: 2000,
        meta: { tags: ['far'] },
      },
    ])
    expect(
      (await call<Chat[]>('POST', '/chats/import', { chats: [record, record] })).body,
    ).toHaveLength(2)
    expect(await allChats()).toHaveLength(3)
    expect((await call('POST', '/chats/import', { chats: [{}] })).status).toBe(422)
    for (const chat of [{ history: 1 }, { tags: 'x', title: {} }, { models: 'm' }]) {
      expect((await call('POST', '/chats/import', { chat })).status).toBe(422)
    }
  })
})
