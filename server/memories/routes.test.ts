import { describe, expect, it } from 'vitest'
import { servePeople } from '../testing/serve-people.ts'
import { createMemories } from './index.ts'

const ROOT = '/api/v1/memories'
const serve = () => servePeople(({ storage }) => createMemories({ storage }).routes)
type Served = Awaited<ReturnType<typeof serve>>
const add = async ({ owner }: Served, content: string): Promise<string> => (await owner(`${ROOT}/add`, { body: { content } })).body.id

describe('memories', () => {
  it('are stored, listed, changed and deleted', async () => {
    const served = await serve()
    const reply = await served.owner(`${ROOT}/add`, { body: { content: ' Likes tea ' } })
    expect(reply).toMatchObject({ status: 200, body: { user_id: served.ids.owner, content: 'Likes tea' } })
    const { id } = reply.body
    expect((await served.owner(`${ROOT}/${id}/update`, { body: { content: 'Likes coffee' } })).body).toMatchObject({
      id,
      content: 'Likes coffee',
    })
    expect((await served.owner(`${ROOT}/`)).body.map((memory: { content: string }) => memory.content)).toEqual(['Likes coffee'])
    expect((await served.owner(`${ROOT}/${id}`, { method: 'DELETE' })).body).toBe(true)
    expect((await served.owner(`${ROOT}/`)).body).toEqual([])
    expect((await served.owner(`${ROOT}/${id}`, { method: 'DELETE' })).status).toBe(404)
  })

  it('are seen, found and changed by nobody else, administrators included', async () => {
    const served = await serve()
    const id = await add(served, 'Lives in Lisbon')
    for (const other of [served.friend, served.admin]) {
      expect((await other(`${ROOT}/`)).body).toEqual([])
      expect((await other(`${ROOT}/query`, { body: { content: 'Lisbon', k: 5 } })).body.ids).toEqual([[]])
      expect((await other(`${ROOT}/${id}/update`, { body: { content: 'Other' } })).status).toBe(404)
      expect((await other(`${ROOT}/${id}`, { method: 'DELETE' })).status).toBe(404)
      expect((await other(`${ROOT}/delete/user`, { method: 'DELETE' })).body).toBe(true)
    }
    expect((await served.owner(`${ROOT}/`)).body).toHaveLength(1)
  })

  it('are found by the words of a text, the best fitting first', async () => {
    const served = await serve()
    const tea = await add(served, 'Drinks green tea every morning')
    await add(served, 'Works on weather models')
    const both = await add(served, 'The tea shop is called Morning Green')
    const ask = async (content: string, k?: number) => (await served.owner(`${ROOT}/query`, { body: { content, k } })).body
    expect((await ask('Which TEA in the morning?', 5)).ids[0].toSorted()).toEqual([tea, both].toSorted())
    const one = await ask('green tea, every day')
    expect(one).toMatchObject({ ids: [[tea]], documents: [['Drinks green tea every morning']] })
    expect(one.distances[0][0]).toBeLessThan(0)
    expect((await ask('…?!')).ids).toEqual([[]])
    expect((await ask('content OR owner : NEAR( "*', 5)).ids).toEqual([[]])
  })

  it('of scripts without spaces are found by any stretch of them', async () => {
    const served = await serve()
    const id = await add(served, '毎朝緑茶を飲みます')
    expect((await served.owner(`${ROOT}/query`, { body: { content: '緑茶' } })).body.ids).toEqual([[id]])
  })

  it('can be indexed anew and deleted all at once', async () => {
    const served = await serve()
    const id = await add(served, 'Plays the violin')
    expect((await served.owner(`${ROOT}/reset`, { body: {} })).body).toBe(true)
    expect((await served.owner(`${ROOT}/query`, { body: { content: 'violin' } })).body.ids).toEqual([[id]])
    await served.owner(`${ROOT}/${id}/update`, { body: { content: 'Plays the cello' } })
    expect((await served.owner(`${ROOT}/query`, { body: { content: 'violin' } })).body.ids).toEqual([[]])
    await served.owner(`${ROOT}/delete/user`, { method: 'DELETE' })
    expect((await served.owner(`${ROOT}/query`, { body: { content: 'cello' } })).body.ids).toEqual([[]])
  })

  it('go with their account', async () => {
    const served = await serve()
    await add(served, 'Plays the violin')
    void served.users.remove(served.ids.owner)
    expect(served.storage.sqlite.prepare('select count(*) from memory').pluck().get()).toBe(0)
  })
})
