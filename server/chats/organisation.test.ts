import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Chat, ChatListItem } from '#contract/chats.ts'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

let server: TestServer
let admin: string
let owner: string
let other: string
let people = 0

beforeAll(async () => {
  server = await startTestServer({ environment: { DEFAULT_USER_ROLE: 'user' } })
  admin = await server.signUp('Root')
  server.context.settings.update({ ENABLE_SIGNUP: true })
})
afterAll(() => server.close())
beforeEach(async () => {
  people += 1
  owner = await server.signUp(`Owner ${people}`)
  other = await server.signUp(`Other ${people}`)
})

type Reply<Body> = { status: number; body: Body }

async function call<Body = Record<string, unknown>>(
  method: string,
  path: string,
  body?: unknown,
  token = owner,
): Promise<Reply<Body>> {
  const response = await server.call(method, `/api/v1${path}`, { token, body })
  return { status: response.status, body: (await response.json()) as Body }
}

const MESSAGES = {
  q1: {
    role: 'user',
    content: 'Where to?',
    childrenIds: ['a1', 'a2'],
    parentId: null,
    timestamp: 10,
  },
  a1: {
    role: 'assistant',
    content: 'To Oslo.',
    model: 'm',
    childrenIds: [],
    parentId: 'q1',
    timestamp: 11,
    usage: { completion_tokens: 3 },
  },
  a2: {
    role: 'assistant',
    content: 'To Rome.',
    model: 'm',
    childrenIds: ['q2'],
    parentId: 'q1',
    timestamp: 12,
  },
  q2: { role: 'user', content: 'How far?', childrenIds: [], parentId: 'a2', timestamp: 13 },
}
const create = async (
  title = 'Travel',
  extra: object = {},
  folder_id: string | null = null,
): Promise<string> => {
  const chat = { title, models: ['m'], history: { currentId: 'q2', messages: MESSAGES }, ...extra }
  return (await call<Chat>('POST', '/chats/new', { chat, folder_id })).body.id
}
const titles = async (path: string, token = owner): Promise<string[]> =>
  (await call<ChatListItem[]>('GET', path, undefined, token)).body.map((item) => item.title)
const folderOf = async (name: string, fields: object = {}): Promise<string> =>
  (await call<{ id: string }>('POST', '/folders/', { name, ...fields })).body.id
const get = async (id: string): Promise<Chat> => (await call<Chat>('GET', `/chats/${id}`)).body

describe('tags of chats', () => {
  it('are as many as somebody can use, and no longer than a name', async () => {
    const names = Array.from({ length: 1000 }, (_, index) => `tag ${index}`)
    const id = await create('Tagged', { tags: names })
    expect((await call('POST', `/chats/${id}/tags`, { name: 'one more' })).status).toBe(400)
    for (const tags of [[...names, 'one more'], ['x'.repeat(201)], [{ name: 'x'.repeat(201) }]]) {
      expect((await call('POST', '/chats/new', { chat: { tags } })).status).toBe(400)
    }
  })

  it('are added, listed and removed by name, the id being the name in lower case with underscores', async () => {
    const id = await create()
    expect((await call('POST', `/chats/${id}/tags`, { name: 'Far Away' })).body).toMatchObject([
      { id: 'far_away', name: 'Far Away' },
    ])
    await call('POST', `/chats/${id}/tags`, { name: 'far away' })
    await call('POST', `/chats/${id}/tags`, { name: 'Sea' })
    const chat = await get(id)
    expect(chat.chat.tags).toEqual(['Far Away', 'Sea'])
    expect(chat.meta).toEqual({ tags: ['far_away', 'sea'] })
    expect(await titles('/chats/search?text=tag:far_away')).toEqual(['Travel'])
    expect((await call('GET', '/chats/all/tags')).body).toMatchObject([
      { id: 'far_away' },
      { id: 'sea' },
    ])
    expect((await call<ChatListItem[]>('POST', '/chats/tags', { name: 'SEA' })).body).toMatchObject(
      [{ id, tags: ['Far Away', 'Sea'] }],
    )
    expect((await call('DELETE', `/chats/${id}/tags`, { name: 'sea' })).body).toMatchObject([
      { id: 'far_away' },
    ])
    expect((await call('DELETE', `/chats/${id}/tags/all`)).body).toBe(true)
    expect((await get(id)).meta).toEqual({})
    expect((await call('GET', '/chats/all/tags')).body).toEqual([])
  })

  it('cannot be called none, which the search takes', async () => {
    const id = await create()
    expect((await call('POST', `/chats/${id}/tags`, { name: 'None' })).status).toBe(400)
    expect(await titles('/chats/search?text=tag:none')).toEqual(['Travel'])
  })

  it('that come with the chat body are found alike', async () => {
    const id = await create('Tagged', { tags: ['A b', { name: 'C' }] })
    expect((await call('GET', `/chats/${id}/tags`)).body).toMatchObject([
      { id: 'a_b' },
      { id: 'c' },
    ])
    for (const tags of [[], ['D']]) {
      const updated = await call<Chat>('POST', `/chats/${id}`, { chat: { title: 'Renamed', tags } })
      expect(updated.body).toMatchObject({
        title: 'Renamed',
        chat: { tags: ['A b', { name: 'C' }] },
        meta: { tags: ['a_b', 'c'] },
      })
      expect((await call('GET', '/chats/all/tags')).body).toMatchObject([
        { id: 'a_b' },
        { id: 'c' },
      ])
    }
  })
})

describe('folders', () => {
  it('hold as much as can be read with a list, however it was brought in', async () => {
    const long = 'x'.repeat(400_000)
    const id = (
      await call<{ id: string }>('POST', '/folders/', { name: 'Full', data: { a: long } })
    ).body.id
    const update = async (body: object) =>
      (await call('POST', `/folders/${id}/update`, body)).status
    expect([await update({ data: { b: long } }), await update({ data: { c: long } })]).toEqual([
      200, 413,
    ])
    expect(await update({ meta: { icon: 'x'.repeat(20_000) } })).toBe(413)
  })

  it('nest, keep their data, and have names that are new beside their neighbours', async () => {
    const work = await folderOf('Work', { data: { system_prompt: 'Be brief.', icon: 'briefcase' } })
    const inside = await folderOf('Reports', { parent_id: work })
    expect((await call('POST', '/folders/', { name: 'work' })).status).toBe(400)
    expect((await call('POST', '/folders/', { name: 'X', color: 'red' })).status).toBe(422)
    expect(
      (await call('POST', `/folders/${work}/update`, { name: 'Job', data: { files: [] } })).body,
    ).toMatchObject({
      name: 'Job',
      data: { system_prompt: 'Be brief.', icon: 'briefcase', files: [] },
    })
    expect(
      (await call('POST', `/folders/${work}/update/expanded`, { is_expanded: true })).body,
    ).toMatchObject({ is_expanded: true })
    expect((await call('GET', '/folders/')).body).toMatchObject([
      { id: work, parent_id: null },
      { id: inside, parent_id: work },
    ])
    expect((await call('GET', `/folders/${work}`, undefined, other)).status).toBe(404)
  })

  it('move anywhere but into themselves', async () => {
    const outer = await folderOf('Outer')
    const inner = await folderOf('Inner', { parent_id: outer })
    expect(
      (await call('POST', `/folders/${outer}/update/parent`, { parent_id: inner })).status,
    ).toBe(400)
    expect(
      (await call('POST', `/folders/${outer}/update/parent`, { parent_id: outer })).status,
    ).toBe(400)
    expect(
      (await call('POST', `/folders/${inner}/update/parent`, { parent_id: null })).body,
    ).toMatchObject({ parent_id: null })
    expect(
      (await call('POST', `/folders/${inner}/update/parent`, { parent_id: 'nowhere' })).status,
    ).toBe(404)
  })

  it('hold chats, which are listed in them and say what the folder says to models', async () => {
    const folder = await folderOf('Trips', { data: { system_prompt: 'Speak as a guide.' } })
    const inner = await folderOf('North', { parent_id: folder })
    const id = await create('Filed', {}, folder)
    const moved = await create('Moved')
    expect((await call('POST', `/chats/${moved}/folder`, { folder_id: inner })).body).toMatchObject(
      { folder_id: inner },
    )
    expect(await titles('/chats/')).toEqual([])
    expect((await call('GET', '/folders/')).body).toMatchObject([
      { id: inner, chat_count: 1 },
      { id: folder, chat_count: 1 },
    ])
    expect(await titles(`/chats/folder/${folder}/list`)).toEqual(['Filed'])
    expect((await titles(`/chats/folder/${folder}`)).toSorted()).toEqual(['Filed', 'Moved'])
    expect(await titles('/chats/search?text=folder:trips')).toEqual(['Filed'])
    expect(server.context.chats.folderContext(id)).toEqual({
      system_prompt: 'Speak as a guide.',
      files: [],
    })
    expect(server.context.chats.folderContext(moved)).toBeNull()
    expect((await call('POST', `/chats/${moved}/folder`, { folder_id: 'nowhere' })).status).toBe(
      404,
    )
    expect((await call('POST', '/chats/new', { chat: {}, folder_id: 'nowhere' })).status).toBe(404)
  })

  it('delete their chats, those of inner folders too, or let them go', async () => {
    const folder = await folderOf('Old')
    const inner = await folderOf('Older', { parent_id: folder })
    const id = await create('Kept', {}, inner)
    expect((await call('DELETE', `/folders/${inner}?delete_contents=false`)).body).toBe(true)
    expect(await get(id)).toMatchObject({ folder_id: null })
    await call('POST', `/chats/${id}/folder`, { folder_id: folder })
    server.context.groups.updateDefaultPermissions({ chat: { delete: false } })
    expect((await call('DELETE', `/folders/${folder}`)).status).toBe(403)
    server.context.groups.updateDefaultPermissions({ chat: { delete: true } })
    expect((await call('DELETE', `/folders/${folder}`)).body).toBe(true)
    expect((await call('GET', `/chats/${id}`)).status).toBe(404)
    expect((await call('POST', `/chats/${id}/restore`)).body).toMatchObject({ folder_id: null })
  })

  it('are refused with 403 while they are switched off or not permitted', async () => {
    server.context.settings.update({ ENABLE_FOLDERS: false })
    expect((await call('GET', '/folders/')).status).toBe(403)
    server.context.settings.update({ ENABLE_FOLDERS: true })
    server.context.groups.updateDefaultPermissions({ features: { folders: false } })
    expect((await call('GET', '/folders/')).status).toBe(403)
    server.context.groups.updateDefaultPermissions({ features: { folders: true } })
    expect((await call('GET', '/folders/')).status).toBe(200)
  })
})

describe('the archive', () => {
  it('takes a chat out of the list and out of its folder, and gives it back', async () => {
    const id = await create('Done', {}, await folderOf('Some'))
    expect((await call('POST', `/chats/${id}/archive`)).body).toMatchObject({
      archived: true,
      folder_id: null,
    })
    expect(await titles('/chats/?include_folders=true')).toEqual([])
    expect(await titles('/chats/archived?query=don&order_by=title&direction=asc')).toEqual(['Done'])
    expect(await titles('/chats/archived?query=100%25')).toEqual([])
    expect(await titles('/chats/all/archived')).toEqual(['Done'])
    expect(await titles('/chats/all')).toEqual([])
    expect((await call('POST', `/chats/${id}/archive?reply=minimal`)).body).toMatchObject({
      id,
      archived: false,
      active: false,
    })
  })

  it('takes and gives all chats at once', async () => {
    for (const title of ['One', 'Two']) await create(title)
    expect((await call('POST', '/chats/archive/all')).body).toBe(true)
    expect(await titles('/chats/')).toEqual([])
    expect((await call('POST', '/chats/unarchive/all')).body).toBe(true)
    expect(await titles('/chats/')).toEqual(['Two', 'One'])
    expect((await call('DELETE', '/chats/')).body).toBe(true)
    expect(await titles('/chats/')).toEqual([])
  })
})

describe('lists of whole chats', () => {
  it('are an array, or one chat a line for whoever accepts NDJSON', async () => {
    await create('One')
    await create('Two')
    expect(await titles('/chats/all')).toEqual(['Two', 'One'])
    const lines = await server.call('GET', '/api/v1/chats/all', {
      token: owner,
      headers: { Accept: 'application/x-ndjson' },
    })
    expect(lines.headers.get('content-type')).toContain('application/x-ndjson')
    const chats = (await lines.text()).trimEnd().split('\n')
    expect(chats.map((line) => (JSON.parse(line) as Chat).title)).toEqual(['Two', 'One'])
  })

  it('of everybody and of one person are for administrators, as long as that is switched on', async () => {
    await create('Mine')
    const { id } = (await call<{ id: string }>('GET', '/auths/')).body
    expect(await titles(`/chats/list/user/${id}`, admin)).toEqual(['Mine'])
    expect(await titles('/chats/all/db', admin)).toContain('Mine')
    server.context.settings.update({ ENABLE_ADMIN_CHAT_ACCESS: false, ENABLE_ADMIN_EXPORT: false })
    expect((await call('GET', `/chats/list/user/${id}`, undefined, admin)).status).toBe(403)
    expect((await call('GET', '/chats/all/db', undefined, admin)).status).toBe(403)
    server.context.settings.update({ ENABLE_ADMIN_CHAT_ACCESS: true, ENABLE_ADMIN_EXPORT: true })
  })

  it('count what was said', async () => {
    await create()
    expect((await call('GET', '/chats/stats/usage')).body).toMatchObject({
      total: 1,
      items: [
        {
          message_count: 3,
          history_message_count: 4,
          history_models: { m: 2 },
          models: { m: 1 },
          completion_tokens: 3,
          last_message_at: 13,
        },
      ],
    })
    const { items } = (
      await call<{ items: { average_response_time: number }[] }>('GET', '/chats/stats/usage')
    ).body
    expect(items[0]!.average_response_time).toBeGreaterThan(0)
    const empty = await create('Empty', { history: { messages: {}, currentId: null } })
    const { created_at } = await get(empty)
    const { body } = await call<{ items: object[] }>('GET', `/chats/stats/export/${empty}`)
    expect(body).toMatchObject({
      models: {},
      average_response_time: 0,
      last_message_at: created_at,
    })
  })

  it('are exported in numbers, message by message and without any text, by the time of their last change', async () => {
    const id = await create()
    const { body } = await call<{ items: Record<string, unknown>[]; total: number }>(
      'GET',
      '/chats/stats/export',
    )
    expect(body).toMatchObject({
      total: 1,
      page: 1,
      items: [{ id, history_message_count: 4, completion_tokens: 3 }],
    })
    expect(body.items[0]!['messages']).toMatchObject([
      {
        id: 'q1',
        parentId: null,
        role: 'user',
        model: null,
        timestamp: 10,
        content_length: 9,
        completion_tokens: 0,
      },
      {
        id: 'a1',
        parentId: 'q1',
        role: 'assistant',
        model: 'm',
        content_length: 8,
        completion_tokens: 3,
      },
      {},
      {},
    ])
    expect(JSON.stringify(body)).not.toContain('Oslo')
    const now = (await get(id)).updated_at
    const total = async (query: string) =>
      (await call<{ total: number }>('GET', `/chats/stats/export?${query}`)).body.total
    expect(
      await Promise.all(
        [`start_date=${now}`, `end_date=${now}`, `start_date=${now + 1}`, 'page=2'].map(total),
      ),
    ).toEqual([1, 0, 0, 1])
    expect((await call('GET', `/chats/stats/export/${id}`)).body).toEqual(body.items[0])
    expect((await call('GET', `/chats/stats/export/${id}`, undefined, other)).status).toBe(404)
    expect((await call('GET', '/chats/stats/export?start_date=soon')).status).toBe(422)
    server.context.groups.updateDefaultPermissions({ chat: { export: false } })
    expect((await call('GET', '/chats/stats/export')).status).toBe(403)
    server.context.groups.updateDefaultPermissions({ chat: { export: true } })
  })

  it('say whether a chat was read', async () => {
    const id = await create()
    const item = async () => (await call<ChatListItem[]>('GET', '/chats/')).body[0]!
    expect((await item()).last_read_at).toBeNull()
    await call('POST', `/chats/${id}/read`)
    const { last_read_at, updated_at } = await item()
    expect(last_read_at).toBeGreaterThanOrEqual(updated_at)
    await call('POST', `/chats/${id}/unread`)
    expect((await item()).last_read_at).toBe(0)
  })

  it('stay read when a title, tags or next questions are written in the background', async () => {
    const id = await create()
    const { chats, storage } = server.context
    storage.sqlite
      .prepare('update chat set updated_at = 1000, last_read_at = 1000 where id = ?')
      .run(id)
    chats.setTitle(id, 'Named by a model')
    chats.setTags(id, ['Sea'])
    chats.applyEvent(id, 'a2', {
      type: 'chat:message:follow_ups',
      data: { follow_ups: ['How far?'] },
    })
    const item = (await call<ChatListItem[]>('GET', '/chats/')).body[0]
    expect(item).toMatchObject({
      title: 'Named by a model',
      tags: ['Sea'],
      updated_at: 1000,
      last_read_at: 1000,
    })
  })
})

describe('copies', () => {
  it('of a chat have all branches and tags and know where they come from', async () => {
    const id = await create('Travel', { tags: ['Sea'] })
    await call('POST', `/chats/${id}/pin`)
    const copy = (await call<Chat>('POST', `/chats/${id}/clone`, {})).body
    const original = await get(id)
    expect(copy).toMatchObject({ title: 'Clone of Travel', pinned: false, meta: { tags: ['sea'] } })
    expect(copy.chat.history).toEqual(original.chat.history)
    expect(copy.chat).toMatchObject({ originalChatId: id, branchPointMessageId: 'q2' })
    expect(await titles('/chats/search?text=rome tag:sea')).toEqual(['Clone of Travel', 'Travel'])
    expect((await call('POST', `/chats/${id}/clone`, { title: 'Again' })).body).toMatchObject({
      title: 'Again',
    })
  })

  it('from a message are a new chat with that branch alone', async () => {
    const id = await create()
    const fork = (await call<Chat>('POST', `/chats/${id}/fork`, { message_id: 'a1' })).body
    expect(Object.keys(fork.chat.history.messages)).toEqual(['q1', 'a1'])
    expect(fork.chat.history.currentId).toBe('a1')
    expect(fork.chat.messages.map((message) => message.content)).toEqual(['Where to?', 'To Oslo.'])
    expect((await call('POST', `/chats/${id}/fork`, { message_id: 'nowhere' })).status).toBe(404)
  })
})

describe('a share link', () => {
  const share = async (id: string) =>
    (await call<Chat>('POST', `/chats/${id}/share`)).body.share_id!
  const mayOpen = (public_chats: boolean) =>
    server.context.groups.updateDefaultPermissions({ sharing: { public_chats } })
  beforeAll(() => mayOpen(true))
  afterAll(() => mayOpen(false))

  it('shows everybody signed in the chat as it was shared last, until it is taken away', async () => {
    const id = await create('Travel', {}, await folderOf('Private'))
    const link = await share(id)
    const read = async (token = other) =>
      call<Chat>('GET', `/chats/share/${link}`, undefined, token)
    expect((await read()).body).toMatchObject({ title: 'Travel', share_id: link, folder_id: null })
    await call('POST', `/chats/${id}`, { chat: { title: 'Renamed' } })
    expect((await read()).body.title).toBe('Travel')
    expect(await share(id)).toBe(link)
    expect((await read()).body.title).toBe('Renamed')
    expect(await titles('/chats/shared')).toEqual(['Renamed'])
    expect(await titles('/chats/search?text=shared:true')).toEqual(['Renamed'])
    const copy = await call<Chat>('POST', `/chats/${link}/clone/shared`, undefined, other)
    expect(copy.body).toMatchObject({ title: 'Clone of Renamed', share_id: null })
    expect(Object.keys(copy.body.chat.history.messages)).toHaveLength(4)
    expect((await call('DELETE', `/chats/${id}/share`)).body).toBe(true)
    expect((await call('DELETE', `/chats/${id}/share`)).body).toBe(false)
    expect((await read()).status).toBe(404)
    expect((await get(id)).share_id).toBeNull()
  })

  it('leads nowhere while its chat lies in the trash', async () => {
    const id = await create()
    const link = await share(id)
    await call('DELETE', `/chats/${id}`)
    expect((await call('GET', `/chats/share/${link}`, undefined, other)).status).toBe(404)
  })

  it('can be narrowed to some people and opened again', async () => {
    const id = await create()
    const link = await share(id)
    const otherId = (await call<{ id: string }>('GET', '/auths/', undefined, other)).body.id
    const everybody = { principal_type: 'user', principal_id: '*', permission: 'read' }
    const statusOf = async (token: string) =>
      (await call('GET', `/chats/share/${link}`, undefined, token)).status
    const stranger = await server.signUp(`Stranger ${people}`)
    const grants = async () => (await call<object[]>('GET', `/chats/shared/${id}/access`)).body
    const record = {
      id: expect.any(String),
      resource_type: 'chat',
      resource_id: id,
      created_at: expect.any(Number),
    }
    expect(await grants()).toEqual([{ ...everybody, ...record }])
    const grant = { principal_type: 'user', principal_id: otherId, permission: 'read' }
    expect(
      (await call('POST', `/chats/shared/${link}/access/update`, { access_grants: [grant] })).body,
    ).toMatchObject({
      id,
      share_id: link,
    })
    expect(await grants()).toEqual([{ ...grant, ...record }])
    expect((await call('GET', '/chats/shared')).body).toMatchObject([
      { id, chat_id: id, share_id: link },
    ])
    expect([await statusOf(other), await statusOf(stranger), await statusOf(owner)]).toEqual([
      200, 404, 200,
    ])
    await call('POST', `/chats/shared/${link}/access/update`, { access_control: {} })
    expect(await statusOf(other)).toBe(404)
    await call('POST', `/chats/shared/${link}/access/update`, { access_control: null })
    expect([await statusOf(other), await statusOf(stranger)]).toEqual([200, 200])
    expect(
      (await call('POST', `/chats/shared/${link}/access/update`, { access_grants: [] }, other))
        .status,
    ).toBe(404)
  })

  it('is the same for two calls at once, and stays away that is taken away while it is made anew', async () => {
    const id = await create('Long')
    const long = 'A long way. '.repeat(50_000)
    const messages = Array.from({ length: 60 }, (_, index) => [
      `m${index}`,
      { role: 'user', content: long, parentId: null, childrenIds: [] },
    ])
    for (let from = 0; from < 60; from += 20)
      await call('POST', `/chats/${id}`, {
        chat: { history: { messages: Object.fromEntries(messages.slice(from, from + 20)) } },
      })
    const [link, ...others] = await Promise.all([share(id), share(id), share(id)])
    expect(others).toEqual([link, link])
    expect((await call<Chat>('GET', `/chats/share/${link}`, undefined, other)).body.share_id).toBe(
      link,
    )
    const again = call('POST', `/chats/${id}/share`)
    await sleep(15)
    expect((await call('DELETE', `/chats/${id}/share`)).body).toBe(true)
    // Whichever of the two came first.
    expect([200, 409]).toContain((await again).status)
    expect((await call('GET', `/chats/share/${link}`, undefined, other)).status).toBe(404)
  })

  it('needs the permission chat.share, and deleting chats needs chat.delete', async () => {
    const id = await create()
    server.context.groups.updateDefaultPermissions({
      chat: { share: false, delete: false, export: false },
    })
    for (const [method, path] of [
      ['POST', `/chats/${id}/share`],
      ['DELETE', `/chats/${id}`],
      ['DELETE', '/chats/'],
      ['GET', '/chats/all'],
      ['GET', `/chats/${id}/export`],
      ['GET', '/chats/export'],
    ] as const) {
      expect((await call(method, path)).status, path).toBe(403)
    }
    server.context.groups.updateDefaultPermissions({
      chat: { share: true, delete: true, export: true },
    })
  })
})

describe('the export of one chat', () => {
  const download = async (id: string, query: string) =>
    server.call('GET', `/api/v1/chats/${id}/export${query}`, { token: owner })

  it('is the chat as JSON with all branches or the active one', async () => {
    const id = await create('Plan: "Rome"/2')
    const whole = await download(id, '')
    expect(whole.headers.get('content-disposition')).toContain('filename="Plan Rome 2.json"')
    expect(await whole.json()).toEqual(await get(id))
    const disguised = await create('a\u202Egpj.exe\r\nX: 1')
    expect((await download(disguised, '')).headers.get('content-disposition')).toContain(
      "''a%20gpj.exe%20X%201.json",
    )
    const active = (await (await download(id, '?branch=active')).json()) as Chat
    expect(Object.keys(active.chat.history.messages)).toEqual(['q1', 'a2', 'q2'])
    expect(active.chat.history.messages['q1']!.childrenIds).toEqual(['a2'])
  })

  it('is Markdown that tells the versions of a message apart', async () => {
    const id = await create()
    const text = await (await download(id, '?format=md')).text()
    expect(text).toContain('# Travel\n')
    expect(text).toMatch(
      /## m \(version 1 of 2\)\n\n\*1970-01-01 00:00\*\n\nTo Oslo\.[^]*## m \(version 2 of 2\)[^]*To Rome\.[^]*How far\?/,
    )
    expect(await (await download(id, '?format=md&branch=active')).text()).not.toContain('Oslo')
  })

  it('is Markdown also where a role is named like a member of every object', async () => {
    const messages = Object.fromEntries(
      ['__proto__', 'constructor'].map((role, index) => [
        `m${index}`,
        { role, content: 'Hm', parentId: index === 0 ? null : 'm0' },
      ]),
    )
    const body = { chat: { title: 'Odd', history: { currentId: 'm1', messages } } }
    const created = await server.call('POST', '/api/v1/chats/new', { token: owner, body })
    const { id } = (await created.json()) as Chat
    expect(await (await download(id, '?format=md')).text()).toMatch(
      /## __proto__\n[^]*## constructor\n/,
    )
  })
})
