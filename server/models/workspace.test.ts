import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Model } from '#contract/models.ts'
import { startModelGateway, type ModelGateway } from '../testing/start-model-gateway.ts'

let gateway: ModelGateway
beforeEach(async () => {
  gateway = await startModelGateway()
})
afterEach(() => gateway.close())

const TUTOR = {
  id: 'tutor',
  name: 'Tutor',
  base_model_id: 'llama:8b',
  params: { system: 'Be patient.', temperature: 0.3, custom_params: { mood: 'calm' } },
  meta: {
    description: 'Explains.',
    capabilities: { vision: false },
    tags: [{ name: 'school' }],
    toolIds: ['t1'],
    anything: { else: [1] },
  },
}
const create = (model: unknown = TUTOR) => gateway.post('admin', '/api/v1/models/create', model)
const update = (changes: unknown) => gateway.post('admin', '/api/v1/models/model/update', changes)
const read = async (id: string) =>
  (await gateway.get('admin', `/api/v1/models/model?id=${encodeURIComponent(id)}`)).body

async function find(id: string): Promise<Model> {
  const { body } = await gateway.get('admin', '/api/models')
  return body.data.find((model: Model) => model.id === id)
}

describe('a workspace model', () => {
  it('keeps free-form meta and params, and is listed as a preset without its params', async () => {
    const { status, body } = await create()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...TUTOR,
      user_id: gateway.ids.admin,
      is_active: true,
      write_access: true,
      access_control: {},
    })
    const entry = await find('tutor')
    expect(entry).toMatchObject({
      name: 'Tutor',
      preset: true,
      owned_by: (await find('llama:8b')).owned_by,
      tags: [{ name: 'school' }],
    })
    expect(entry).toMatchObject({
      actions: [],
      filters: [],
      connection_type: 'local',
      object: 'model',
    })
    expect(entry.info).toMatchObject({
      id: 'tutor',
      base_model_id: 'llama:8b',
      is_active: true,
      meta: { toolIds: ['t1'] },
    })
    expect(entry.info).not.toHaveProperty('params')
    expect(entry.info.meta.capabilities).toMatchObject({ vision: false, tools: true })
  })

  it('is described with capabilities as list and as map, and can be saved as it was read', async () => {
    await create()
    const info = await read('tutor')
    expect(info).toMatchObject({
      model: 'llama:8b',
      base_model_id: 'llama:8b',
      meta: { capability_flags: { vision: false, tools: true } },
    })
    expect(info.meta.capabilities).toContain('tools')
    expect(info.meta.capabilities).not.toContain('vision')
    await update(info)
    expect(await read('tutor')).toEqual({ ...info, updated_at: expect.any(Number) })
  })

  it('that two people make under one id in the same moment belongs to one of them', async () => {
    const replies = await Promise.all(
      (['owner', 'member', 'admin'] as const).map((name) =>
        gateway.post(name, '/api/v1/models/create', { ...TUTOR, name: `Of ${name}` }),
      ),
    )
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 400, 400,
    ])
    const [made] = replies.filter(({ status }) => status === 200)
    expect(await read('tutor')).toMatchObject({
      name: made!.body.name,
      user_id: made!.body.user_id,
    })
  })

  it('takes capabilities as a list of names too', async () => {
    const { body } = await create({ ...TUTOR, meta: { capabilities: ['vision', 'usage'] } })
    expect(body.meta.capabilities).toEqual({ vision: true, usage: true })
  })

  it('answers through its base, with its instructions and parameters ready for the pipeline', async () => {
    await create()
    const { models } = gateway.server.context
    const resolved = await models.resolve(
      { role: 'admin', userId: gateway.ids.admin, keyId: null } as never,
      'tutor',
    )
    expect(resolved).toMatchObject({
      publicId: 'tutor',
      model: { id: 'llama:8b' },
      entry: { name: 'Tutor' },
    })
    expect(resolved.preset).toMatchObject({
      system: 'Be patient.',
      params: { temperature: 0.3 },
      meta: { toolIds: ['t1'] },
    })
    expect(resolved.preset?.params).not.toHaveProperty('system')
    await update({ id: 'tutor', base_model_id: 'cloud-1' })
    expect((await gateway.ask('admin', 'tutor')).status).toBe(200)
    const messages = [{ role: 'system', content: 'Be patient.' }, { role: 'user' }]
    expect(gateway.remote.requests.at(-1)?.json).toMatchObject({
      model: 'cloud-1',
      temperature: 0.3,
      mood: 'calm',
      messages,
    })
  })

  it('takes over defaults of all models and of its base where it says nothing itself', async () => {
    await create()
    await update({ id: 'llama:8b', params: { top_p: 0.5, temperature: 1 } })
    const defaults = { DEFAULT_MODEL_PARAMS: { top_p: 0.1, top_k: 7, system: 'Default' } }
    await gateway.post('admin', '/api/v1/configs/models', defaults)
    const admin = { role: 'admin', userId: gateway.ids.admin, keyId: null } as never
    const presetOf = async (id: string) =>
      (await gateway.server.context.models.resolve(admin, id)).preset
    expect(await presetOf('tutor')).toMatchObject({
      system: 'Be patient.',
      params: { top_p: 0.5, top_k: 7, temperature: 0.3 },
    })
    expect(await presetOf('llama:8b')).toMatchObject({
      system: 'Default',
      params: { top_p: 0.5, top_k: 7, temperature: 1 },
    })
    await gateway.post('admin', '/api/v1/configs/models', { DEFAULT_MODEL_PARAMS: null })
    expect(await presetOf('cloud-1')).toBeNull()
  })

  it('is changed field by field', async () => {
    await create()
    const { body } = await update({ id: 'tutor', name: 'Coach', is_active: null })
    expect(body).toMatchObject({ ...TUTOR, name: 'Coach', is_active: true })
    expect((await update({ id: 'tutor', params: { top_p: null, seed: 1 } })).body.params).toEqual({
      seed: 1,
    })
    expect((await update({ id: 'tutor', base_model_id: 'cloud-1' })).body.base_model_id).toBe(
      'cloud-1',
    )
  })

  it('is changed and removed by the spellings of older releases', async () => {
    await create()
    const old = await gateway.post('admin', '/api/v1/models/model/update?id=tutor', {
      name: 'Old way',
      access_control: null,
    })
    expect(old.body).toMatchObject({ id: 'tutor', name: 'Old way', access_control: null })
    expect(old.body.access_grants).toMatchObject([
      { principal_type: 'user', principal_id: '*', permission: 'read' },
    ])
    expect((await gateway.remove('admin', '/api/v1/models/model/delete?id=tutor')).body).toBe(true)
    await create()
    expect((await gateway.post('admin', '/api/v1/models/model/delete', { id: 'tutor' })).body).toBe(
      true,
    )
    expect((await gateway.ask('admin', 'tutor')).status).toBe(400)
    expect((await gateway.post('admin', '/api/v1/models/model/delete', {})).status).toBe(400)
    expect((await gateway.remove('admin', '/api/v1/models/model/delete?id=tutor')).status).toBe(404)
  })

  it('forgets who was let in when it is removed', async () => {
    await create({ ...TUTOR, access_control: null })
    await gateway.remove('admin', '/api/v1/models/delete/all')
    expect((await create()).body.access_grants).toEqual([])
  })

  it('goes with the account of its owner', async () => {
    await gateway.post('owner', '/api/v1/models/create', TUTOR)
    await gateway.remove('admin', `/api/v1/users/${gateway.ids.owner}`)
    const { body } = await gateway.get('admin', '/api/v1/models/list')
    expect(body.items).toEqual([])
    expect((await update({ id: 'tutor', name: 'Still here' })).status).toBe(404)
  })

  it.each([
    ['an id that is taken', { ...TUTOR, id: 'cloud-1' }, 400],
    ['an id of 257 characters', { ...TUTOR, id: 'x'.repeat(257) }, 400],
    ['an id with control characters', { ...TUTOR, id: 'a\u0000b' }, 400],
    ['itself as base', { ...TUTOR, base_model_id: 'tutor' }, 400],
    ['no name', { ...TUTOR, name: ' ' }, 422],
    ['meta that is no object', { ...TUTOR, meta: [] }, 422],
    [
      'meta nested too deeply',
      { ...TUTOR, meta: JSON.parse(`{"a":${'['.repeat(150)}${']'.repeat(150)}}`) },
      400,
    ],
    [
      'a drawing that could hold script',
      { ...TUTOR, meta: { profile_image_url: 'data:image/svg+xml;base64,PHN2Zz4=' } },
      400,
    ],
    [
      'an address that is no picture',
      { ...TUTOR, meta: { profile_image_url: 'javascript:alert(1)' } },
      400,
    ],
  ])('cannot be made with %s', async (_, model, status) => {
    expect((await create(model)).status).toBe(status)
  })

  it('cannot stand on another workspace model', async () => {
    await create()
    expect((await create({ id: 'second', name: 'Second', base_model_id: 'tutor' })).status).toBe(
      400,
    )
    expect((await create()).body.detail).toMatch(/already a model/)
  })

  it('keeps keys of prototypes as data', async () => {
    await create(
      `{"id":"p","name":"P","base_model_id":"cloud-1","params":{"__proto__":{"polluted":true},"constructor":1}}`,
    )
    expect((await gateway.ask('admin', 'p')).status).toBe(200)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

describe('a model of a connection', () => {
  it('is renamed and described by a row under its id, and is itself again without it', async () => {
    await update({ id: 'cloud-1', name: 'Big one', meta: { description: 'Slow but sure.' } })
    expect(await find('cloud-1')).toMatchObject({
      name: 'Big one',
      info: { meta: { description: 'Slow but sure.' } },
    })
    expect(await find('cloud-1')).not.toHaveProperty('preset')
    const { body } = await gateway.get('admin', '/api/v1/models/base')
    expect(body).toMatchObject([{ id: 'cloud-1', base_model_id: null }])
    await gateway.post('admin', '/api/v1/models/model/delete', { id: 'cloud-1' })
    expect(await find('cloud-1')).toMatchObject({ name: 'cloud-1' })
  })

  it('keeps what several administrators change at once', async () => {
    const post = (changes: object) =>
      gateway.post('admin', '/api/v1/models/model/update', { id: 'cloud-1', ...changes })
    await Promise.all([
      post({ name: 'Cloud' }),
      post({ params: { temperature: 0.1 } }),
      post({ meta: { description: 'Far away' } }),
    ])
    expect(await read('cloud-1')).toMatchObject({
      name: 'Cloud',
      params: { temperature: 0.1 },
      meta: { description: 'Far away' },
    })
  })

  it('is 404 for administrators too when no connection has it', async () => {
    expect((await update({ id: 'nowhere', name: 'x' })).status).toBe(404)
    expect((await gateway.post('admin', '/api/v1/models/model/toggle?id=nowhere')).status).toBe(404)
  })
})

describe('the list of workspace models', () => {
  beforeEach(async () => {
    for (let index = 0; index < 32; index += 1) {
      const meta = { tags: [{ name: index % 2 ? 'odd' : 'even' }] }
      await create({
        id: `m${String(index).padStart(2, '0')}`,
        name: `Model ${String(31 - index).padStart(2, '0')}`,
        base_model_id: 'cloud-1',
        meta,
      })
    }
    await gateway.post('owner', '/api/v1/models/create', { ...TUTOR, id: 'own' })
  })
  const ids = async (query: string, name: 'admin' | 'owner' = 'admin') => {
    const { body } = await gateway.get(name, `/api/v1/models/list${query}`)
    return { total: body.total, ids: body.items.map(({ id }: { id: string }) => id) }
  }

  it('comes in pages of 30, searched, filtered and sorted', async () => {
    expect((await ids('')).ids).toHaveLength(30)
    expect(await ids('?page=2&order_by=created_at&direction=asc')).toMatchObject({
      total: 33,
      ids: expect.objectContaining({ length: 3 }),
    })
    expect((await ids('?order_by=name')).ids[0]).toBe('m31')
    expect((await ids('?order_by=name&direction=desc')).ids.slice(0, 2)).toEqual(['own', 'm00'])
    expect(await ids('?query=MODEL%2007')).toEqual({ total: 1, ids: ['m24'] })
    expect(await ids('?tag=odd')).toMatchObject({ total: 16 })
    expect(await ids('?view_option=created')).toMatchObject({ total: 32 })
    expect(await ids('?view_option=shared')).toEqual({ total: 1, ids: ['own'] })
  })

  it('has what the caller may read, with the tags of it', async () => {
    expect(await ids('', 'owner')).toEqual({ total: 1, ids: ['own'] })
    expect((await gateway.get('admin', '/api/v1/models/tags')).body).toEqual([
      'even',
      'odd',
      'school',
    ])
    expect((await gateway.get('owner', '/api/v1/models/tags')).body).toEqual(['school'])
  })
})

describe('the picture of a model', () => {
  const PNG =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  let token: string
  const picture = (id: string, accept = 'image/svg+xml') =>
    gateway.server.call('GET', `/api/v1/models/model/profile/image?id=${id}`, {
      token,
      headers: { accept },
    })
  beforeEach(async () => {
    const reply = await gateway.server.call('POST', '/api/v1/auths/signin', {
      body: { email: 'admin@example.com', password: 'correct horse battery' },
    })
    token = ((await reply.json()) as { token: string }).token
  })

  it('row 24: is the stored one by its content, with headers that keep it inert; lists only have its address', async () => {
    await create({ ...TUTOR, meta: { profile_image_url: PNG.replace('png', 'svg+xml') } })
    expect((await find('tutor')).info.meta['profile_image_url']).toBe(
      '/api/v1/models/model/profile/image?id=tutor',
    )
    expect((await read('tutor')).meta.profile_image_url).toMatch(/^data:/)
    const reply = await picture('tutor')
    expect(reply.headers.get('content-type')).toBe('image/png')
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    expect(reply.headers.get('content-security-policy')).toContain('sandbox')
  })

  it('stays when a model is saved as a list gave it', async () => {
    await create({ ...TUTOR, meta: { profile_image_url: PNG } })
    await update({ id: 'tutor', meta: (await find('tutor')).info.meta })
    expect((await read('tutor')).meta.profile_image_url).toBe(PNG)
  })

  it('leads nobody anywhere, and may not be an address of the gateway that could do something', async () => {
    for (const address of [
      'https://pictures.example/a.png',
      '/static/a.png',
      `${gateway.server.url}/api/v1/auths/signout`,
    ]) {
      expect((await update({ id: 'cloud-1', meta: { profile_image_url: address } })).status).toBe(
        200,
      )
      expect((await find('cloud-1')).info.meta['profile_image_url']).toBe(address)
      const path = '/api/v1/models/model/profile/image?id=cloud-1'
      const reply = await fetch(gateway.server.url + path, {
        headers: { Authorization: `Bearer ${token}` },
        redirect: 'manual',
      })
      expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/png'])
    }
    for (const address of ['/api/v1/auths/signout', '/api/v1/x.png', '//evil.example/a.png']) {
      expect((await update({ id: 'cloud-1', meta: { profile_image_url: address } })).status).toBe(
        400,
      )
    }
  })

  it('is a drawn letter otherwise, and 404 for a model the caller may not use', async () => {
    const reply = await picture('cloud-1')
    expect(reply.headers.get('content-type')).toContain('image/svg+xml')
    expect(await reply.text()).toContain('>C<')
    expect((await picture('cloud-1', '*/*')).headers.get('content-type')).toBe('image/png')
    expect(
      (await gateway.get('stranger', '/api/v1/models/model/profile/image?id=cloud-1')).status,
    ).toBe(404)
  })
})

it('the local runtime is asked to unload its own models only', async () => {
  expect((await gateway.post('admin', '/api/models/unload', { model: 'cloud-1' })).status).toBe(400)
  expect((await gateway.post('admin', '/api/models/unload', { model: 'nobody' })).status).toBe(400)
  expect(await gateway.post('admin', '/api/models/unload', { model: 'llama:8b' })).toEqual({
    status: 200,
    body: { status: true },
  })
  expect(gateway.runtime.requests.at(-1)).toMatchObject({
    path: '/api/generate',
    json: { model: 'llama:8b', keep_alive: 0 },
  })
})
