import { afterAll, beforeAll, expect, test } from 'vitest'
import { startChannels, type ChannelWorld } from '../testing/start-channels.ts'

let world: ChannelWorld
beforeAll(async () => {
  world = await startChannels()
})
afterAll(() => world.close())

test('a message is stored, listed newest first, and told at once to everybody in the channel and to nobody else', async () => {
  const { ids, listen, say, get } = world
  const [ada, bob, eve, admin] = [
    await listen('ada'),
    await listen('bob'),
    await listen('eve'),
    await listen('admin'),
  ]
  const { id } = await world.newGroup('ada', 'bob')
  await bob.heard('channel:created')
  const first = await say('ada', id, 'Hello', { temp_id: 't1' })
  expect(first).toMatchObject({
    content: 'Hello',
    user_id: ids.ada,
    channel_id: id,
    data: null,
    reply_count: 0,
    user: { name: 'Ada' },
  })
  expect(first).not.toHaveProperty('temp_id')
  expect(String(first.created_at)).toMatch(/^\d{19}$/)
  await say('bob', id, 'Hi')
  for (const socket of [ada, bob]) {
    const frame = await socket.heard('message', ({ data }) => data.data.content === 'Hello')
    expect(frame).toMatchObject({
      channel_id: id,
      message_id: first.id,
      user: { id: ids.ada, name: 'Ada' },
    })
    expect(frame.data.data).toMatchObject({ id: first.id, temp_id: 't1', data: null })
    await socket.heard('message', ({ data }) => data.data.content === 'Hi')
  }
  const listed = await get('bob', `channels/${id}/messages`)
  expect(
    listed.map(({ content, data }: { content: string; data: boolean }) => [content, data]),
  ).toEqual([
    ['Hi', false],
    ['Hello', false],
  ])
  for (const socket of [eve, admin]) {
    await socket.settled()
    expect(socket.frames).toEqual([])
  }
})
