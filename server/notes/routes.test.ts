import { describe, expect, it } from 'vitest'
import { servePeople } from '../testing/serve-people.ts'
import { createNoteRoutes, Notes } from './index.ts'

const BOUNDS = { values: 20_000, characters: 200_000 }
const ROOT = '/api/v1/notes'
const serve = () =>
  servePeople(({ storage, access, users }) =>
    createNoteRoutes(new Notes({ storage, access, users, bounds: () => BOUNDS })),
  )
type Served = Awaited<ReturnType<typeof serve>>

const text = (md: string) => ({ content: { json: { type: 'doc' }, html: `<p>${md}</p>`, md } })
async function create(
  { owner }: Served,
  title: string,
  md = '',
  more: object = {},
): Promise<string> {
  const reply = await owner(`${ROOT}/create`, { body: { title, data: text(md), ...more } })
  expect(reply.status).toBe(200)
  return reply.body.id
}
const shareWith = (id: string, permission: 'read' | 'write') => ({
  access_grants: [{ principal_type: 'user', principal_id: id, permission }],
})
const titles = (reply: { body: { items?: { title: string }[] } & { title: string }[] }): string[] =>
  (reply.body.items ?? reply.body).map(({ title }) => title)

describe('notes', () => {
  it('are stored with everything they came with, and changed field by field', async () => {
    const served = await serve()
    const { body: note } = await served.owner(`${ROOT}/create`, {
      body: { title: 'Plan', data: { ...text('first'), files: ['f1'] }, meta: { color: 'red' } },
    })
    expect(note).toMatchObject({
      title: 'Plan',
      user_id: served.ids.owner,
      data: { ...text('first'), files: ['f1'] },
      meta: { color: 'red' },
      is_pinned: false,
      write_access: true,
      user: { id: served.ids.owner },
      access_grants: [],
      access_control: {},
    })
    await served.owner(`${ROOT}/${note.id}/update`, {
      body: { data: text('second'), meta: { icon: 'x' } },
    })
    expect((await served.owner(`${ROOT}/${note.id}`)).body).toMatchObject({
      title: 'Plan',
      data: { ...text('second'), files: ['f1'] },
      meta: { color: 'red', icon: 'x' },
    })
  })

  it('of others are missing until they are shared, and then only readable or changeable as the grant says', async () => {
    const served = await serve()
    const id = await create(served, 'Secret plan')
    expect((await served.friend(`${ROOT}/${id}`)).status).toBe(404)
    expect((await served.friend(`${ROOT}/${id}/update`, { body: { title: 'Mine' } })).status).toBe(
      404,
    )
    await served.owner(`${ROOT}/${id}/access/update`, {
      body: shareWith(served.ids.friend, 'read'),
    })
    expect((await served.friend(`${ROOT}/${id}`)).body).toMatchObject({
      title: 'Secret plan',
      write_access: false,
    })
    expect((await served.friend(`${ROOT}/${id}/update`, { body: { title: 'Mine' } })).status).toBe(
      403,
    )
    expect((await served.friend(`${ROOT}/${id}/delete`, { method: 'DELETE' })).status).toBe(403)
    await served.owner(`${ROOT}/${id}/access/update`, {
      body: shareWith(served.ids.friend, 'write'),
    })
    expect(
      (await served.friend(`${ROOT}/${id}/update`, { body: { title: 'Ours' } })).body,
    ).toMatchObject({
      title: 'Ours',
      write_access: true,
    })
    expect((await served.friend(`${ROOT}/${id}/delete`, { method: 'DELETE' })).body).toBe(true)
    expect((await served.owner(`${ROOT}/${id}`)).status).toBe(404)
  })

  it('keep their grants when a change does not mention them', async () => {
    const served = await serve()
    const id = await create(served, 'Shared', '', shareWith(served.ids.friend, 'read'))
    await served.owner(`${ROOT}/${id}/update`, { body: { title: 'Still shared' } })
    expect((await served.friend(`${ROOT}/${id}`)).status).toBe(200)
  })

  it('are listed with the shared ones, the last changed first, in pages of 60', async () => {
    const served = await serve()
    for (let count = 0; count < 61; count += 1) await create(served, `Note ${count}`)
    await served.friend(`${ROOT}/create`, { body: { title: 'Private' } })
    expect((await served.owner(`${ROOT}/`)).body).toHaveLength(61)
    expect((await served.owner(`${ROOT}/list?page=1`)).body).toHaveLength(60)
    expect(titles(await served.owner(`${ROOT}/?page=2`))).toEqual(['Note 0'])
    expect(titles(await served.friend(`${ROOT}/`))).toEqual(['Private'])
    expect((await served.admin(`${ROOT}/`)).body).toHaveLength(62)
  })

  it('can be pinned and unpinned', async () => {
    const served = await serve()
    const id = await create(served, 'Pinned')
    await create(served, 'Other')
    expect((await served.owner(`${ROOT}/${id}/pin`, { body: {} })).body.is_pinned).toBe(true)
    expect(titles(await served.owner(`${ROOT}/pinned`))).toEqual(['Pinned'])
    await served.owner(`${ROOT}/${id}/pin`, { body: {} })
    expect((await served.owner(`${ROOT}/pinned`)).body).toEqual([])
  })

  it('are pinned by each person for themselves, also those of others', async () => {
    const served = await serve()
    const id = await create(served, 'Shared', '', shareWith(served.ids.friend, 'read'))
    expect((await served.admin(`${ROOT}/${id}/pin`, { body: {} })).body.is_pinned).toBe(true)
    expect((await served.friend(`${ROOT}/${id}`)).body.is_pinned).toBe(false)
    expect((await served.friend(`${ROOT}/${id}/pin`, { body: {} })).body.is_pinned).toBe(true)
    expect(titles(await served.friend(`${ROOT}/pinned`))).toEqual(['Shared'])
    expect((await served.owner(`${ROOT}/pinned`)).body).toEqual([])
  })

  it('have times in nanoseconds, rights as they are stored, and an author whose address only they and administrators see', async () => {
    const served = await serve()
    const before = Math.floor(Date.now() / 1000) * 1e9
    const id = await create(served, 'Shared', '', shareWith(served.ids.friend, 'read'))
    const { body: note } = await served.friend(`${ROOT}/${id}`)
    for (const time of [note.created_at, note.updated_at]) {
      expect(time).toBeGreaterThanOrEqual(before)
      expect(time).toBeLessThanOrEqual(Date.now() * 1e6)
    }
    const grant = {
      resource_type: 'note',
      resource_id: id,
      principal_type: 'user',
      principal_id: served.ids.friend,
      permission: 'read',
    }
    expect(note.access_grants).toEqual([
      { ...grant, id: expect.any(String), created_at: expect.any(Number) },
    ])
    await served.owner(`${ROOT}/${id}/access/update`, {
      body: { access_grants: [...note.access_grants] },
    })
    expect((await served.friend(`${ROOT}/${id}`)).body.access_grants).toEqual(note.access_grants)
    expect(Object.keys(note.user)).toEqual(['id', 'name', 'profile_image_url'])
    for (const reader of [served.owner, served.admin]) {
      expect((await reader(`${ROOT}/${id}`)).body.user).toMatchObject({
        role: 'user',
        email: expect.stringContaining('@'),
      })
    }
  })

  it('are found by the beginnings of words in title and text, of own and shared notes only', async () => {
    const served = await serve()
    await create(served, 'Zürich trip', 'Book the night train')
    await create(served, 'Groceries', 'Milk and bread', shareWith(served.ids.friend, 'read'))
    const find = async (who: 'owner' | 'friend', query: string) =>
      titles(await served[who](`${ROOT}/search?${query}`))
    expect(await find('owner', 'query=zur%20trai')).toEqual(['Zürich trip'])
    expect(await find('owner', 'query=milk%20train')).toEqual([])
    expect(await find('owner', 'query=%22*%20NEAR(')).toEqual([])
    expect(await find('friend', 'query=b')).toEqual(['Groceries'])
    expect(await find('friend', 'query=b&permission=write')).toEqual([])
    expect(await find('friend', 'view_option=created')).toEqual([])
    expect(await find('friend', 'view_option=shared')).toEqual(['Groceries'])
    expect(await find('owner', 'order_by=title')).toEqual(['Groceries', 'Zürich trip'])
    expect(await find('owner', 'order_by=title&direction=desc')).toEqual([
      'Zürich trip',
      'Groceries',
    ])
  })

  it('nested too deeply are refused', async () => {
    const served = await serve()
    const deep = `{"title":"x","data":{"content":{"json":${'['.repeat(150)}${']'.repeat(150)}}}}`
    expect(await served.owner(`${ROOT}/create`, { text: deep })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('levels deep') },
    })
    const id = await create(served, 'Flat')
    expect((await served.owner(`${ROOT}/${id}/update`, { text: deep })).status).toBe(400)
  })

  it('cannot grow beyond all measure change by change', async () => {
    const served = await serve()
    const id = await create(served, 'Long')
    const part = 'x'.repeat(90_000)
    const statuses: number[] = []
    for (const field of ['a', 'b', 'c'])
      statuses.push(
        (await served.owner(`${ROOT}/${id}/update`, { body: { data: { [field]: part } } })).status,
      )
    expect(statuses).toEqual([200, 200, 413])
  })
})
