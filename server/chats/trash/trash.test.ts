import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChatListItem, TrashedChat } from '#contract/chats.ts'
import type { Folder, FolderItem } from '#contract/folders.ts'
import { nowSeconds } from '../../lib/ids.ts'
import { startTestServer, type TestServer } from '../../testing/start-server.ts'

const DAY = 86_400

let server: TestServer
let owner: string
let other: string
let people = 0

beforeAll(async () => {
  server = await startTestServer({ environment: { DEFAULT_USER_ROLE: 'user' } })
  await server.signUp('Root')
  await server.context.settings.update({ ENABLE_SIGNUP: true })
})
afterAll(() => server.close())
beforeEach(async () => {
  people += 1
  owner = await server.signUp(`Owner ${people}`)
  other = await server.signUp(`Other ${people}`)
})

async function call<Body>(
  method: string,
  path: string,
  body?: unknown,
  token = owner,
): Promise<{ status: number; body: Body }> {
  const response = await server.call(method, `/api/v1${path}`, { token, body })
  return { status: response.status, body: (await response.json()) as Body }
}
const status = async (...request: Parameters<typeof call>) => (await call(...request)).status
const create = async (title: string, folder_id: string | null = null): Promise<string> => {
  const messages = {
    q1: { role: 'user', content: `About ${title}`, childrenIds: [], parentId: null, timestamp: 10 },
  }
  const chat = { title, models: ['m'], history: { currentId: 'q1', messages } }
  return (await call<{ id: string }>('POST', '/chats/new', { chat, folder_id })).body.id
}
const folderOf = async (name: string, parent_id: string | null = null): Promise<string> =>
  (await call<Folder>('POST', '/folders/', { name, parent_id })).body.id
const titlesOf = async (path: string): Promise<string[]> =>
  (await call<ChatListItem[]>('GET', path)).body.map(({ title }) => title)
const trash = (query = '') => titlesOf(`/chats/trash${query}`)
const trashSince = async (id: string, time: number): Promise<void> => {
  await server.context.storage.prepare('update chat set deleted_at = ? where id = ?').run(time, id)
}
const folderTrashedSince = async (id: string, time: number): Promise<void> => {
  await server.context.storage
    .prepare('update folder set deleted_at = ? where id = ?')
    .run(time, id)
}
const rowsOf = async (id: string): Promise<unknown[]> =>
  Promise.all(
    ['chat where id', 'message where chat_id', 'folder_leaver where chat_id'].map((place) =>
      server.context.storage.prepare(`select count(*) from ${place} = ?`).pluck().get(id),
    ),
  )

describe('the trash', () => {
  it('lists own chats, the last deleted first, by pages and words of the title', async () => {
    const [first, second, kept] = [
      await create('First'),
      await create('Second'),
      await create('Kept'),
    ]
    for (const id of [first, second]) await call('DELETE', `/chats/${id}`)
    await trashSince(first, nowSeconds() - 5)
    expect(await trash()).toEqual(['Second', 'First'])
    expect(await trash('?query=fir')).toEqual(['First'])
    expect(await trash('?page=2')).toEqual([])
    expect((await call<TrashedChat[]>('GET', '/chats/trash')).body[1]).toMatchObject({
      id: first,
      deleted_at: expect.any(Number),
    })
    expect((await call('GET', '/chats/trash', undefined, other)).body).toEqual([])
    await call('POST', `/chats/${first}/restore`)
    expect(await trash()).toEqual(['Second'])
    expect(await status('GET', `/chats/${kept}`)).toBe(200)
  })

  it('keeps chats for 30 days and no longer', async () => {
    const [young, old] = [await create('Young'), await create('Old')]
    await call('POST', '/chats/trash', { ids: [young, old] })
    await trashSince(young, nowSeconds() - 30 * DAY + 60)
    await trashSince(old, nowSeconds() - 30 * DAY - 60)
    expect(await trash()).toEqual(['Young'])
    expect(await status('POST', `/chats/${old}/restore`)).toBe(404)
    await server.context.chats.purgeTrash()
    await server.context.storage.deletions.settled()
    expect(await rowsOf(old)).toEqual([0, 0, 0])
    expect(await rowsOf(young)).toEqual([1, 1, 0])
  })

  it('takes several own chats in one call and leaves out what is no own chat', async () => {
    const [one, two] = [await create('One'), await create('Two')]
    const foreign = (await call<{ id: string }>('POST', '/chats/new', { chat: {} }, other)).body.id
    expect(
      (await call('POST', '/chats/trash', { ids: [one, two, one, foreign, 'nothing'] })).body,
    ).toEqual({ moved: 2 })
    expect((await call('POST', '/chats/trash', { ids: [one] })).body).toEqual({ moved: 0 })
    expect((await trash()).toSorted()).toEqual(['One', 'Two'])
    expect(await status('GET', `/chats/${foreign}`, undefined, other)).toBe(200)
  })

  it('gives up a chat for good, with its messages and their place in the search', async () => {
    const id = await create('Secret plan')
    const seq = await server.context.storage
      .prepare('select seq from message where chat_id = ?')
      .pluck()
      .get(id)
    const found = async () =>
      await server.context.storage
        .prepare('select count(*) from message_search where rowid = ?')
        .pluck()
        .get(seq)
    expect(await status('DELETE', `/chats/trash/${id}`)).toBe(404)
    await call('DELETE', `/chats/${id}`)
    expect(await found()).toBe(1)
    expect(await status('DELETE', `/chats/trash/${id}`, undefined, other)).toBe(404)
    expect((await call('DELETE', `/chats/trash/${id}`)).body).toBe(true)
    await server.context.storage.deletions.settled()
    expect(await rowsOf(id)).toEqual([0, 0, 0])
    expect(await found()).toBe(0)
    expect(await status('POST', `/chats/${id}/restore`)).toBe(404)
  })

  it('is emptied at once, without touching what others deleted', async () => {
    const [gone, kept] = [await create('Gone'), await create('Kept')]
    const folder = await folderOf('Gone too')
    const foreign = (await call<{ id: string }>('POST', '/chats/new', { chat: {} }, other)).body.id
    await call('DELETE', `/chats/${foreign}`, undefined, other)
    await call('DELETE', `/chats/${gone}`)
    await call('DELETE', `/folders/${folder}`)
    expect((await call('DELETE', '/chats/trash')).body).toBe(true)
    expect(await trash()).toEqual([])
    await server.context.storage.deletions.settled()
    expect([(await rowsOf(gone))[0], (await rowsOf(kept))[0]]).toEqual([0, 1])
    expect(await status('POST', `/folders/${folder}/restore`)).toBe(404)
    expect(await status('POST', `/chats/${foreign}/restore`, undefined, other)).toBe(200)
  })

  it('is closed to whoever may not delete chats', async () => {
    const id = await create('Kept')
    await server.context.groups.updateDefaultPermissions({ chat: { delete: false } })
    const asked = [
      await status('POST', '/chats/trash', { ids: [id] }),
      await status('DELETE', '/chats/trash'),
    ]
    await server.context.groups.updateDefaultPermissions({ chat: { delete: true } })
    expect(asked).toEqual([403, 403])
  })
})

describe('a deleted folder', () => {
  it.each([true, false])(
    'comes back in one call with its folders and chats (chats deleted with it: %s)',
    async (withChats) => {
      const outer = await folderOf('Outer')
      const inner = await folderOf('Inner', outer)
      const [above, below] = [await create('Above', outer), await create('Below', inner)]
      await call('DELETE', `/folders/${outer}?delete_contents=${withChats}`)
      expect((await call('GET', '/folders/')).body).toEqual([])
      expect((await trash()).length).toBe(withChats ? 2 : 0)
      expect(await status('POST', `/folders/${outer}/restore`, undefined, other)).toBe(404)
      expect((await call('POST', `/folders/${outer}/restore`)).body).toMatchObject({
        id: outer,
        name: 'Outer',
        parent_id: null,
      })
      expect((await call('GET', '/folders/')).body).toMatchObject([
        { id: inner, parent_id: outer, chat_count: 1 },
        { id: outer, parent_id: null, chat_count: 1 },
      ])
      expect((await call('GET', `/chats/${above}`)).body).toMatchObject({ folder_id: outer })
      expect((await call('GET', `/chats/${below}`)).body).toMatchObject({ folder_id: inner })
      expect(await trash()).toEqual([])
      expect((await call('POST', `/folders/${outer}/restore`)).body).toMatchObject({ id: outer })
    },
  )

  it('gets a number where its name was taken, and stands at the top where its place is gone', async () => {
    const outer = await folderOf('Outer')
    const inner = await folderOf('Inner', outer)
    await call('DELETE', `/folders/${inner}`)
    await call('DELETE', `/folders/${outer}`)
    await folderOf('Inner')
    await folderOf('Inner (2)')
    expect((await call('POST', `/folders/${inner}/restore`)).body).toMatchObject({
      name: 'Inner (3)',
      parent_id: null,
    })
    expect(await status('GET', `/folders/${outer}`)).toBe(404)
  })

  it('leaves chats where they were put since', async () => {
    const [folder, elsewhere] = [await folderOf('Folder'), await folderOf('Elsewhere')]
    const [moved, archived, deleted] = [
      await create('Moved', folder),
      await create('Archived', folder),
      await create('Deleted', folder),
    ]
    await call('DELETE', `/folders/${folder}?delete_contents=false`)
    await call('POST', `/chats/${moved}/folder`, { folder_id: elsewhere })
    await call('POST', `/chats/${archived}/archive`)
    await call('DELETE', `/chats/${deleted}`)
    await trashSince(deleted, nowSeconds() - 60)
    await call('POST', `/folders/${folder}/restore`)
    expect((await call('GET', `/chats/${moved}`)).body).toMatchObject({ folder_id: elsewhere })
    expect((await call('GET', `/chats/${archived}`)).body).toMatchObject({
      folder_id: null,
      archived: true,
    })
    expect(await trash()).toEqual(['Deleted'])
    expect((await call('POST', `/chats/${deleted}/restore`)).body).toMatchObject({
      folder_id: folder,
    })
  })

  it('stands in the list of the trash with what comes back with it', async () => {
    const outer = await folderOf('Outer')
    const inner = await folderOf('Inner', outer)
    const [earlier, alone] = [await folderOf('Earlier', outer), await folderOf('Alone')]
    for (const folder of [outer, inner, inner]) await create('Inside', folder)
    await call('DELETE', `/folders/${earlier}`)
    await call('DELETE', `/folders/${outer}`)
    await call('DELETE', `/folders/${alone}`)
    for (const [id, ago] of [
      [earlier, 3],
      [outer, 2],
      [inner, 2],
    ] as const) {
      await folderTrashedSince(id, nowSeconds() - ago * DAY)
    }
    expect((await call('GET', '/folders/trash')).body).toEqual([
      { id: alone, name: 'Alone', deleted_at: expect.any(Number), folder_count: 0, chat_count: 0 },
      { id: outer, name: 'Outer', deleted_at: expect.any(Number), folder_count: 1, chat_count: 3 },
      {
        id: earlier,
        name: 'Earlier',
        deleted_at: expect.any(Number),
        folder_count: 0,
        chat_count: 0,
      },
    ])
    expect((await call('GET', '/folders/trash', undefined, other)).body).toEqual([])
  })

  it('is erased with what was deleted with it; its chats stay in the trash', async () => {
    const outer = await folderOf('Outer')
    const [inner, earlier] = [await folderOf('Inner', outer), await folderOf('Earlier', outer)]
    const chat = await create('Inside', inner)
    expect(await status('DELETE', `/folders/trash/${outer}`)).toBe(404)
    await call('DELETE', `/folders/${earlier}`)
    await call('DELETE', `/folders/${outer}`)
    await folderTrashedSince(earlier, nowSeconds() - DAY)
    expect(await status('DELETE', `/folders/trash/${outer}`, undefined, other)).toBe(404)
    expect(await status('DELETE', `/folders/trash/${outer}`)).toBe(200)
    expect((await call('GET', '/folders/trash')).body).toMatchObject([{ id: earlier }])
    expect(await status('POST', `/folders/${outer}/restore`)).toBe(404)
    expect(await trash()).toEqual(['Inside'])
    expect((await call('POST', `/chats/${chat}/restore`)).body).toMatchObject({ folder_id: null })
    expect((await call('POST', `/folders/${earlier}/restore`)).body).toMatchObject({
      parent_id: null,
    })
  })

  it('is gone after 30 days, and until then does not hold its name', async () => {
    const id = await folderOf('Folder')
    await call('DELETE', `/folders/${id}`)
    expect((await call<FolderItem>('POST', '/folders/', { name: 'folder' })).status).toBe(200)
    await server.context.storage
      .prepare('update folder set deleted_at = ? where id = ?')
      .run(nowSeconds() - 31 * DAY, id)
    expect(await status('POST', `/folders/${id}/restore`)).toBe(404)
    await server.context.chats.purgeTrash()
    await server.context.storage.deletions.settled()
    expect(
      await server.context.storage
        .prepare('select count(*) from folder where id = ?')
        .pluck()
        .get(id),
    ).toBe(0)
  })
})
