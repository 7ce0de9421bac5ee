import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AnyShape } from '../../testing/any-shape.ts'
import { MessageStore } from './message-store.ts'
import {
  startChannels,
  type ChannelPerson,
  type ChannelWorld,
} from '../../testing/start-channels.ts'

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
const idsOf = (messages: AnyShape[]): string[] => messages.map(({ id }) => id)

test('answers stand in the thread of a message, which counts them; a thread has no threads in it', async () => {
  const { say, get } = world
  const { id } = await world.newGroup('ada', 'bob')
  const ada = await world.listen('ada')
  const parent = await say('ada', id, 'Who comes?')
  const one = await say('bob', id, 'Me', { parent_id: parent.id })
  const two = await say('ada', id, 'Good', { parent_id: one.id, reply_to_id: one.id })
  expect(two).toMatchObject({
    parent_id: parent.id,
    reply_to_id: one.id,
    reply_to_message: { id: one.id, content: 'Me', user: { name: 'Bob' } },
  })
  expect(await get('bob', `channels/${id}/messages`)).toMatchObject([
    { id: parent.id, reply_count: 2, latest_reply_at: two.created_at },
  ])
  expect(idsOf(await get('bob', `channels/${id}/messages/${parent.id}/thread`))).toEqual([
    two.id,
    one.id,
    parent.id,
  ])
  expect(idsOf(await get('bob', `channels/${id}/messages/${parent.id}/thread?limit=1`))).toEqual([
    two.id,
  ])
  expect(
    idsOf(await get('bob', `channels/${id}/messages/${parent.id}/thread?before=${two.id}`)),
  ).toEqual([one.id])
  expect(await get('bob', `channels/${id}/messages/none/thread`)).toEqual([])
  const told = await ada.heard('message:reply', ({ data }) => data.data.reply_count === 2)
  expect(told).toMatchObject({
    message_id: parent.id,
    user: { name: 'Ada' },
    data: { data: { id: parent.id, latest_reply_at: two.created_at } },
  })
  await world.call('bob', 'DELETE', `channels/${id}/messages/${one.id}/delete`)
  expect((await get('ada', `channels/${id}/messages/${parent.id}`)).reply_count).toBe(1)
  await world.call('ada', 'DELETE', `channels/${id}/messages/${parent.id}/delete`)
  expect(await get('ada', `channels/${id}/messages`)).toEqual([])
  expect((await get('ada', `channels/${id}/messages/${two.id}`)).content).toBe('Good')
  for (const more of [{ parent_id: 'none' }, { reply_to_id: 'none' }]) {
    expect(await statusOf('ada', 'POST', `${id}/messages/post`, { content: 'x', ...more })).toBe(
      404,
    )
  }
})

test('a list is read from its end, before, after and around a message; no list is longer than 200', async () => {
  const { say, get } = world
  const { id } = await world.newGroup('ada')
  const ids: string[] = []
  for (let each = 0; each < 9; each += 1) ids.unshift((await say('ada', id, `Text ${each}`)).id)
  const read = async (query: string) => idsOf(await get('ada', `channels/${id}/messages?${query}`))
  expect(await read('limit=3')).toEqual(ids.slice(0, 3))
  expect(await read('skip=2&limit=3')).toEqual(ids.slice(2, 5))
  expect(await read(`before=${ids[2]}&limit=2`)).toEqual(ids.slice(3, 5))
  expect(await read(`after=${ids[6]}&limit=2`)).toEqual(ids.slice(4, 6))
  expect(await read(`around=${ids[4]}&limit=4`)).toEqual(ids.slice(2, 6))
  expect(await read('limit=0')).toEqual([])
  expect(await read('limit=-1')).toEqual(ids)
  for (const query of ['limit=-2', 'skip=-1', 'skip=x', 'limit=9999999'])
    expect(await statusOf('ada', 'GET', `${id}/messages?${query}`)).toBe(422)
  expect(await statusOf('ada', 'GET', `${id}/messages?before=none`)).toBe(404)
})

test('who wrote a message changes it, field by field; readers and others do not, an administrator in the channel may', async () => {
  const { ids, say } = world
  const { id } = await world.newPublic([
    { id: ids.ada, permission: 'write' },
    { id: ids.bob, permission: 'write' },
    { id: ids.eve, permission: 'read' },
  ])
  const bob = await world.listen('bob')
  const { id: message } = await say('ada', id, 'Frist', {
    data: { a: 1, b: 1 },
    meta: { m: 1, webhook: { id: 'forged' }, model_id: 'forged', done: true },
  })
  const path = `${id}/messages/${message}`
  expect(await world.get('ada', `channels/${path}`)).toMatchObject({
    meta: { m: 1 },
    edited_at: null,
  })
  expect(await statusOf('bob', 'POST', `${path}/update`, { content: 'Mine' })).toBe(403)
  expect(await statusOf('bob', 'DELETE', `${path}/delete`)).toBe(403)
  for (const [method, action, body] of [
    ['POST', 'update', { content: 'x' }],
    ['POST', 'pin', { is_pinned: true }],
    ['POST', 'reactions/add', { name: '+1' }],
    ['DELETE', 'delete', undefined],
  ] as const) {
    expect([action, await statusOf('eve', method, `${path}/${action}`, body)]).toEqual([
      action,
      403,
    ])
  }
  const changed = await world.post('ada', `channels/${path}/update`, {
    content: 'First',
    data: { b: 2 },
    meta: { model_name: 'forged' },
  })
  expect(changed).toMatchObject({ content: 'First', data: { a: 1, b: 2 }, meta: { m: 1 } })
  expect(changed.meta).toEqual({ m: 1 })
  expect(changed.edited_at).toBeGreaterThan(changed.created_at)
  expect(await world.get('bob', `channels/${path}/data`)).toEqual({ a: 1, b: 2 })
  expect((await world.get('bob', `channels/${id}/messages`))[0].data).toBe(true)
  expect(await bob.heard('message:update')).toMatchObject({
    message_id: message,
    data: { data: { content: 'First', data: { a: 1, b: 2 } } },
  })
  expect(
    await statusOf('admin', 'POST', `${path}/update`, { content: 'By the administrator' }),
  ).toBe(200)
  expect(await statusOf('admin', 'DELETE', `${path}/delete`)).toBe(200)
  expect(await bob.heard('message:delete')).toMatchObject({
    data: { data: { content: 'By the administrator' } },
  })
  expect(await statusOf('ada', 'GET', path)).toBe(404)
})

test('a manager of a group deletes what others wrote, and changes nothing of it', async () => {
  const { id } = await world.newGroup('ada', 'bob')
  const { id: message } = await world.say('bob', id, 'Rude')
  expect(
    await statusOf('ada', 'POST', `${id}/messages/${message}/update`, { content: 'Polite' }),
  ).toBe(403)
  expect(await statusOf('ada', 'DELETE', `${id}/messages/${message}/delete`)).toBe(200)
})

test('a message is not there through another channel, whoever asks', async () => {
  const [one, other] = [await world.newGroup('ada', 'bob'), await world.newGroup('ada', 'bob')]
  const { id: message } = await world.say('bob', one.id, 'Here')
  for (const [method, action, body] of [
    ['GET', '', undefined],
    ['GET', '/data', undefined],
    ['POST', '/update', { content: 'x' }],
    ['POST', '/pin', { is_pinned: true }],
    ['POST', '/reactions/add', { name: 'x' }],
    ['POST', '/reactions/remove', { name: 'x' }],
    ['DELETE', '/delete', undefined],
  ] as const) {
    expect([
      action,
      await statusOf('bob', method, `${other.id}/messages/${message}${action}`, body),
    ]).toEqual([action, 404])
  }
  expect(
    await statusOf('bob', 'POST', `${other.id}/messages/post`, {
      content: 'x',
      parent_id: message,
    }),
  ).toBe(404)
})

test('a reaction counts once for each person, any text is one, and taking back what is not there is no fault', async () => {
  const { ids, post, get } = world
  const { id } = await world.newGroup('ada', 'bob')
  const bob = await world.listen('bob')
  const { id: message } = await world.say('ada', id, 'Done')
  const path = `channels/${id}/messages/${message}`
  for (let each = 0; each < 2; each += 1)
    expect(await post('ada', `${path}/reactions/add`, { name: 'tada' })).toBe(true)
  await post('bob', `${path}/reactions/add`, { name: 'tada' })
  await post('bob', `${path}/reactions/add`, { name: '' })
  const reactions = [
    {
      name: 'tada',
      count: 2,
      users: [
        { id: ids.ada, name: 'Ada' },
        { id: ids.bob, name: 'Bob' },
      ],
    },
    { name: '', count: 1, users: [{ id: ids.bob, name: 'Bob' }] },
  ]
  expect((await get('ada', `channels/${id}/messages`))[0].reactions).toEqual(reactions)
  await post('bob', `${path}/reactions/remove`, { name: 'tada' })
  await post('bob', `${path}/reactions/remove`, { name: 'never' })
  expect((await get('ada', path)).reactions[0]).toMatchObject({ count: 1 })
  await bob.settled()
  expect(bob.types()).toEqual([
    'message',
    'message:reaction:add',
    'message:reaction:add',
    'message:reaction:add',
    'message:reaction:remove',
  ])
  expect(bob.frames.at(-1)).toMatchObject({
    user: { id: ids.bob },
    data: { name: 'tada', data: { id: message } },
  })
  for (let each = 0; each < 48; each += 1)
    await post('ada', `${path}/reactions/add`, { name: `n${each}` })
  expect(
    await statusOf('ada', 'POST', `${id}/messages/${message}/reactions/add`, {
      name: 'one too many',
    }),
  ).toBe(400)
  expect(
    await statusOf('bob', 'POST', `${id}/messages/${message}/reactions/add`, { name: 'n1' }),
  ).toBe(200)
})

test('pins are listed the last first and told; pinning again changes nothing', async () => {
  const { ids, post, get } = world
  const { id } = await world.newGroup('ada', 'bob')
  const [one, two] = [await world.say('ada', id, 'One'), await world.say('ada', id, 'Two')]
  const ada = await world.listen('ada')
  expect(
    await post('bob', `channels/${id}/messages/${two.id}/pin`, { is_pinned: true }),
  ).toMatchObject({
    is_pinned: true,
    pinned_by: ids.bob,
  })
  await post('bob', `channels/${id}/messages/${one.id}/pin`, { is_pinned: true })
  await post('ada', `channels/${id}/messages/${two.id}/pin`, { is_pinned: true })
  expect(idsOf(await get('ada', `channels/${id}/messages/pinned`))).toEqual([one.id, two.id])
  expect(await get('ada', `channels/${id}/messages/pinned?page=2`)).toEqual([])
  expect((await get('ada', `channels/${id}/messages/${two.id}`)).pinned_by).toBe(ids.bob)
  await post('ada', `channels/${id}/messages/${two.id}/pin`, { is_pinned: false })
  expect(idsOf(await get('ada', `channels/${id}/messages/pinned`))).toEqual([one.id])
  await ada.settled()
  expect(ada.types()).toEqual(['message:pin', 'message:pin', 'message:pin'])
})

test('an empty text and 100,000 letters are taken, one more is not; free fields are bounded', async () => {
  const { id } = await world.newGroup('ada')
  for (const content of ['', 'x'.repeat(100_000)]) await world.say('ada', id, content)
  expect(
    await statusOf('ada', 'POST', `${id}/messages/post`, { content: 'x'.repeat(100_001) }),
  ).toBe(422)
  expect(
    await statusOf('ada', 'POST', `${id}/messages/post`, {
      content: '',
      data: { x: 'y'.repeat(300_000) },
    }),
  ).toBe(413)
  expect(await statusOf('ada', 'POST', `${id}/messages/post`, { content: '', meta: [] })).toBe(422)
})

test('the times of messages grow also when they are posted at once', async () => {
  const { id } = await world.newGroup('ada')
  await Promise.all(Array.from({ length: 40 }, (_, each) => world.say('ada', id, `${each}`)))
  const times = ((await world.get('ada', `channels/${id}/messages`)) as AnyShape[]).map(
    ({ created_at }) => created_at,
  )
  expect(new Set(times).size).toBe(40)
  expect(times).toEqual(times.toSorted((one, other) => other - one))
})

test('a message of a gateway whose clock is behind comes after those of its channel, at a time of its own', async () => {
  const { say, get, ids, server } = world
  const { id: channel_id } = await world.newGroup('ada', 'bob')
  const first = await say('ada', channel_id, 'First')
  const messages = new MessageStore(server.context.storage)
  const late = { channel_id, user_id: ids.bob, content: 'Second', created_at: 1, updated_at: 1 }
  await messages.insert({ ...late, id: 'late-1' }, { mentions: [], files: [], words: null })
  await messages.insert({ ...late, id: 'late-2' }, { mentions: [], files: [], words: null })
  const listed: AnyShape[] = await get('bob', `channels/${channel_id}/messages`)
  expect(idsOf(listed)).toEqual(['late-2', 'late-1', first.id])
  expect(new Set(listed.map(({ created_at }) => created_at)).size).toBe(3)
})
