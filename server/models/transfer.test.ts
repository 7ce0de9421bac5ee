import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startModelGateway, type ModelGateway } from '../testing/start-model-gateway.ts'

let gateway: ModelGateway
beforeEach(async () => {
  gateway = await startModelGateway()
})
afterEach(() => gateway.close())

const model = (id: string, fields: Record<string, unknown> = {}) => ({
  id,
  name: `Model ${id}`,
  base_model_id: 'cloud-1',
  ...fields,
})
const importAs = (name: 'admin' | 'owner' | 'member', models: unknown[]) =>
  gateway.post(name, '/api/v1/models/import', { models })
const exported = async (name: 'admin' | 'owner' | 'member' = 'admin') =>
  (await gateway.get(name, '/api/v1/models/export')).body

describe('an export', () => {
  it('imported elsewhere gives the same models again', async () => {
    const grants = [{ principal_type: 'user', principal_id: '*', permission: 'read' }]
    await importAs('admin', [
      model('a', {
        params: { system: 'A', stop: ['x'] },
        meta: { capabilities: { vision: true }, tags: [{ name: 't' }], more: { deep: [null] } },
      }),
      model('b', {
        access_grants: grants,
        is_active: false,
        created_at: 1_700_000_000,
        updated_at: 1_700_000_001,
      }),
      { id: 'cloud-1', name: 'Renamed' },
    ])
    // Grants that are created again get new ids and times.
    const unstamped = async () => {
      const rows: { access_grants: object[] }[] = await exported()
      return rows.map((row) => ({
        ...row,
        access_grants: row.access_grants.map((grant) => ({ ...grant, id: '', created_at: 0 })),
      }))
    }
    const before = await exported()
    const same = await unstamped()
    await gateway.remove('admin', '/api/v1/models/delete/all')
    expect(await exported()).toEqual([])
    expect((await importAs('admin', before)).body).toBe(true)
    expect(await unstamped()).toEqual(same)
    await importAs('admin', before)
    expect(await unstamped()).toEqual(same)
  })

  it('has for people what they may change', async () => {
    await importAs('owner', [model('mine')])
    await importAs('admin', [
      model('theirs', { access_control: null }),
      { id: 'cloud-1', name: 'Big', access_control: null },
    ])
    expect((await exported('owner')).map(({ id }: { id: string }) => id)).toEqual(['mine'])
  })
})

describe('an import', () => {
  it('row 54: cannot take over what belongs to others; then nothing of it is kept', async () => {
    await importAs('owner', [model('mine', { params: { system: 'Original' } })])
    expect(
      (await importAs('member', [model('new'), model('mine', { params: { system: 'Taken' } })]))
        .status,
    ).toBe(403)
    expect((await importAs('member', [{ id: 'cloud-2', name: 'Mine now' }])).status).toBe(403)
    expect(await exported()).toMatchObject([
      { id: 'mine', params: { system: 'Original' }, user_id: gateway.ids.owner },
    ])
  })

  it('updates what is there and keeps whose it is', async () => {
    await importAs('owner', [model('mine')])
    await importAs('admin', [model('mine', { name: 'Better' }), model('mine', { name: 'Best' })])
    expect(await exported()).toMatchObject([
      { id: 'mine', name: 'Best', user_id: gateway.ids.owner },
    ])
  })

  it('takes the older spelling of access', async () => {
    await importAs('admin', [
      model('old', { access_control: { read: { user_ids: [gateway.ids.member], group_ids: [] } } }),
    ])
    expect((await exported())[0].access_grants).toMatchObject([
      { principal_type: 'user', principal_id: gateway.ids.member, permission: 'read' },
    ])
  })

  it('refuses what is no model', async () => {
    expect((await importAs('admin', [{ name: 'without id' }])).status).toBe(422)
    expect((await importAs('admin', [model('x'.repeat(300))])).status).toBe(400)
    expect((await gateway.post('admin', '/api/v1/models/import', [])).status).toBe(422)
  })
})

it('sync replaces all stored models', async () => {
  await importAs('admin', [model('a'), model('b', { access_control: null })])
  const { body } = await gateway.post('admin', '/api/v1/models/sync', {
    models: [model('b', { name: 'Kept' }), model('c')],
  })
  expect(body).toMatchObject([{ id: 'b', name: 'Kept', access_control: null }, { id: 'c' }])
  expect((await gateway.ask('admin', 'a')).status).toBe(400)
  expect((await gateway.post('owner', '/api/v1/models/sync', { models: [] })).status).toBe(401)
})
