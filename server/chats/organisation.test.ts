import { describe, expect, it } from 'vitest'
import type { Chat, ChatListItem } from '#contract/chats.ts'
import { useTravelChats } from '../testing/use-travel-chats.ts'

const { server, admin, owner, other, call, create, get } = useTravelChats()
const titles = async (path: string, token = owner()): Promise<string[]> =>
  (await call<ChatListItem[]>('GET', path, undefined, token)).body.map((item) => item.title)
const folderOf = async (name: string, fields: object = {}): Promise<string> =>
  (await call<{ id: string }>('POST', '/folders/', { name, ...fields })).body.id

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
        meta: { tags: ['a_b', 'c'] },
      })
      expect(updated.body.chat.tags).toEqual(tags)
      expect((await call('GET', '/chats/all/tags')).body).toMatchObject([
        { id: 'a_b' },
        { id: 'c' },
      ])
    }
  })

  it('of the body are a field of it, which the next change of a tag replaces', async () => {
    const id = await create('Tagged', { tags: ['Sea'] })
    await call('POST', `/chats/${id}`, { chat: { tags: ['D'] } })
    await call('POST', `/chats/${id}`, { chat: { title: 'Renamed' } })
    expect((await get(id)).chat.tags).toEqual(['D'])
    const copy = (await call<Chat>('POST', `/chats/${id}/clone`, {})).body
    expect(copy).toMatchObject({ chat: { tags: ['D'] }, meta: { tags: ['sea'] } })
    await call('POST', `/chats/${id}/tags`, { name: 'Sun' })
    expect(await get(id)).toMatchObject({
      chat: { tags: ['Sea', 'Sun'] },
      meta: { tags: ['sea', 'sun'] },
    })
    expect(JSON.stringify((await get(id)).chat).match(/"tags"/g)).toHaveLength(1)
  })

  it('of an exported chat are read from beside its body, by the names the body has for them', async () => {
    const id = await create('Tagged', { tags: ['Sea', { name: 'Sun' }] })
    const own = await get(id)
    await call('POST', `/chats/${id}`, { chat: { tags: ['D'] } })
    const stale = await get(id)
    const [first, second] = (await call<Chat[]>('POST', '/chats/import', { chats: [own, stale] }))
      .body
    expect(first).toMatchObject({
      chat: { tags: ['Sea', { name: 'Sun' }] },
      meta: { tags: ['sea', 'sun'] },
    })
    expect(second).toMatchObject({ chat: { tags: ['sea', 'sun'] }, meta: { tags: ['sea', 'sun'] } })
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
    expect((await call('GET', `/folders/${work}`, undefined, other())).status).toBe(404)
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
    expect(await server().context.chats.folderContext(id)).toEqual({
      system_prompt: 'Speak as a guide.',
      files: [],
    })
    expect(await server().context.chats.folderContext(moved)).toBeNull()
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
    await server().context.groups.updateDefaultPermissions({ chat: { delete: false } })
    expect((await call('DELETE', `/folders/${folder}`)).status).toBe(403)
    await server().context.groups.updateDefaultPermissions({ chat: { delete: true } })
    expect((await call('DELETE', `/folders/${folder}`)).body).toBe(true)
    expect((await call('GET', `/chats/${id}`)).status).toBe(404)
    expect((await call('POST', `/chats/${id}/restore`)).body).toMatchObject({ folder_id: null })
  })

  it('are refused with 403 while they are switched off or not permitted', async () => {
    await server().context.settings.update({ ENABLE_FOLDERS: false })
    expect((await call('GET', '/folders/')).status).toBe(403)
    await server().context.settings.update({ ENABLE_FOLDERS: true })
    await server().context.groups.updateDefaultPermissions({ features: { folders: false } })
    expect((await call('GET', '/folders/')).status).toBe(403)
    await server().context.groups.updateDefaultPermissions({ features: { folders: true } })
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
    const lines = await server().call('GET', '/api/v1/chats/all', {
      token: owner(),
      headers: { Accept: 'application/x-ndjson' },
    })
    expect(lines.headers.get('content-type')).toContain('application/x-ndjson')
    const chats = (await lines.text()).trimEnd().split('\n')
    expect(chats.map((line) => (JSON.parse(line) as Chat).title)).toEqual(['Two', 'One'])
  })

  it('of everybody and of one person are for administrators, as long as that is switched on', async () => {
    await create('Mine')
    const { id } = (await call<{ id: string }>('GET', '/auths/')).body
    expect(await titles(`/chats/list/user/${id}`, admin())).toEqual(['Mine'])
    expect(await titles('/chats/all/db', admin())).toContain('Mine')
    await server().context.settings.update({
      ENABLE_ADMIN_CHAT_ACCESS: false,
      ENABLE_ADMIN_EXPORT: false,
    })
    expect((await call('GET', `/chats/list/user/${id}`, undefined, admin())).status).toBe(403)
    expect((await call('GET', '/chats/all/db', undefined, admin())).status).toBe(403)
    await server().context.settings.update({
      ENABLE_ADMIN_CHAT_ACCESS: true,
      ENABLE_ADMIN_EXPORT: true,
    })
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
    expect((await call('GET', `/chats/stats/export/${id}`, undefined, other())).status).toBe(404)
    expect((await call('GET', '/chats/stats/export?start_date=soon')).status).toBe(422)
    await server().context.groups.updateDefaultPermissions({ chat: { export: false } })
    expect((await call('GET', '/chats/stats/export')).status).toBe(403)
    await server().context.groups.updateDefaultPermissions({ chat: { export: true } })
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
    const { chats, storage } = server().context
    await storage
      .prepare('update chat set updated_at = 1000, last_read_at = 1000 where id = ?')
      .run(id)
    await chats.setTitle(id, 'Named by a model')
    await chats.setTags(id, ['Sea'])
    await chats.applyEvent(id, 'a2', {
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
