import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Model } from '#contract/models.ts'
import { startModelGateway, type ModelGateway } from '../testing/start-model-gateway.ts'

let gateway: ModelGateway
beforeEach(async () => {
  gateway = await startModelGateway({ ENABLE_EVALUATION_ARENA_MODELS: 'true' })
})
afterEach(() => gateway.close())

const CONFIG = '/api/v1/evaluations/config'
const setUp = (...arenas: unknown[]) =>
  gateway.post('admin', CONFIG, { EVALUATION_ARENA_MODELS: arenas })
const openToAll = (id: string) =>
  gateway.post('admin', '/api/v1/models/model/access/update', { id, access_control: null })

async function arenasFor(name: 'admin' | 'owner' | 'stranger'): Promise<Model[]> {
  const { body } = await gateway.get(name, '/api/models')
  return body.data.filter(({ owned_by }: Model) => owned_by === 'arena')
}

/** Returns the models that answer when an entry is asked many times. */
async function chosenBy(id: string, name: 'admin' | 'owner' = 'admin'): Promise<string[]> {
  const caller = {
    role: name === 'admin' ? 'admin' : 'user',
    userId: gateway.ids[name],
    keyId: null,
  } as never
  const chosen = new Set<string>()
  for (let count = 0; count < 60; count += 1) {
    const resolved = await gateway.server.context.models.resolve(caller, id)
    expect(resolved.entry.id).toBe(id)
    expect(resolved.model.id).toBe(resolved.selectedModelId)
    chosen.add(resolved.selectedModelId!)
  }
  return [...chosen].toSorted()
}

describe('the arena', () => {
  it('is an entry that answers with a random model, once there is one besides the guide', async () => {
    expect(await arenasFor('admin')).toMatchObject([
      { id: 'arena-model', arena: true, owned_by: 'arena' },
    ])
    expect(await chosenBy('arena-model')).toEqual(['cloud-1', 'cloud-2', 'llama:8b'])
    expect((await gateway.ask('admin', 'arena-model')).status).toBe(200)
    expect(await arenasFor('owner')).toEqual([])
  })

  it('has details like every other model of the list, for those who may use it', async () => {
    const details = (name: 'admin' | 'owner', id: string) =>
      gateway.get(name, `/api/v1/models/model?id=${id}`)
    const { status, body } = await details('admin', 'arena-model')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: 'arena-model',
      name: 'Arena',
      model: 'arena-model',
      base_model_id: null,
      meta: { capabilities: [], capability_flags: {}, context_length: null },
      params: {},
      write_access: false,
      created_at: 0,
      updated_at: 0,
    })
    expect(body.meta.description).toMatch(/random model/)
    expect((await details('owner', 'arena-model')).status).toBe(404)
    await openToAll('cloud-2')
    expect((await details('owner', 'arena-model')).status).toBe(200)
    await setUp({ id: 'clouds', name: 'Clouds', meta: { model_ids: ['cloud-1'] } })
    expect((await details('admin', 'arena-model')).status).toBe(404)
    expect((await details('owner', 'clouds')).status).toBe(404)
    expect((await details('admin', 'clouds')).body.name).toBe('Clouds')
  })

  it('chooses among what the caller may use', async () => {
    await openToAll('cloud-2')
    expect(await chosenBy('arena-model', 'owner')).toEqual(['cloud-2'])
    expect((await gateway.ask('stranger', 'arena-model')).status).toBe(200)
  })

  it('leaves hidden models out', async () => {
    for (const id of ['cloud-1', 'cloud-2'])
      await gateway.post('admin', `/api/v1/models/model/toggle?id=${id}`)
    expect(await chosenBy('arena-model')).toEqual(['llama:8b'])
  })

  it('can be several entries, each over models named or left out', async () => {
    const { body } = await setUp(
      {
        id: 'clouds',
        name: 'Clouds',
        meta: { model_ids: ['cloud-1', 'cloud-2'], description: 'Two of them' },
      },
      {
        id: 'rest',
        name: 'Rest',
        meta: { model_ids: ['cloud-1', 'cloud-2'], filter_mode: 'exclude' },
      },
      { id: 'none', name: 'None', meta: { model_ids: ['gone'] } },
    )
    expect(body).toMatchObject({
      ENABLE_EVALUATION_ARENA_MODELS: true,
      EVALUATION_ARENA_MODELS: [{ id: 'clouds' }, { id: 'rest' }, { id: 'none' }],
    })
    expect((await arenasFor('admin')).map(({ id }) => id)).toEqual(['clouds', 'rest'])
    expect(await chosenBy('clouds')).toEqual(['cloud-1', 'cloud-2'])
    expect(await chosenBy('rest')).toEqual(['llama:8b'])
    expect((await gateway.ask('admin', 'arena-model')).status).toBe(400)
  })

  it('is for whom its grants let in, in either spelling; for everybody without any', async () => {
    await openToAll('cloud-1')
    const group = { principal_type: 'group', principal_id: gateway.groupId, permission: 'read' }
    await setUp(
      { id: 'open', name: 'Open', meta: {} },
      { id: 'group', name: 'Group', meta: { access_grants: [group] } },
      {
        id: 'old',
        name: 'Old',
        meta: { access_control: { read: { user_ids: [gateway.ids.stranger] } } },
      },
      { id: 'admins', name: 'Admins', meta: { access_grants: [] } },
    )
    const idsFor = async (name: 'admin' | 'owner' | 'stranger') =>
      (await arenasFor(name)).map(({ id }) => id)
    expect(await idsFor('admin')).toEqual(['open', 'group', 'old', 'admins'])
    expect(await idsFor('owner')).toEqual(['open', 'group'])
    expect(await idsFor('stranger')).toEqual(['open', 'old'])
    const [forbidden, unknown] = await Promise.all(
      ['admins', 'nobody'].map((id) => gateway.ask('owner', id)),
    )
    expect(JSON.stringify(forbidden!.body).replaceAll('admins', 'nobody')).toBe(
      JSON.stringify(unknown!.body),
    )
  })

  it('is gone when it is switched off', async () => {
    await gateway.post('admin', CONFIG, { ENABLE_EVALUATION_ARENA_MODELS: false })
    expect(await arenasFor('admin')).toEqual([])
    expect((await gateway.ask('admin', 'arena-model')).status).toBe(400)
  })

  it('refuses two entries with one id, and pictures that could hold script', async () => {
    const twin = { id: 'twin', name: 'Twin' }
    expect((await setUp(twin, twin)).status).toBe(400)
    expect(
      (await setUp({ ...twin, meta: { profile_image_url: 'data:text/html;base64,PGI+' } })).status,
    ).toBe(400)
  })
})
