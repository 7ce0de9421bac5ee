import { mapInOrder } from '../lib/in-order.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ListedChannel } from '#contract/channels.ts'
import type { AnyShape } from '../testing/any-shape.ts'
import { startChannels, type ChannelPerson, type ChannelWorld } from '../testing/start-channels.ts'

let world: ChannelWorld
beforeAll(async () => {
  world = await startChannels()
})
afterAll(() => world.close())

const statusOf = async (
  name: ChannelPerson,
  method: string,
  path: string,
  body?: unknown,
): Promise<number> => (await world.call(name, method, `channels/${path}`, body)).status
const listOf = async (name: ChannelPerson): Promise<string[]> =>
  ((await world.get(name, 'channels/')) as ListedChannel[]).map(({ id }) => id)

test('only administrators make public channels; names become lower case, and unknown kinds are refused', async () => {
  expect(await statusOf('ada', 'POST', 'create', { name: 'Town' })).toBe(401)
  const made = await world.post('admin', 'channels/create', {
    name: 'Town Hall',
    description: 'All of us',
  })
  expect(made).toMatchObject({
    type: null,
    name: 'town hall',
    description: 'All of us',
    is_manager: true,
    write_access: true,
    users: null,
  })
  for (const type of ['forum', 'DM', 7, {}])
    expect(await statusOf('admin', 'POST', 'create', { name: 'x', type })).toBe(422)
  expect(
    (await world.post('admin', `channels/${made.id}/update`, { name: 'Town Hall' })).name,
  ).toBe('Town Hall')
})

test('a public channel is read and written by grants; others hear that it is not there', async () => {
  const { ids, say } = world
  const { id } = await world.newPublic([
    { id: ids.ada, permission: 'write' },
    { id: ids.bob, permission: 'read' },
  ])
  await say('ada', id, 'Hello')
  expect(await world.get('bob', `channels/${id}/messages`)).toHaveLength(1)
  expect(await statusOf('bob', 'POST', `${id}/messages/post`, { content: 'Hi' })).toBe(403)
  expect(await world.get('bob', `channels/${id}`)).toMatchObject({
    write_access: false,
    is_manager: false,
  })
  for (const path of [id, `${id}/messages`, `${id}/members`, `${id}/webhooks`, 'no-such-channel']) {
    expect([path, await statusOf('eve', 'GET', path)]).toEqual([path, 404])
  }
  for (const name of ['ada', 'bob', 'admin'] as const) expect(await listOf(name)).toContain(id)
  expect(await listOf('eve')).not.toContain(id)
  for (const name of ['ada', 'bob'] as const) {
    expect(await statusOf(name, 'POST', `${id}/update`, { name: 'mine' })).toBe(403)
    expect(await statusOf(name, 'DELETE', `${id}/delete`)).toBe(403)
    expect(await statusOf(name, 'GET', `${id}/webhooks`)).toBe(403)
  }
})

test('of a private public channel grants to everybody are not kept', async () => {
  const everybody = [{ principal_type: 'user', principal_id: '*', permission: 'read' }]
  const open = await world.post('admin', 'channels/create', {
    name: 'Open',
    access_grants: everybody,
  })
  expect(await listOf('eve')).toContain(open.id)
  const closed = await world.post('admin', 'channels/create', {
    name: 'Closed',
    access_grants: everybody,
    is_private: true,
  })
  expect(await listOf('eve')).not.toContain(closed.id)
  await world.post('admin', `channels/${open.id}/update`, { is_private: true })
  expect(await listOf('eve')).not.toContain(open.id)
})

test('a group is for its members; its maker manages it, an administrator manages it without looking into it', async () => {
  const { ids } = world
  const { id, user_ids, users } = await world.newGroup('ada', 'bob')
  expect(new Set(user_ids)).toEqual(new Set([ids.ada, ids.bob]))
  expect(users!.map(({ name }) => name).toSorted()).toEqual(['Ada', 'Bob'])
  expect(await statusOf('eve', 'GET', id)).toBe(404)
  for (const path of [id, `${id}/messages`, `${id}/messages/pinned`, `${id}/members`]) {
    expect(await statusOf('admin', 'GET', path)).toBe(403)
  }
  expect(
    ((await world.get('admin', 'channels/list')) as AnyShape[]).map((each) => each.id),
  ).toContain(id)
  expect(await listOf('admin')).not.toContain(id)
  expect(await statusOf('bob', 'POST', `${id}/update`, { name: 'x' })).toBe(403)
  expect(await statusOf('admin', 'POST', `${id}/update`, { name: 'renamed' })).toBe(200)
  await world.post('admin', `channels/${id}/update/members/add`, { user_ids: [ids.admin] })
  expect(await statusOf('admin', 'GET', `${id}/messages`)).toBe(200)
})

test('accounts that are not there do not become members, and groups count only for who is in them', async () => {
  const { ids, server } = world
  const { groups } = server.context
  const staff = (
    await groups.create(ids.admin, {
      name: 'Staff',
      description: '',
      permissions: {},
      data: {},
      meta: {},
    })
  ).id
  await groups.changeMembers(staff, { add: [ids.bob, ids.eve] })
  expect(await statusOf('ada', 'POST', 'create', { type: 'group', user_ids: ['nobody'] })).toBe(404)
  expect(await statusOf('ada', 'POST', 'create', { type: 'group', group_ids: [staff] })).toBe(404)
  expect(await statusOf('ada', 'POST', 'create', { type: 'dm', user_ids: ['nobody'] })).toBe(404)
  expect(await statusOf('ada', 'GET', 'users/nobody')).toBe(404)
  const made = await world.post('bob', 'channels/create', {
    type: 'group',
    name: 'Staff',
    group_ids: [staff],
  })
  expect(new Set(made.user_ids)).toEqual(new Set([ids.bob, ids.eve]))
  await groups.changeMembers(staff, { add: [ids.ada] })
  expect(await statusOf('ada', 'GET', made.id)).toBe(404)
})

test('the same people have one conversation, from either side; oneself and three people too, and it stays theirs', async () => {
  const { ids } = world
  const one = await world.get('ada', `channels/users/${ids.bob}`)
  expect(one).toMatchObject({ type: 'dm', name: '' })
  expect((await world.get('bob', `channels/users/${ids.ada}`)).id).toBe(one.id)
  expect(
    (await world.post('bob', 'channels/create', { type: 'dm', user_ids: [ids.ada, ids.bob] })).id,
  ).toBe(one.id)
  const own = await world.post('ada', 'channels/create', { type: 'dm', user_ids: [] })
  expect(own.user_ids).toEqual([ids.ada])
  expect((await world.get('ada', `channels/users/${ids.ada}`)).id).toBe(own.id)
  const three = await world.post('ada', 'channels/create', {
    type: 'dm',
    user_ids: [ids.bob, ids.eve],
  })
  expect(three.user_ids).toHaveLength(3)
  expect(
    await statusOf('ada', 'POST', `${one.id}/update/members/add`, { user_ids: [ids.eve] }),
  ).toBe(400)
  expect(
    await statusOf('ada', 'POST', `${one.id}/update/members/remove`, { user_ids: [ids.bob] }),
  ).toBe(400)
  expect(await statusOf('eve', 'GET', one.id)).toBe(404)
})

test('a group takes many people, a conversation a hundred', async () => {
  const { server } = world
  const ids = await server.context.storage.transaction(() =>
    mapInOrder(
      Array.from({ length: 700 }).keys(),
      async (each) =>
        (
          await server.context.users.create({
            name: `P${each}`,
            email: `p${each}@example.org`,
            role: 'user',
          })
        ).id,
    ),
  )
  const group = await world.post('ada', 'channels/create', {
    type: 'group',
    name: 'Many',
    user_ids: ids.slice(0, 600),
  })
  expect(group.user_count).toBe(601)
  expect(group.users).toHaveLength(200)
  expect(
    await world.post('ada', `channels/${group.id}/update/members/add`, { user_ids: ids }),
  ).toHaveLength(100)
  expect((await world.get('ada', `channels/${group.id}/members`)).total).toBe(701)
  expect(await statusOf('ada', 'POST', 'create', { type: 'dm', user_ids: ids.slice(0, 100) })).toBe(
    413,
  )
  expect(await statusOf('ada', 'POST', 'create', { type: 'dm', user_ids: ids.slice(0, 99) })).toBe(
    200,
  )
})

test('twenty people who begin the same conversation at once have one', async () => {
  const { ids } = world
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, each) =>
      world.get(each % 2 ? 'eve' : 'ada', `channels/users/${each % 2 ? ids.ada : ids.eve}`),
    ),
  )
  expect(new Set(replies.map(({ id }) => id)).size).toBe(1)
})

test('who leaves a group is out until added again; a conversation comes back with its next message', async () => {
  const { ids, say } = world
  const group = await world.newGroup('ada', 'bob')
  await world.post('bob', `channels/${group.id}/members/active`, { is_active: false })
  expect(await statusOf('bob', 'GET', group.id)).toBe(404)
  expect(await statusOf('bob', 'POST', `${group.id}/members/active`, { is_active: true })).toBe(404)
  await say('ada', group.id, 'Where are you?')
  expect(await listOf('bob')).not.toContain(group.id)
  expect(
    await world.post('ada', `channels/${group.id}/update/members/add`, { user_ids: [ids.bob] }),
  ).toMatchObject([
    { user_id: ids.bob, is_active: true, status: 'joined', role: null, invited_by: ids.ada },
  ])
  expect(await listOf('bob')).toContain(group.id)
  const pair = await world.get('ada', `channels/users/${ids.bob}`)
  await world.post('bob', `channels/${pair.id}/members/active`, { is_active: false })
  expect(await listOf('bob')).not.toContain(pair.id)
  await say('ada', pair.id, 'And now?')
  expect(await listOf('bob')).toContain(pair.id)
})

test('managers are named and unnamed; when the last one goes, who is longest in it manages the group', async () => {
  const { ids } = world
  const { id } = await world.newGroup('ada', 'bob', 'eve')
  expect(
    await world.post('ada', `channels/${id}/update/members/add`, {
      user_ids: [ids.bob],
      role: 'manager',
    }),
  ).toMatchObject([{ role: 'manager' }])
  expect(await statusOf('bob', 'POST', `${id}/update`, { name: 'by bob' })).toBe(200)
  await world.post('ada', `channels/${id}/update/members/add`, { user_ids: [ids.bob], role: null })
  expect(await statusOf('bob', 'POST', `${id}/update`, { name: 'by bob' })).toBe(403)
  expect(
    await world.post('ada', `channels/${id}/update/members/add`, { user_ids: [ids.bob] }),
  ).toEqual([])
  expect(
    await world.post('ada', `channels/${id}/update/members/remove`, {
      user_ids: [ids.ada, 'nobody'],
    }),
  ).toBe(1)
  const managers = (await world.get('bob', `channels/${id}/members`)).users.filter(
    (user: AnyShape) => user.is_manager,
  )
  expect(managers).toHaveLength(1)
})

test('the last manager of a group stays one until somebody else is made one', async () => {
  const { ids, post } = world
  const { id } = await world.newGroup('ada', 'bob')
  const demote = { user_ids: [ids.ada], role: null }
  const refused = await world.call('ada', 'POST', `channels/${id}/update/members/add`, demote)
  expect([refused.status, refused.body.detail]).toEqual([
    400,
    'A group needs a manager. Make someone else a manager first.',
  ])
  expect(await world.get('ada', `channels/${id}`)).toMatchObject({ is_manager: true })
  await post('ada', `channels/${id}/update/members/add`, { user_ids: [ids.bob], role: 'manager' })
  await post('ada', `channels/${id}/update/members/add`, demote)
  expect(await world.get('ada', `channels/${id}`)).toMatchObject({ is_manager: false })
  // Both at once.
  await post('bob', `channels/${id}/update/members/add`, { user_ids: [ids.ada], role: 'manager' })
  await Promise.all([
    world.call('ada', 'POST', `channels/${id}/update/members/add`, {
      user_ids: [ids.bob],
      role: null,
    }),
    world.call('bob', 'POST', `channels/${id}/update/members/add`, demote),
  ])
  const { users } = await world.get('ada', `channels/${id}/members`)
  expect(users.filter((user: { is_manager: boolean }) => user.is_manager)).not.toEqual([])
})

test('members are listed in pages, without addresses and roles for people who may not see them', async () => {
  const { ids } = world
  const { id } = await world.newPublic([{ id: ids.ada, permission: 'read' }])
  const listed = await world.get('ada', `channels/${id}/members`)
  expect(listed.total).toBe(2)
  expect(listed.users.find((user: AnyShape) => user.id === ids.admin)).toMatchObject({
    name: 'Admin',
    email: '',
    role: '',
    is_manager: true,
  })
  expect((await world.get('ada', `channels/${id}/members?query=ADM`)).users).toHaveLength(1)
  expect((await world.get('ada', `channels/${id}/members?query=example`)).users).toHaveLength(0)
  expect(
    (await world.get('admin', `channels/${id}/members?query=example.com&order_by=email`)).users,
  ).toHaveLength(2)
  expect((await world.get('ada', `channels/${id}/members?page=2`)).users).toEqual([])
})

test('an update empties what it does not name and leaves grants; unreadable ones are dropped', async () => {
  const { ids } = world
  const { id } = await world.newPublic([{ id: ids.ada, permission: 'read' }], {
    description: 'D',
    data: { a: 1 },
    meta: { b: 2 },
  })
  const updated = await world.post('admin', `channels/${id}/update`, { name: 'town' })
  expect(updated).toMatchObject({
    description: null,
    data: null,
    meta: null,
    updated_by: ids.admin,
  })
  expect(updated.access_grants).toHaveLength(1)
  const grants = [{ principal_type: 'user', principal_id: 'ghost', permission: 'read' }]
  expect(
    (await world.post('admin', `channels/${id}/update`, { access_grants: grants })).access_grants,
  ).toEqual([])
  expect(await statusOf('ada', 'GET', id)).toBe(404)
})

test('switched off, everybody hears that channels is disabled, also at a webhook; without the permission 403', async () => {
  const { server, ids } = world
  const { id } = await world.newGroup('ada', 'bob')
  await server.context.settings.update({ ENABLE_CHANNELS: false })
  for (const name of ['admin', 'ada'] as const) {
    expect(await world.call(name, 'GET', 'channels/')).toEqual({
      status: 403,
      body: { detail: 'Channels is disabled' },
    })
    expect(await statusOf(name, 'GET', id)).toBe(403)
  }
  expect(
    (await server.call('POST', '/api/v1/channels/webhooks/a/b', { body: { content: 'x' } })).status,
  ).toBe(403)
  await server.context.settings.update({ ENABLE_CHANNELS: true })
  await server.context.groups.updateDefaultPermissions({ features: { channels: false } })
  expect(await statusOf('ada', 'GET', id)).toBe(403)
  expect(await statusOf('admin', 'GET', '')).toBe(200)
  const config = (await world.get('admin', 'auths/admin/config')) as Record<string, unknown>
  await world.post('admin', 'auths/admin/config', { ...config, ENABLE_CHANNELS: false })
  expect(await statusOf('admin', 'GET', '')).toBe(403)
  await world.post('admin', 'auths/admin/config', { ...config, ENABLE_CHANNELS: true })
  await server.context.groups.updateDefaultPermissions({ features: { channels: true } })
  expect(await listOf('ada')).toContain(id)
  expect(ids.ada).not.toBe('')
})
