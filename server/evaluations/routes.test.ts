import { isOnPostgres } from '../testing/create-test-storage.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startModelGateway, type ModelGateway } from '../testing/start-model-gateway.ts'

let gateway: ModelGateway
beforeEach(async () => {
  gateway = await startModelGateway()
})
afterEach(() => gateway.close())

const ROOT = '/api/v1/evaluations'
const rate = (
  name: 'owner' | 'member',
  data: Record<string, unknown>,
  more: Record<string, unknown> = {},
) => gateway.post(name, `${ROOT}/feedback`, { type: 'rating', data, ...more })

describe('a rating', () => {
  it('keeps everything that came with it and is changed part by part', async () => {
    const data = {
      rating: 1,
      model_id: 'cloud-1',
      sibling_model_ids: ['cloud-2'],
      reason: 'thorough',
      extra: { kept: true },
    }
    const sent = { meta: { arena: true, chat_id: 'c1' }, snapshot: { chat: { title: 'T' } } }
    const { status, body } = await rate('owner', data, sent)
    expect(status).toBe(200)
    expect(body).toMatchObject({ type: 'rating', user_id: gateway.ids.owner, data, ...sent })
    const changed = await gateway.post('owner', `${ROOT}/feedback/${body.id}`, {
      data: { ...data, rating: -1 },
    })
    expect(changed.body).toMatchObject({ data: { rating: -1 }, ...sent })
    expect((await gateway.get('owner', `${ROOT}/feedback/${body.id}`)).body).toEqual(changed.body)
  })

  it('is 404 for others, read by administrators, and gone when taken back', async () => {
    const { id } = (await rate('owner', { rating: 1 })).body
    const path = `${ROOT}/feedback/${id}`
    expect((await gateway.get('member', path)).status).toBe(404)
    expect((await gateway.post('member', path, { data: {} })).status).toBe(404)
    expect((await gateway.remove('member', path)).status).toBe(404)
    expect((await gateway.get('admin', path)).status).toBe(200)
    expect((await gateway.remove('owner', path)).body).toBe(true)
    expect((await gateway.get('owner', path)).status).toBe(404)
  })

  it('is not a place to keep files, but may bring the chat as it was', async () => {
    expect((await rate('owner', { blob: 'x'.repeat(200_000) })).status).toBe(413)
    expect((await rate('owner', {}, { meta: { blob: 'x'.repeat(200_000) } })).status).toBe(413)
    const snapshot = { chat: { text: 'x'.repeat(200_000) } }
    const { status, body } = await rate('owner', { rating: 1 }, { snapshot })
    expect([status, body.snapshot]).toEqual([200, snapshot])
    expect(
      (
        await gateway.post('owner', `${ROOT}/feedback/${body.id}`, {
          data: { blob: 'x'.repeat(200_000) },
        })
      ).status,
    ).toBe(413)
    const { items, total } = (await gateway.get('owner', `${ROOT}/feedbacks/user`)).body
    expect(total).toBe(1)
    expect((await gateway.get('owner', `${ROOT}/feedbacks/user?page=2`)).body).toEqual({
      items: [],
      total: 1,
    })
    const [own] = items
    expect(own).toMatchObject({ id: body.id, data: { rating: 1 } })
    expect(own).not.toHaveProperty('snapshot')
    expect((await gateway.get('admin', `${ROOT}/feedbacks/all/export`)).body).toEqual([body])
  })

  it('says of what type it is', async () => {
    expect((await gateway.post('owner', `${ROOT}/feedback`, {})).status).toBe(422)
  })

  it('is refused while ratings are switched off', async () => {
    await gateway.server.context.settings.update({ ENABLE_MESSAGE_RATING: false })
    expect((await rate('owner', { rating: 1 })).status).toBe(403)
  })

  it('goes with the account it came from', async () => {
    await rate('owner', { rating: 1 })
    await gateway.remove('admin', `/api/v1/users/${gateway.ids.owner}`)
    expect((await gateway.get('admin', `${ROOT}/feedbacks/all/ids`)).body).toEqual([])
  })
})

describe('ratings of everybody', () => {
  beforeEach(async () => {
    await rate(
      'owner',
      { rating: 1, model_id: 'cloud-1', sibling_model_ids: ['cloud-2'] },
      { snapshot: { chat: {} } },
    )
    await rate('member', { rating: -1, model_id: 'cloud-2' })
    await rate('member', { rating: 1, model_id: 'a/b:c' })
  })

  it('are paged, filtered and sorted for administrators, and people see their own', async () => {
    const list = async (query: string) =>
      (await gateway.get('admin', `${ROOT}/feedbacks/list${query}`)).body
    expect(await list('')).toMatchObject({
      total: 3,
      items: [{ data: { model_id: 'a/b:c' }, user: { name: 'member' } }, {}, {}],
    })
    expect((await list('')).items[2]).not.toHaveProperty('snapshot')
    expect(await list('?model_id=cloud-2')).toMatchObject({ total: 1 })
    expect((await list('?order_by=rating&direction=asc')).items[0].data.rating).toBe(-1)
    expect(await list('?page=2')).toEqual({ total: 3, items: [] })
    expect((await gateway.get('member', `${ROOT}/feedbacks/user`)).body.items).toHaveLength(2)
    expect((await gateway.get('member', `${ROOT}/feedbacks/list`)).status).toBe(401)
  })

  it('are exported with their chats, under both spellings', async () => {
    const { body } = await gateway.get('admin', `${ROOT}/feedbacks/all/export`)
    expect(body[0].snapshot).toEqual({ chat: {} })
    expect((await gateway.get('admin', `${ROOT}/feedbacks/all`)).body).toEqual(body)
    expect((await gateway.get('admin', `${ROOT}/feedbacks/models`)).body).toEqual([
      'a/b:c',
      'cloud-1',
      'cloud-2',
    ])
  })

  it('make the leaderboard and its history', async () => {
    const { body } = await gateway.get('admin', `${ROOT}/leaderboard`)
    expect(body.entries.map(({ model_id }: { model_id: string }) => model_id)).toEqual([
      'cloud-1',
      'a/b:c',
      'cloud-2',
    ])
    const history = await gateway.get(
      'admin',
      `${ROOT}/leaderboard/${encodeURIComponent('a/b:c')}/history`,
    )
    expect(history.body.history).toHaveLength(30)
    expect(history.body.history.at(-1)).toMatchObject({ won: 1, lost: 0 })
  })

  it.skipIf(isOnPostgres)(
    'are forgotten one in each step, as each may hold a long chat',
    async () => {
      const { sqlite } = gateway.server.context.storage
      const count = sqlite.prepare<[], number>('select count(*) from feedback').pluck()
      for (const [place, path] of ['feedbacks', 'feedbacks/all'].entries()) {
        for (let each = 0; each < 6; each += 1)
          await rate('owner', { rating: 1 }, { snapshot: { chat: 'x'.repeat(4_000_000) } })
        const seen = new Set<number>()
        let timer = setImmediate(function look() {
          seen.add(count.get()!)
          timer = setImmediate(look)
        })
        await gateway.remove(place === 0 ? 'owner' : 'admin', `${ROOT}/${path}`)
        clearImmediate(timer)
        expect(seen.size, path).toBeGreaterThan(2)
        expect(count.get(), path).toBe(place === 0 ? 2 : 0)
      }
    },
  )

  it('are forgotten one person at a time or all together', async () => {
    await gateway.remove('member', `${ROOT}/feedbacks`)
    expect((await gateway.get('admin', `${ROOT}/feedbacks/all/ids`)).body).toHaveLength(1)
    await gateway.remove('admin', `${ROOT}/feedbacks/all`)
    expect((await gateway.get('admin', `${ROOT}/feedbacks/all/ids`)).body).toEqual([])
  })
})
