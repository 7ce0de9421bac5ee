import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startModelGateway, type ModelGateway } from '../testing/start-model-gateway.ts'

let gateway: ModelGateway
beforeEach(async () => {
  gateway = await startModelGateway()
})
afterEach(() => gateway.close())

const EVERYBODY = [{ principal_type: 'user', principal_id: '*', permission: 'read' }]
const PEOPLE = ['admin', 'owner', 'member', 'stranger'] as const

/** Returns which users see a model in the list, may chat with it, and may read and change it. */
async function matrixOf(id: string) {
  const rows = PEOPLE.map(async (name) => {
    const listed = (await gateway.idsFor(name)).includes(id)
    const asked = (await gateway.ask(name, id)).status
    const info = await gateway.get(name, `/api/v1/models/model?id=${id}`)
    expect(listed).toBe(asked === 200)
    return [
      name,
      `${asked} ${info.status === 200 && info.body.write_access ? 'writes' : info.status}`,
    ] as const
  })
  return Object.fromEntries(await Promise.all(rows))
}

const share = (id: string, access: Record<string, unknown>) =>
  gateway.post('admin', '/api/v1/models/model/access/update', { id, ...access })
const makeTutor = (access: Record<string, unknown> = {}) =>
  gateway.post('owner', '/api/v1/models/create', {
    id: 'tutor',
    name: 'Tutor',
    base_model_id: 'cloud-1',
    ...access,
  })

describe('models of connections', () => {
  it('are for administrators until somebody is let in, in either spelling', async () => {
    const hidden = { owner: '400 404', member: '400 404', stranger: '400 404' }
    expect(await matrixOf('cloud-1')).toEqual({ admin: '200 writes', ...hidden })
    await share('cloud-1', { access_grants: EVERYBODY })
    const open = { owner: '200 200', member: '200 200', stranger: '200 200' }
    expect(await matrixOf('cloud-1')).toEqual({ admin: '200 writes', ...open })
    await share('cloud-1', {
      access_control: { read: { group_ids: [gateway.groupId], user_ids: [] } },
    })
    expect(await matrixOf('cloud-1')).toEqual({ admin: '200 writes', ...open, stranger: '400 404' })
    await share('cloud-1', { access_control: null })
    expect(await matrixOf('cloud-1')).toMatchObject(open)
    await share('cloud-1', { access_control: {} })
    expect(await matrixOf('cloud-1')).toMatchObject(hidden)
  })

  it('are named by the row that lets people in', async () => {
    const row = await share('cloud-1', { name: 'Big one', access_grants: EVERYBODY })
    expect(row.body).toMatchObject({
      id: 'cloud-1',
      name: 'Big one',
      base_model_id: null,
      access_grants: EVERYBODY,
      access_control: null,
    })
    const { body } = await gateway.get('stranger', '/api/models')
    expect(body.data.find(({ id }: { id: string }) => id === 'cloud-1').name).toBe('Big one')
  })
})

describe('workspace models', () => {
  it('need access to the model and to its base', async () => {
    await makeTutor()
    expect(await matrixOf('tutor')).toEqual({
      admin: '200 writes',
      owner: '400 writes',
      member: '400 404',
      stranger: '400 404',
    })
    await share('cloud-1', { access_control: { read: { group_ids: [gateway.groupId] } } })
    expect(await matrixOf('tutor')).toEqual({
      admin: '200 writes',
      owner: '200 writes',
      member: '400 404',
      stranger: '400 404',
    })
    await share('tutor', { access_grants: EVERYBODY })
    expect(await matrixOf('tutor')).toEqual({
      admin: '200 writes',
      owner: '200 writes',
      member: '200 200',
      stranger: '400 200',
    })
  })

  it('are changed by whom the owner lets write, and by nobody who may only use them', async () => {
    const grants = [
      { principal_type: 'user', principal_id: gateway.ids.member, permission: 'write' },
      { principal_type: 'user', principal_id: gateway.ids.stranger, permission: 'read' },
    ]
    await makeTutor({ access_grants: grants })
    const rename = (name: 'member' | 'stranger' | 'owner') =>
      gateway.post(name, '/api/v1/models/model/update', { id: 'tutor', name })
    expect((await rename('member')).body.name).toBe('member')
    expect((await rename('stranger')).status).toBe(403)
    await gateway.post('owner', '/api/v1/models/model/access/update', {
      id: 'tutor',
      access_grants: [],
    })
    expect((await rename('member')).status).toBe(404)
    expect(
      (await gateway.post('member', '/api/v1/models/model/delete', { id: 'tutor' })).status,
    ).toBe(404)
    expect((await gateway.post('member', '/api/v1/models/model/toggle?id=tutor')).status).toBe(404)
  })

  it('are shared with everybody only by whom that is permitted', async () => {
    const { body } = await makeTutor({ access_grants: EVERYBODY })
    expect(body.access_grants).toEqual([])
    expect((await share('tutor', { access_grants: EVERYBODY })).body.access_grants).toMatchObject(
      EVERYBODY,
    )
    const listed = (await gateway.get('admin', '/api/models')).body.data.find(
      ({ id }: { id: string }) => id === 'tutor',
    )
    const record = {
      id: expect.any(String),
      resource_type: 'model',
      resource_id: 'tutor',
      created_at: expect.any(Number),
    }
    expect(listed.info.access_grants).toEqual(EVERYBODY.map((grant) => ({ ...grant, ...record })))
  })

  it('keep their instructions to those who may change them', async () => {
    const params = { system: 'Secret instructions', temperature: 0.2 }
    await makeTutor({
      params,
      access_grants: [
        { principal_type: 'group', principal_id: gateway.groupId, permission: 'read' },
      ],
    })
    const read = async (name: 'owner' | 'member') =>
      (await gateway.get(name, '/api/v1/models/model?id=tutor')).body.params
    expect(await read('owner')).toEqual(params)
    expect(await read('member')).toEqual({ temperature: 0.2 })
    const { body } = await gateway.get('member', '/api/v1/models/list')
    expect(body.items[0].params).toEqual({ temperature: 0.2 })
  })

  it('need permission to be made, imported and exported', async () => {
    const model = { id: 'mine', name: 'Mine', base_model_id: 'cloud-1' }
    expect((await gateway.post('stranger', '/api/v1/models/create', model)).status).toBe(403)
    expect(
      (await gateway.post('stranger', '/api/v1/models/import', { models: [model] })).status,
    ).toBe(403)
    expect((await gateway.get('stranger', '/api/v1/models/export')).status).toBe(403)
    expect((await gateway.post('owner', '/api/v1/models/create', model)).status).toBe(200)
  })

  it('cannot be put in the place of a model of a connection', async () => {
    const taken = await gateway.post('owner', '/api/v1/models/create', {
      id: 'cloud-2',
      name: 'x',
      base_model_id: 'cloud-1',
    })
    expect(taken.status).toBe(400)
    for (const base of [undefined, null, '']) {
      const reply = await gateway.post('owner', '/api/v1/models/create', {
        id: 'cloud-2',
        name: 'x',
        base_model_id: base,
      })
      expect(reply.status).toBe(403)
    }
    await makeTutor()
    expect(
      (
        await gateway.post('owner', '/api/v1/models/model/update', {
          id: 'tutor',
          base_model_id: null,
        })
      ).status,
    ).toBe(403)
  })

  it('give no access by what they say about themselves (row 43)', async () => {
    const meta = {
      access_grants: EVERYBODY,
      user_id: '*',
      base: 'cloud-1',
      info: { access_control: null },
    }
    await makeTutor({ meta, user_id: gateway.ids.stranger, write_access: true })
    expect(await matrixOf('tutor')).toMatchObject({ stranger: '400 404', owner: '400 writes' })
  })
})

describe('hidden models', () => {
  it('leave every list and answer nobody but administrators', async () => {
    await share('cloud-1', { access_grants: EVERYBODY })
    expect(
      (await gateway.post('admin', '/api/v1/models/model/toggle?id=cloud-1')).body.is_active,
    ).toBe(false)
    expect((await gateway.ask('member', 'cloud-1')).status).toBe(400)
    expect((await gateway.ask('admin', 'cloud-1')).status).toBe(200)
    for (const name of PEOPLE) expect(await gateway.idsFor(name)).not.toContain('cloud-1')
    const base = await gateway.get('admin', '/api/models/base')
    expect(base.body.data.find(({ id }: { id: string }) => id === 'cloud-1').info.is_active).toBe(
      false,
    )
    await gateway.post('admin', '/api/v1/models/model/toggle?id=cloud-1')
    expect(await gateway.idsFor('member')).toContain('cloud-1')
    await gateway.post('admin', '/api/v1/models/model/update', {
      id: 'cloud-1',
      meta: { hidden: true },
    })
    expect((await gateway.ask('member', 'cloud-1')).status).toBe(400)
  })

  it('still serve as the base of workspace models', async () => {
    await share('cloud-1', { access_grants: EVERYBODY })
    await gateway.post('admin', '/api/v1/models/model/toggle?id=cloud-1')
    await makeTutor()
    expect((await gateway.ask('owner', 'tutor')).status).toBe(200)
  })
})

describe('unknown and forbidden models', () => {
  it('are refused alike: 400 for a completion, 404 for the model itself', async () => {
    await makeTutor()
    const asked = await Promise.all(
      ['tutor', 'cloud-1', 'nobody'].map((id) => gateway.ask('stranger', id)),
    )
    const texts = asked.map((reply) =>
      JSON.stringify(reply).replaceAll(/\\"(tutor|cloud-1|nobody)\\"/g, 'ID'),
    )
    expect(new Set(texts)).toHaveLength(1)
    expect(asked[0]).toMatchObject({ status: 400, body: { detail: 'Model not found: "tutor".' } })
    const read = await Promise.all(
      ['tutor', 'cloud-1', 'nobody'].map((id) =>
        gateway.get('stranger', `/api/v1/models/model?id=${id}`),
      ),
    )
    expect(new Set(read.map((reply) => JSON.stringify(reply)))).toHaveLength(1)
  })
})

it('BYPASS_MODEL_ACCESS_CONTROL lets everybody use every model, but not change it', async () => {
  await makeTutor({ params: { system: 'Secret' } })
  await gateway.server.context.settings.update({ BYPASS_MODEL_ACCESS_CONTROL: true })
  expect(await matrixOf('tutor')).toEqual({
    admin: '200 writes',
    owner: '200 writes',
    member: '200 200',
    stranger: '200 200',
  })
  expect((await gateway.get('stranger', '/api/v1/models/model?id=tutor')).body.params).toEqual({})
})

it('a key limited to models lists and reaches these only, arenas and workspace models by their own id', async () => {
  await gateway.server.context.settings.update({
    ENABLE_API_KEYS: true,
    ENABLE_API_KEY_LIMITS: true,
  })
  await gateway.post('admin', '/api/v1/models/create', {
    id: 'tutor',
    name: 'Tutor',
    base_model_id: 'cloud-1',
  })
  const { body } = await gateway.post('admin', '/api/v1/auths/api_keys', {
    name: 'narrow',
    allowed_models: ['tutor'],
  })
  const call = (method: string, path: string, sent?: unknown) =>
    gateway.server.call(method, path, { token: body.api_key, body: sent })
  const list = (await (await call('GET', '/api/models')).json()) as { data: { id: string }[] }
  expect(list.data.map(({ id }) => id)).toEqual(['tutor'])
  const ask = async (model: string) =>
    (
      await call('POST', '/api/chat/completions', {
        model,
        messages: [{ role: 'user', content: 'Hi' }],
      })
    ).status
  expect([await ask('tutor'), await ask('cloud-1'), await ask('guide')]).toEqual([200, 400, 400])
})

describe('connections for everybody', () => {
  it('open their models to all who sign in, but for those shared with some and those hidden', async () => {
    const [connection] = (await gateway.get('admin', '/api/v1/connections')).body.filter(
      ({ url }: { url: string }) => url === gateway.remote.url,
    )
    const path = `/api/v1/connections/${connection.id}`
    const { kind, name, url } = connection
    expect(connection).toMatchObject({ origin: 'environment', access: 'granted' })
    await share('cloud-2', { access_grants: [] })
    const change = (part: Record<string, unknown>) =>
      gateway.post('admin', path, { kind, name, url, timeout_seconds: 60, ...part })
    const openIds = async (): Promise<string[]> => {
      const { body } = await gateway.get('admin', '/api/models/base')
      const models = body.data as { id: string; for_everybody?: true }[]
      return models.filter((model) => model.for_everybody).map(({ id }) => id)
    }
    expect(await openIds()).toEqual(['guide'])
    expect((await change({ access: 'everybody' })).body).toMatchObject({
      access: 'everybody',
      overridden: ['access'],
    })
    expect(await gateway.idsFor('stranger')).toEqual(['cloud-1', 'cloud-2', 'guide'])
    expect(await openIds()).toEqual(['cloud-1', 'cloud-2', 'guide'])
    expect((await gateway.ask('stranger', 'cloud-1')).status).toBe(200)
    expect((await gateway.ask('stranger', 'cloud-2')).status).toBe(200)

    await share('cloud-2', {
      access_control: { read: { group_ids: [gateway.groupId], user_ids: [] } },
    })
    expect((await gateway.ask('stranger', 'cloud-2')).status).toBe(400)
    expect((await gateway.ask('member', 'cloud-2')).status).toBe(200)
    await gateway.post('admin', '/api/v1/models/model/toggle?id=cloud-2')
    expect((await gateway.ask('member', 'cloud-2')).status).toBe(400)

    // A workspace model based on it stays available to those it is shared with.
    await makeTutor()
    expect((await gateway.ask('owner', 'tutor')).status).toBe(200)
    expect((await gateway.ask('stranger', 'tutor')).status).toBe(400)

    // Clients that do not know the field do not change it.
    expect((await change({})).body.access).toBe('everybody')
    expect((await change({ access: 'granted' })).body).toMatchObject({
      access: 'granted',
      overridden: [],
    })
    expect((await gateway.ask('stranger', 'cloud-1')).status).toBe(400)
  })

  it('are for those who are let in when nothing is said', async () => {
    const { body } = await gateway.post('admin', '/api/v1/connections', {
      kind: 'compatible',
      name: 'Second',
      url: gateway.remote.url,
      prefix_id: 'x',
    })
    expect(body.access).toBe('granted')
    expect(await gateway.idsFor('stranger')).toEqual(['guide'])
  })
})
