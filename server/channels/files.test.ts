import { afterAll, beforeAll, expect, test } from 'vitest'
import { startChannels, type ChannelPerson, type ChannelWorld } from '../testing/start-channels.ts'

let world: ChannelWorld
beforeAll(async () => {
  world = await startChannels()
})
afterAll(() => world.close())

async function upload(name: ChannelPerson, filename: string): Promise<string> {
  const content = { bytes: Buffer.from(`The text of ${filename}.`) }
  const file = await world.server.context.files.create(
    world.ids[name],
    { filename, contentType: null, content },
    { process: false, background: true },
  )
  return file.id
}
const statusOf = async (name: ChannelPerson, id: string): Promise<number> =>
  (await world.server.call('GET', `/api/v1/files/${id}/content`, { token: world.tokens[name] }))
    .status
const attach = (id: string) => ({
  data: { files: [{ type: 'file', id, name: 'called otherwise' }] },
})

test('whoever may read the channel may read an attached file, as long as both stand and they are in it', async () => {
  const { ids, say, get, post } = world
  const file = await upload('ada', 'plan.txt')
  const { id } = await world.newGroup('ada', 'bob')
  expect(await statusOf('bob', file)).toBe(404)
  const message = await say('ada', id, 'See the plan', attach(file))
  const listed = (await get('bob', `channels/${id}/messages`))[0]
  expect(listed).toMatchObject({
    data: true,
    files: [{ id: file, name: 'plan.txt', content_type: 'text/plain', size: 21 }],
  })
  expect(await statusOf('bob', file)).toBe(200)
  expect(await statusOf('eve', file)).toBe(404)
  expect((await world.call('bob', 'DELETE', `files/${file}`)).status).toBe(404)
  await post('ada', `channels/${id}/update/members/remove`, { user_ids: [ids.bob] })
  expect(await statusOf('bob', file)).toBe(404)
  await post('ada', `channels/${id}/update/members/add`, { user_ids: [ids.bob] })
  expect(await statusOf('bob', file)).toBe(200)
  await world.call('ada', 'DELETE', `channels/${id}/messages/${message.id}/delete`)
  expect(await statusOf('bob', file)).toBe(404)
})

test('a grant on a public channel, the permission and the switch count for its files', async () => {
  const { server } = world
  const file = await upload('ada', 'public.txt')
  const { id } = await world.newPublic([
    { id: world.ids.ada, permission: 'write' },
    { id: world.ids.eve, permission: 'read' },
  ])
  await world.say('ada', id, '', attach(file))
  expect([await statusOf('eve', file), await statusOf('bob', file)]).toEqual([200, 404])
  await server.context.groups.updateDefaultPermissions({ features: { channels: false } })
  expect(await statusOf('eve', file)).toBe(404)
  await server.context.groups.updateDefaultPermissions({ features: { channels: true } })
  await server.context.settings.update({ ENABLE_CHANNELS: false })
  expect(await statusOf('eve', file)).toBe(404)
  await server.context.settings.update({ ENABLE_CHANNELS: true })
  await world.call('admin', 'DELETE', `channels/${id}/delete`)
  expect(await statusOf('eve', file)).toBe(404)
})

test('only own files can be attached: a foreign one is not there, one that may only be read is not shared further', async () => {
  const file = await upload('ada', 'mine.txt')
  const [first, second] = [await world.newGroup('ada', 'bob'), await world.newGroup('bob', 'eve')]
  const post = (name: ChannelPerson, id: string) =>
    world.call(name, 'POST', `channels/${id}/messages/post`, { content: '', ...attach(file) })
  expect((await post('bob', second.id)).status).toBe(404)
  await world.say('ada', first.id, '', attach(file))
  expect(await statusOf('bob', file)).toBe(200)
  expect((await post('bob', second.id)).status).toBe(403)
  const plain = await world.say('bob', second.id, 'Text')
  const update = await world.call(
    'bob',
    'POST',
    `channels/${second.id}/messages/${plain.id}/update`,
    { content: '', ...attach(file) },
  )
  expect(update.status).toBe(403)
  expect(await statusOf('eve', file)).toBe(404)
  expect(await world.get('bob', `channels/${second.id}/messages`)).toHaveLength(1)
})

test('an edit adds and takes away attached files; a deleted file is offered no more, one in use is not taken for unused', async () => {
  const [one, two] = [await upload('ada', 'one.txt'), await upload('ada', 'two.txt')]
  const { id } = await world.newGroup('ada', 'bob')
  const message = await world.say('ada', id, '', attach(one))
  const path = `channels/${id}/messages/${message.id}`
  expect((await world.post('ada', `${path}/update`, { content: 'x' })).files).toHaveLength(1)
  await world.post('ada', `${path}/update`, { content: 'x', ...attach(two) })
  expect([await statusOf('bob', one), await statusOf('bob', two)]).toEqual([404, 200])
  await world.server.context.storage.prepare('update file set updated_at = 1').run()
  const unused = (await world.get('admin', 'files/unused')).items as { id: string }[]
  expect([unused.some((file) => file.id === one), unused.some((file) => file.id === two)]).toEqual([
    true,
    false,
  ])
  expect((await world.call('ada', 'DELETE', `files/${two}`)).status).toBe(200)
  expect((await world.get('bob', path)).files).toEqual([])
})
