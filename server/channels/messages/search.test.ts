import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AnyShape } from '../../testing/any-shape.ts'
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

const find = async (name: ChannelPerson, query: string): Promise<AnyShape[]> =>
  (await world.get(name, `channels/search?${query}`)).items

test('messages with all words are found, the newest first, in the channels one may read alone', async () => {
  const { say } = world
  const [group, other] = [await world.newGroup('ada', 'bob'), await world.newGroup('eve')]
  const first = await say('ada', group.id, 'The Brücke over the river is closed until Monday')
  await say('bob', group.id, 'A bridge too far')
  const reply = await say('bob', group.id, 'River closed? I see.', { parent_id: first.id })
  await say('eve', other.id, 'The river is closed')
  expect((await find('ada', 'text=river closed')).map(({ id }) => id)).toEqual([reply.id, first.id])
  expect(
    (await find('ada', 'text=brucke')).map(({ id, channel, snippet }) => [id, channel, snippet]),
  ).toEqual([
    [
      first.id,
      { id: group.id, name: 'team', type: 'group' },
      'The \uE000Brücke\uE001 over the river is closed until Monday',
    ],
  ])
  expect(await find('ada', 'text=riv')).toHaveLength(2)
  expect(await find('eve', 'text=river')).toHaveLength(1)
  expect(await find('admin', 'text=river')).toEqual([])
  expect(await find('ada', `text=river&before=${reply.id}`)).toHaveLength(1)
  expect(await find('ada', `text=river&channel_id=${group.id}&limit=1`)).toHaveLength(1)
  expect(
    (await world.call('ada', 'GET', `channels/search?text=river&channel_id=${other.id}`)).status,
  ).toBe(404)
  const foreign = await say('eve', other.id, 'Not for others')
  for (const before of ['nowhere', foreign.id])
    expect(
      (await world.call('ada', 'GET', `channels/search?text=river&before=${before}`)).status,
    ).toBe(404)
  for (const text of ['', '   ', '" OR ""', '*', 'place : x', ') OR (content'])
    expect(await find('eve', `text=${encodeURIComponent(text)}`)).toEqual([])
})

test('a changed text is found by its new words, a deleted one not at all, and nothing once one is out', async () => {
  const { ids, say, post } = world
  const { id } = await world.newGroup('ada', 'bob')
  const message = await say('bob', id, 'zebra crossing')
  await post('bob', `channels/${id}/messages/${message.id}/update`, { content: 'giraffe crossing' })
  expect(await find('ada', 'text=zebra')).toEqual([])
  expect(await find('ada', 'text=giraffe')).toHaveLength(1)
  await post('ada', `channels/${id}/update/members/remove`, { user_ids: [ids.bob] })
  expect(await find('bob', 'text=giraffe')).toEqual([])
  await world.call('ada', 'DELETE', `channels/${id}/messages/${message.id}/delete`)
  expect(await find('ada', 'text=giraffe')).toEqual([])
  await say('ada', id, `${'filler '.repeat(9000)} needleword`)
  expect(await find('ada', 'text=needleword')).toHaveLength(1)
  await world.call('ada', 'DELETE', `channels/${id}/delete`)
  expect(await find('ada', 'text=needleword')).toEqual([])
})
