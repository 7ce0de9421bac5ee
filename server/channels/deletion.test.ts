import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AnyShape } from '../testing/any-shape.ts'
import { startChannels, type ChannelWorld } from '../testing/start-channels.ts'

let world: ChannelWorld
beforeAll(async () => {
  world = await startChannels()
})
afterAll(() => world.close())

const rows = (text: string, ...values: unknown[]): number =>
  world.server.context.storage.sqlite
    .prepare<unknown[], number>(`select count(*) from ${text}`)
    .pluck()
    .get(...values)!

function fill(channelId: string, userId: string, count: number): void {
  const { sqlite } = world.server.context.storage
  sqlite.transaction(() => {
    const message = sqlite.prepare(
      'insert into channel_message (id, channel_id, user_id, content, created_at, updated_at) values (?, ?, ?, ?, ?, ?)',
    )
    const react = sqlite.prepare(
      "insert into channel_reaction (message_seq, name, user_id, created_at) values (?, 'x', ?, 1)",
    )
    const words = sqlite.prepare(
      'insert into channel_message_search (rowid, place, content) values (?, ?, ?)',
    )
    for (let each = 0; each < count; each += 1) {
      const { lastInsertRowid } = message.run(
        `${channelId}-${userId}-${each}`,
        channelId,
        userId,
        'whales',
        each + 1,
        each + 1,
      )
      react.run(lastInsertRowid, userId)
      words.run(lastInsertRowid, 'place', 'whales')
    }
  })()
}

test('a deleted channel is gone with the answer, and its rows go in short steps', async () => {
  const { id } = await world.newGroup('ada', 'bob')
  fill(id, world.ids.ada, 8000)
  await world.post('ada', `channels/${id}/webhooks/create`, { name: 'Hook' })
  await world.post('bob', `channels/${id}/read`)
  const begun = performance.now()
  expect((await world.call('ada', 'DELETE', `channels/${id}/delete`)).status).toBe(200)
  expect(performance.now() - begun).toBeLessThan(2000)
  expect((await world.call('bob', 'GET', `channels/${id}`)).status).toBe(404)
  expect((await world.get('admin', 'deletions')) as AnyShape[]).toMatchObject([
    { kind: 'channel', title: 'team' },
  ])
  await world.server.context.storage.deletions.settled()
  for (const table of [
    'channel_message',
    'channel_member',
    'channel_mark',
    'channel_webhook',
    'channel_webhook_identity',
  ]) {
    expect([table, rows(`${table} where channel_id = ?`, id)]).toEqual([table, 0])
  }
  expect([
    rows('channel where id = ?', id),
    rows('channel_reaction'),
    rows('channel_message_search_docsize'),
  ]).toEqual([0, 0, 0])
  expect(await world.get('admin', 'deletions')).toEqual([])
})

test('an account takes its messages, reactions, memberships and webhooks with it; what others and webhooks wrote stays', async () => {
  const { ids, server, say, post } = world
  const group = await world.newGroup('eve', 'ada', 'bob')
  const pair = await world.get('eve', `channels/users/${ids.ada}`)
  const alone = await world.newGroup('eve')
  const own = await world.post('eve', 'channels/create', { type: 'dm' })
  const parent = await say('ada', group.id, `Who is <@U:${ids.eve}|Eve>?`)
  await say('eve', group.id, 'Me', { parent_id: parent.id })
  await post('eve', `channels/${group.id}/messages/${parent.id}/reactions/add`, { name: 'x' })
  const byAda = await post('ada', `channels/${pair.id}/messages/post`, { content: 'Only for you' })
  const hook = await post('eve', `channels/${group.id}/webhooks/create`, { name: 'Hook' })
  const address = `/api/v1/channels/webhooks/${hook.id}/${hook.token}`
  expect((await server.call('POST', address, { body: { content: 'Green' } })).status).toBe(200)
  fill(group.id, ids.eve, 3000)
  const ada = await world.listen('ada')

  expect((await world.call('admin', 'DELETE', `users/${ids.eve}`)).status).toBe(200)
  await server.context.storage.deletions.settled()
  const listed = (await world.get('ada', `channels/${group.id}/messages`)) as AnyShape[]
  expect(listed.map(({ content }) => content)).toEqual(['Green', parent.content])
  expect(listed[1]).toMatchObject({ reply_count: 0, latest_reply_at: null, reactions: [] })
  expect(listed[0].user).toMatchObject({ is_deleted: true })
  expect((await server.call('POST', address, { body: { content: 'Red' } })).status).toBe(404)
  expect((await world.get('ada', `channels/${pair.id}/messages`)) as AnyShape[]).toMatchObject([
    { id: byAda.id },
  ])
  expect((await world.get('ada', `channels/${group.id}`)).user_ids).not.toContain(ids.eve)
  // At least one member must be able to add members and delete the group.
  expect(
    (await world.get('ada', `channels/${group.id}/members`)).users.filter(
      (each: AnyShape) => each.is_manager,
    ),
  ).toHaveLength(1)
  await expect.poll(() => rows('channel where id in (?, ?)', alone.id, own.id)).toBe(0)
  for (const table of [
    'channel_member',
    'channel_mark',
    'channel_reaction',
    'channel_mention',
    'channel_webhook',
  ]) {
    expect([table, rows(`${table} where user_id = ?`, ids.eve)]).toEqual([table, 0])
  }
  expect(rows('channel_message where user_id = ? and webhook_id is null', ids.eve)).toBe(0)
  await say('ada', group.id, 'Still here')
  await ada.heard('message')
})

test('nothing is stored for an account whose rows are being removed', async () => {
  const { server, ids } = world
  const { id } = await world.newGroup('ada', 'bob')
  const { writeTurns } = server.context.storage
  const bob = world.tokens.bob
  fill(id, ids.bob, 3000)
  Atomics.add(writeTurns, 0, 1)
  expect((await world.call('admin', 'DELETE', `users/${ids.bob}`)).status).toBe(200)
  expect(
    (
      await server.call('POST', `/api/v1/channels/${id}/messages/post`, {
        token: bob,
        body: { content: 'Late' },
      })
    ).status,
  ).toBe(401)
  const insert = server.context.storage.sqlite.prepare(
    "insert into channel_message (id, channel_id, user_id, content, created_at, updated_at) values ('late', ?, ?, 'x', 9, 9)",
  )
  expect(() => insert.run(id, ids.bob)).toThrow('was deleted')
  Atomics.sub(writeTurns, 0, 1)
  Atomics.notify(writeTurns, 0)
  await server.context.storage.deletions.settled()
})
