import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Chat, ChatListItem } from '#contract/chats.ts'
import { useTravelChats } from '../testing/use-travel-chats.ts'

const { server, owner, other, call, create, get } = useTravelChats()
const titles = async (path: string, token = owner()): Promise<string[]> =>
  (await call<ChatListItem[]>('GET', path, undefined, token)).body.map((item) => item.title)
const folderOf = async (name: string, fields: object = {}): Promise<string> =>
  (await call<{ id: string }>('POST', '/folders/', { name, ...fields })).body.id

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
  /** Numbers of the versions of a link that are stored, also of those that are being written. */
  const versions = (id: string): Promise<number[]> =>
    server()
      .context.storage.prepare<[string], number>(
        'select distinct version from shared_piece where chat_id = ?',
      )
      .pluck()
      .all(id)
  const mayOpen = (public_chats: boolean) =>
    server().context.groups.updateDefaultPermissions({ sharing: { public_chats } })
  beforeAll(() => mayOpen(true))
  afterAll(() => mayOpen(false))

  it('shows everybody signed in the chat as it was shared last, until it is taken away', async () => {
    const id = await create('Travel', {}, await folderOf('Private'))
    const link = await share(id)
    const read = async (token = other()) =>
      call<Chat>('GET', `/chats/share/${link}`, undefined, token)
    expect((await read()).body).toMatchObject({ title: 'Travel', share_id: link, folder_id: null })
    await call('POST', `/chats/${id}`, { chat: { title: 'Renamed' } })
    expect((await read()).body.title).toBe('Travel')
    expect(await share(id)).toBe(link)
    expect((await read()).body.title).toBe('Renamed')
    expect(await titles('/chats/shared')).toEqual(['Renamed'])
    expect(await titles('/chats/search?text=shared:true')).toEqual(['Renamed'])
    const copy = await call<Chat>('POST', `/chats/${link}/clone/shared`, undefined, other())
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
    expect((await call('GET', `/chats/share/${link}`, undefined, other())).status).toBe(404)
  })

  it('can be narrowed to some people and opened again', async () => {
    const id = await create()
    const link = await share(id)
    const otherId = (await call<{ id: string }>('GET', '/auths/', undefined, other())).body.id
    const everybody = { principal_type: 'user', principal_id: '*', permission: 'read' }
    const statusOf = async (token: string) =>
      (await call('GET', `/chats/share/${link}`, undefined, token)).status
    const stranger = await server().signUp(`Stranger ${id}`)
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
    expect([await statusOf(other()), await statusOf(stranger), await statusOf(owner())]).toEqual([
      200, 404, 200,
    ])
    await call('POST', `/chats/shared/${link}/access/update`, { access_control: {} })
    expect(await statusOf(other())).toBe(404)
    await call('POST', `/chats/shared/${link}/access/update`, { access_control: null })
    expect([await statusOf(other()), await statusOf(stranger)]).toEqual([200, 200])
    expect(
      (await call('POST', `/chats/shared/${link}/access/update`, { access_grants: [] }, other()))
        .status,
    ).toBe(404)
  })

  it('is the same for two calls at once, and stays away that is taken away while it is made anew', async () => {
    const id = await create('Long')
    const long = 'A long way. '.repeat(50_000)
    const messages = Array.from({ length: 5 }, (_, index) => [
      `m${index}`,
      { role: 'user', content: long, parentId: null, childrenIds: [] },
    ])
    await call('POST', `/chats/${id}?reply=minimal`, {
      chat: { history: { messages: Object.fromEntries(messages) } },
    })
    const shareQuickly = () => call<ChatListItem>('POST', `/chats/${id}/share?reply=minimal`)
    const replies = await Promise.all([shareQuickly(), shareQuickly(), shareQuickly()])
    const link = replies[0].body.share_id
    expect(link).toEqual(expect.any(String))
    expect(replies.map(({ body }) => body.share_id)).toEqual([link, link, link])
    expect(
      (await call<Chat>('GET', `/chats/share/${link}`, undefined, other())).body.share_id,
    ).toBe(link)
    const before = await versions(id)
    const again = shareQuickly()
    await expect
      .poll(async () => (await versions(id)).some((version) => !before.includes(version)), {
        interval: 1,
        timeout: 10_000,
      })
      .toBe(true)
    expect((await call('DELETE', `/chats/${id}/share`)).body).toBe(true)
    // Either of the two may have come first.
    expect([200, 409]).toContain((await again).status)
    expect((await call('GET', `/chats/share/${link}`, undefined, other())).status).toBe(404)
  })

  it('needs the permission chat.share, and deleting chats needs chat.delete', async () => {
    const id = await create()
    await server().context.groups.updateDefaultPermissions({
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
    await server().context.groups.updateDefaultPermissions({
      chat: { share: true, delete: true, export: true },
    })
  })
})

describe('the export of one chat', () => {
  const download = async (id: string, query: string) =>
    server().call('GET', `/api/v1/chats/${id}/export${query}`, { token: owner() })

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
    const id = await create('Odd', { history: { currentId: 'm1', messages } })
    expect(await (await download(id, '?format=md')).text()).toMatch(
      /## __proto__\n[^]*## constructor\n/,
    )
  })
})
