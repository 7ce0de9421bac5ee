import { isOnPostgres } from '../testing/create-test-storage.ts'
import { describe, expect, it } from 'vitest'
import { createPeople } from '../testing/create-people.ts'
import { servePeople } from '../testing/serve-people.ts'
import { createMemoryRoutes, Memories } from './index.ts'

const ROOT = '/api/v1/memories'
/** An embedding engine that knows three topics and their words in two languages. */
const TOPICS = [/tea|coffee|drink|like|茶/i, /weather|rain|model/i, /violin|cello|music|play/i]
const embed = async (texts: readonly string[]) =>
  texts.map((text) => {
    const counts = [...TOPICS.map((topic) => Number(topic.test(text))), 0.1]
    const length = Math.hypot(...counts)
    return counts.map((count) => count / length)
  })
const settings = { onChange: () => undefined }
const serve = () =>
  servePeople(({ storage }) => createMemoryRoutes(new Memories({ storage, settings, embed })))
type Served = Awaited<ReturnType<typeof serve>>
const add = async ({ owner }: Served, content: string): Promise<string> =>
  (await owner(`${ROOT}/add`, { body: { content } })).body.id

describe('memories', () => {
  it('are stored, listed, changed and deleted', async () => {
    const served = await serve()
    const reply = await served.owner(`${ROOT}/add`, { body: { content: ' Likes tea ' } })
    expect(reply).toMatchObject({
      status: 200,
      body: { user_id: served.ids.owner, content: 'Likes tea' },
    })
    const { id } = reply.body
    expect(
      (await served.owner(`${ROOT}/${id}/update`, { body: { content: 'Likes coffee' } })).body,
    ).toMatchObject({
      id,
      content: 'Likes coffee',
    })
    expect(
      (await served.owner(`${ROOT}/`)).body.map((memory: { content: string }) => memory.content),
    ).toEqual(['Likes coffee'])
    expect((await served.owner(`${ROOT}/${id}`, { method: 'DELETE' })).body).toBe(true)
    expect((await served.owner(`${ROOT}/`)).body).toEqual([])
    expect((await served.owner(`${ROOT}/${id}`, { method: 'DELETE' })).status).toBe(404)
  })

  it('are seen, found and changed by nobody else, administrators included', async () => {
    const served = await serve()
    const id = await add(served, 'Lives in Lisbon')
    for (const other of [served.friend, served.admin]) {
      expect((await other(`${ROOT}/`)).body).toEqual([])
      expect(
        (await other(`${ROOT}/query`, { body: { content: 'Lisbon', k: 5 } })).body.ids,
      ).toEqual([[]])
      expect((await other(`${ROOT}/${id}/update`, { body: { content: 'Other' } })).status).toBe(404)
      expect((await other(`${ROOT}/${id}`, { method: 'DELETE' })).status).toBe(404)
      expect((await other(`${ROOT}/delete/user`, { method: 'DELETE' })).body).toBe(true)
    }
    expect((await served.owner(`${ROOT}/`)).body).toHaveLength(1)
  })

  it('are found by what a text means, the nearest first, with figures from 0 to 1', async () => {
    const served = await serve()
    const tea = await add(served, 'Drinks green tea every morning')
    const weather = await add(served, 'Works on weather models')
    const ask = async (content: string, k?: number) =>
      (await served.owner(`${ROOT}/query`, { body: { content, k } })).body
    expect(await ask('What do I like?')).toMatchObject({
      ids: [[tea]],
      documents: [['Drinks green tea every morning']],
    })
    const both = await ask('Will it rain?', 5)
    expect(both.ids).toEqual([[weather, tea]])
    const [near, far] = both.distances[0]
    expect(near).toBeGreaterThan(far)
    for (const each of [near, far]) {
      expect(each).toBeGreaterThanOrEqual(0)
      expect(each).toBeLessThanOrEqual(1)
    }
    await served.owner(`${ROOT}/${tea}/update`, { body: { content: 'Works on rain' } })
    expect((await ask('What do I like?', 5)).distances[0][0]).toBeLessThan(near)
  })

  it('cannot become more than allowed by two calls at once', async () => {
    const { storage, ...people } = await createPeople()
    const owner = (await people.addCaller('owner')).userId
    const memories = new Memories({ storage, settings, embed })
    const row = { user_id: owner, content: 'Likes tea', created_at: 1, updated_at: 1 }
    const rows = Array.from({ length: 9999 }, (_, place) => ({ ...row, id: `memory-${place}` }))
    for (let start = 0; start < rows.length; start += 1000)
      await storage.run(
        storage.builder.insertInto('memory').values(rows.slice(start, start + 1000)),
      )
    const added = await Promise.allSettled([
      memories.add(owner, 'Likes coffee'),
      memories.add(owner, 'Likes water'),
    ])
    expect(added.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await Array.fromAsync(memories.list(owner))).toHaveLength(10_000)
  })

  it('are found by the words of a text, in scripts without spaces too, and can be indexed anew', async () => {
    const { storage, ...people } = await createPeople()
    const owner = (await people.addCaller('owner')).userId
    const memories = new Memories({ storage, settings, embed })
    const violin = await memories.add(owner, 'Plays the violin')
    const tea = await memories.add(owner, '毎朝緑茶を飲みます')
    await memories.indexAgain(owner)
    const idsFor = async (text: string) => (await memories.find(owner, text, 5)).map(({ id }) => id)
    expect(await idsFor('a VIOLIN')).toEqual([violin.id])
    expect(await idsFor('緑茶')).toEqual([tea.id])
    expect(await idsFor('content OR owner : NEAR( "*')).toEqual([])
    await memories.update(owner, violin.id, 'Plays the cello')
    expect(await idsFor('violin')).toEqual([])
  })

  it.skipIf(isOnPostgres)(
    'are listed, indexed anew and deleted in steps between which others are served, however many there are',
    async () => {
      const { storage, ...people } = await createPeople()
      const owner = (await people.addCaller('owner')).userId
      const memories = new Memories({ storage, settings, embed })
      const contents = Array.from(
        { length: 2000 },
        (_, place) => `memory ${place} ${'of many words '.repeat(50)}`,
      )
      for (const content of contents) await memories.add(owner, content)
      const list = memories.list(owner)
      expect((await list.next()).value?.content === contents[0]).toBe(true)
      const seen: number[] = []
      const count = (): number =>
        storage.sqlite.prepare<[], number>('select count(*) from memory').pluck().get()!
      let timer = setImmediate(function look() {
        seen.push(count())
        timer = setImmediate(look)
      })
      await memories.indexAgain(owner)
      expect(seen.length).toBeGreaterThan(1)
      expect(await memories.find(owner, 'memory', 5000)).toHaveLength(contents.length)
      seen.length = 0
      await memories.removeAll(owner)
      clearImmediate(timer)
      expect(seen.some((left) => left > 0 && left < contents.length)).toBe(true)
      expect(count()).toBe(0)
      // Only those read together with the first one.
      expect((await Array.fromAsync(list)).length).toBeLessThan(64)
    },
  )

  it('can be deleted all at once', async () => {
    const served = await serve()
    await add(served, 'Plays the violin')
    expect((await served.owner(`${ROOT}/reset`, { body: {} })).body).toBe(true)
    await served.owner(`${ROOT}/delete/user`, { method: 'DELETE' })
    expect((await served.owner(`${ROOT}/query`, { body: { content: 'cello' } })).body.ids).toEqual([
      [],
    ])
  })

  it('go with their account', async () => {
    const served = await serve()
    await add(served, 'Plays the violin')
    await served.users.remove(served.ids.owner)
    expect(await served.storage.prepare('select count(*) from memory').pluck().get()).toBe(0)
  })
})
