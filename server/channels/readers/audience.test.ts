import { afterAll, beforeAll, expect, test } from 'vitest'
import { channelEventSchema } from '#contract/channel-events.ts'
import type { ListedChannel } from '#contract/channels.ts'
import {
  startChannels,
  type ChannelPerson,
  type ChannelWorld,
  type HeardSocket,
} from '../../testing/start-channels.ts'

let world: ChannelWorld
beforeAll(async () => {
  world = await startChannels()
})
afterAll(() => world.close())

/**
 * Returns the types of the events the socket has received of a channel, once everything sent has
 * arrived.
 */
async function heardBy(socket: HeardSocket, channelId: string): Promise<string[]> {
  await socket.settled()
  return socket.frames
    .filter(({ channel_id }) => channel_id === channelId)
    .map(({ data }) => data.type)
}
const unreadOf = async (name: ChannelPerson, id: string) => {
  const { unread_count, mention_count } = (
    (await world.get(name, 'channels/')) as ListedChannel[]
  ).find((each) => each.id === id)!
  return { unread_count, mention_count }
}

test('who is taken out hears so and nothing more; who is added hears everything from then on, on sockets that are open already', async () => {
  const { ids, say, post } = world
  const { id } = await world.newGroup('ada', 'bob')
  const [ada, bob, eve] = [
    await world.listen('ada'),
    await world.listen('bob'),
    await world.listen('eve'),
  ]
  await say('ada', id, 'One')
  await post('ada', `channels/${id}/update/members/remove`, { user_ids: [ids.bob] })
  await say('ada', id, 'Two')
  expect(await heardBy(bob, id)).toEqual(['message', 'channel:removed'])
  expect((await world.call('bob', 'GET', `channels/${id}/messages`)).status).toBe(404)
  await post('ada', `channels/${id}/update/members/add`, { user_ids: [ids.eve] })
  await say('ada', id, 'Three')
  expect(await heardBy(eve, id)).toEqual(['channel:created', 'channel:members', 'message'])
  expect(await heardBy(ada, id)).toEqual([
    'message',
    'channel:members',
    'message',
    'channel:members',
    'message',
  ])
  const changes = ada.frames
    .filter(({ data }) => data.type === 'channel:members')
    .map(({ data }) => data.data)
  expect(changes).toEqual([
    { added: [], removed: [ids.bob] },
    { added: [ids.eve], removed: [] },
  ])
})

test('grants, groups and permissions count from the next event on, also those changed elsewhere', async () => {
  const { ids, server, say } = world
  const { groups, settings } = server.context
  const team = (
    await groups.create(ids.admin, {
      name: 'Readers',
      description: '',
      permissions: {},
      data: {},
      meta: {},
    })
  ).id
  await groups.changeMembers(team, { add: [ids.bob] })
  const { id } = await world.post('admin', 'channels/create', {
    name: 'Readers',
    access_grants: [
      { principal_type: 'group', principal_id: team, permission: 'read' },
      { principal_type: 'user', principal_id: ids.eve, permission: 'read' },
    ],
  })
  const [bob, eve] = [await world.listen('bob'), await world.listen('eve')]
  await say('admin', id, 'One')
  await groups.changeMembers(team, { remove: [ids.bob] })
  await say('admin', id, 'Two')
  expect(await heardBy(bob, id)).toEqual(['message'])
  await groups.changeMembers(team, { add: [ids.bob] })
  await groups.updateDefaultPermissions({ features: { channels: false } })
  await say('admin', id, 'Three')
  await groups.updateDefaultPermissions({ features: { channels: true } })
  await say('admin', id, 'Four')
  expect(await heardBy(bob, id)).toEqual(['message', 'message'])
  await world.post('admin', `channels/${id}/update`, {
    access_grants: [{ principal_type: 'group', principal_id: team, permission: 'read' }],
  })
  await say('admin', id, 'Five')
  expect(await heardBy(eve, id)).toEqual(['message', 'message', 'message', 'channel:removed'])
  expect(await heardBy(bob, id)).toEqual(['message', 'message', 'channel:updated', 'message'])
  await settings.update({ ENABLE_CHANNELS: false })
  bob.send({ type: 'channel', channel_id: id, data: { type: 'typing' } })
  await settings.update({ ENABLE_CHANNELS: true })
  await world.call('admin', 'DELETE', `channels/${id}/delete`)
  expect((await heardBy(bob, id)).at(-1)).toBe('channel:deleted')
  expect((await world.call('admin', 'GET', `channels/${id}`)).status).toBe(404)
})

test('removal counts at once also in the middle of many messages', async () => {
  const { ids, say, post } = world
  const { id } = await world.newGroup('ada', 'bob')
  const bob = await world.listen('bob')
  const saying = Promise.all(Array.from({ length: 30 }, (_, each) => say('ada', id, `${each}`)))
  await bob.heard('message')
  await post('ada', `channels/${id}/update/members/remove`, { user_ids: [ids.bob] })
  await say('ada', id, 'After')
  await saying
  const heard = await heardBy(bob, id)
  expect(heard.indexOf('channel:removed')).toBe(heard.length - 1)
})

test('every event fits the union of the contract', async () => {
  const { ids, say, post } = world
  const { id } = await world.newGroup('ada', 'bob')
  const bob = await world.listen('bob')
  const message = await say('ada', id, `Hello <@U:${ids.bob}|Bob>`, {
    temp_id: 'x',
    data: { a: 1 },
  })
  const path = `channels/${id}/messages/${message.id}`
  await say('ada', id, 'Answer', { parent_id: message.id })
  await post('ada', `${path}/update`, { content: 'Hello' })
  await post('ada', `${path}/reactions/add`, { name: 'x' })
  await post('ada', `${path}/reactions/remove`, { name: 'x' })
  await post('ada', `${path}/pin`, { is_pinned: true })
  await post('bob', `channels/${id}/read`)
  await post('ada', `channels/${id}/update`, { name: 'x' })
  await world.call('ada', 'DELETE', `${path}/delete`)
  await world.call('ada', 'DELETE', `channels/${id}/delete`)
  await bob.heard('channel:deleted')
  expect(new Set(bob.types()).size).toBe(11)
  for (const { data } of bob.frames)
    expect(channelEventSchema.safeParse(data).error).toBeUndefined()
})

test('typing is told to the others at most once a second, and only by those who may write', async () => {
  const { ids } = world
  const { id } = await world.newPublic([
    { id: ids.ada, permission: 'write' },
    { id: ids.bob, permission: 'read' },
  ])
  const [ada, bob] = [await world.listen('ada'), await world.listen('bob')]
  for (let each = 0; each < 5; each += 1)
    ada.send({ type: 'channel', channel_id: id, data: { type: 'typing', data: { typing: true } } })
  bob.send({ type: 'channel', channel_id: id, data: { type: 'typing' } })
  expect(await bob.heard('typing')).toMatchObject({
    channel_id: id,
    user: { id: ids.ada, name: 'Ada' },
    data: { data: { typing: true, message_id: null } },
  })
  await ada.settled()
  for (let each = 0; each < 3; each += 1)
    ada.send({ type: 'channel', channel_id: id, data: { type: 'typing', data: { typing: false } } })
  await bob.heard('typing', ({ data }) => data.data.typing === false)
  await ada.settled()
  expect(await heardBy(bob, id)).toEqual(['typing', 'typing'])
  expect(await heardBy(ada, id)).toEqual([])
})

test('typing is told for each thread, again as soon as it was taken back, and never without end', async () => {
  const { say, newGroup, listen } = world
  const [{ id }, other] = [await newGroup('ada', 'bob'), await newGroup('ada')]
  const [parent, foreign] = [
    await say('bob', id, 'A question'),
    await say('ada', other.id, 'Elsewhere'),
  ]
  const [ada, bob] = [await listen('ada'), await listen('bob')]
  const type = (typing: boolean, message_id?: string) =>
    ada.send({
      type: 'channel',
      channel_id: id,
      data: { type: 'typing', data: { typing }, message_id },
    })
  const heard = () => {
    const told = bob.frames
      .filter(({ data }) => data.type === 'typing')
      .map(({ data }) => data.data)
    const inPlace = (place: string | null) =>
      told.filter(({ message_id }) => message_id === place).map(({ typing }) => typing)
    return { channel: inPlace(null), thread: inPlace(parent.id), all: told.length }
  }
  type(true)
  type(true, parent.id)
  type(true, parent.id)
  type(false)
  type(true)
  // A signal may wait for the database longer than the reply to a ping takes.
  await expect.poll(heard).toEqual({ channel: [true, false, true], thread: [true], all: 4 })
  type(true, foreign.id)
  await expect.poll(() => ada.errors).toEqual(['There is no such thread in this channel.'])
  await bob.settled()
  expect(heard().all).toBe(4)
  for (let each = 0; each < 60; each += 1) type(each % 2 === 1)
  await expect
    .poll(() => ada.errors.at(-1))
    .toBe('You began and stopped typing too often. Wait a moment.')
  await bob.settled()
  expect(heard().all).toBeLessThanOrEqual(30)
})

test('unread are messages of others since the mark; it moves in all windows, also back, and reading alone does not move it', async () => {
  const { ids, say, get, post } = world
  const { id } = await world.newGroup('ada', 'bob')
  const first = await say('ada', id, 'One')
  await say('ada', id, `<@U:${ids.bob}|Bob>, look`)
  await say('bob', id, 'Looking')
  expect(await unreadOf('bob', id)).toEqual({ unread_count: 2, mention_count: 1 })
  expect(await unreadOf('ada', id)).toEqual({ unread_count: 1, mention_count: 0 })
  await get('bob', `channels/${id}/messages`)
  const opened = await get('bob', `channels/${id}`)
  expect(opened).toMatchObject({ unread_count: 2, first_unread_id: first.id, last_read_at: null })
  const bob = await world.listen('bob')
  bob.send({ type: 'channel', channel_id: id, data: { type: 'last_read_at' } })
  expect((await bob.heard('channel:read')).data.data).toMatchObject({
    unread_count: 0,
    mention_count: 0,
  })
  expect(await unreadOf('bob', id)).toEqual({ unread_count: 0, mention_count: 0 })
  const back = await post('bob', `channels/${id}/read`, { message_id: first.id })
  expect(back).toEqual({ last_read_at: first.created_at, unread_count: 1, mention_count: 1 })
  expect(await post('bob', `channels/${id}/read`, { before_message_id: first.id })).toMatchObject({
    unread_count: 2,
    mention_count: 1,
  })
  expect(await get('bob', `channels/${id}`)).toMatchObject({
    unread_count: 2,
    first_unread_id: first.id,
  })
  for (const name of ['message_id', 'before_message_id'])
    expect(
      (await world.call('bob', 'POST', `channels/${id}/read`, { [name]: 'none' })).status,
    ).toBe(404)
  const both = { message_id: first.id, before_message_id: first.id }
  expect((await world.call('bob', 'POST', `channels/${id}/read`, both)).status).toBe(422)
})

test('somebody new has nothing unread of what was said before, and what was said counts up to 1000', async () => {
  const { ids, server, say, post } = world
  const { id } = await world.newGroup('ada')
  for (let each = 0; each < 3; each += 1) await say('ada', id, 'Early')
  await post('ada', `channels/${id}/update/members/add`, { user_ids: [ids.bob] })
  expect(await unreadOf('bob', id)).toMatchObject({ unread_count: 0 })
  const insert = server.context.storage.prepare(
    'insert into channel_message (id, channel_id, user_id, content, created_at, updated_at) values (?, ?, ?, ?, ?, ?)',
  )
  const now = Date.now() * 1000
  for (let each = 0; each < 1200; each += 1)
    await insert.run(`many-${each}`, id, ids.ada, 'x', now + each, now + each)
  expect(await unreadOf('bob', id)).toMatchObject({ unread_count: 1000 })
})

test('whoever is mentioned is told apart, in every window, when they may read it; the writer is not', async () => {
  const { ids, say } = world
  const { id } = await world.newGroup('ada', 'bob')
  const [ada, bob, second, eve] = [
    await world.listen('ada'),
    await world.listen('bob'),
    await world.listen('bob'),
    await world.listen('eve'),
  ]
  const text = `<@U:${ids.bob}|Bob> <@U:${ids.ada}|Ada> <@U:${ids.eve}|Eve> <@U:ghost|Ghost> <@U:${ids.bob}>`
  const message = await say('ada', id, text)
  for (const socket of [bob, second])
    expect(await heardBy(socket, id)).toEqual(['message', 'mention'])
  expect(bob.frames.at(-1)).toMatchObject({ message_id: message.id, user: { id: ids.ada } })
  expect(await heardBy(ada, id)).toEqual(['message'])
  expect(await heardBy(eve, id)).toEqual([])
})

test('what a client says of a channel it may not see is answered as of one that is not there', async () => {
  const { id } = await world.newGroup('ada')
  const eve = await world.listen('eve')
  const [missing, foreign] = await Promise.all(
    ['nowhere', id].map(
      async (channelId) => (await world.call('eve', 'POST', `channels/${channelId}/read`)).body,
    ),
  )
  expect(foreign).toEqual(missing)
  for (const channel_id of ['nowhere', id]) {
    for (const type of ['typing', 'last_read_at'])
      eve.send({ type: 'channel', channel_id, data: { type } })
  }
  await eve.settled()
  expect(eve.errors).toEqual(Array.from({ length: 4 }, () => 'There is no such channel.'))
})
