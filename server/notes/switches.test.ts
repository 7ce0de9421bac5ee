import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type World } from '../testing/create-world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.server.close())

const status = async (name: 'owner' | 'admin', path: string) =>
  (await world.server.call('GET', `/api/v1/${path}/`, { token: world.tokens[name] })).status
const set = (values: Record<string, string | boolean | null>) =>
  world.server.context.settings.update(values)

describe.each([
  ['notes', 'ENABLE_NOTES'],
  ['memories', 'ENABLE_MEMORIES'],
])('%s', (path, feature) => {
  it('answer everybody 403 while they are switched off', async () => {
    expect([await status('owner', path), await status('admin', path)]).toEqual([200, 200])
    await set({ [feature]: false })
    expect([await status('owner', path), await status('admin', path)]).toEqual([403, 403])
    await set({ [feature]: null })
  })

  it('answer 403 to whom they are not permitted', async () => {
    await set({ USER_PERMISSIONS: JSON.stringify({ features: { [path]: false } }) })
    expect([await status('owner', path), await status('admin', path)]).toEqual([403, 200])
    await set({ USER_PERMISSIONS: null })
  })
})

describe('sharing with everybody', () => {
  const everybody = {
    access_grants: [{ principal_type: 'user', principal_id: '*', permission: 'read' }],
  }
  const create = async (path: string, body: object) => {
    const reply = await world.server.call('POST', `/api/v1/${path}/create`, {
      token: world.tokens.owner,
      body: { ...body, ...everybody },
    })
    expect(reply.status).toBe(200)
    return (await reply.json()) as { access_grants: unknown[] }
  }

  it('is left out silently without the permission for it, and kept with it', async () => {
    await set({ USER_PERMISSIONS: JSON.stringify({ workspace: { prompts: true } }) })
    expect((await create('notes', { title: 'Mine' })).access_grants).toEqual([])
    expect(
      (await create('prompts', { command: 'mine', name: 'Mine', content: '' })).access_grants,
    ).toEqual([])
    await set({
      USER_PERMISSIONS: JSON.stringify({
        workspace: { prompts: true },
        sharing: { public_notes: true, public_prompts: true },
      }),
    })
    expect((await create('notes', { title: 'Ours' })).access_grants).toMatchObject(
      everybody.access_grants,
    )
    expect(
      (await create('prompts', { command: 'ours', name: 'Ours', content: '' })).access_grants,
    ).toMatchObject(everybody.access_grants)
    await set({ USER_PERMISSIONS: null })
  })
})
