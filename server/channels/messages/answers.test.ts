import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { AnyShape } from '../../testing/any-shape.ts'
import { startFakeCompatible } from '../../testing/fake-upstream/fake-compatible.ts'
import type { FakeUpstream } from '../../testing/fake-upstream/fake-server.ts'
import type { Script } from '../../testing/fake-upstream/script.ts'
import { startChannels, type ChannelWorld, type HeardFrame } from '../../testing/start-channels.ts'

const SLOW: Script = async () => ({
  steps: Array.from({ length: 12 }, (_, each) => [
    { kind: 'content' as const, text: `word${each} ` },
    { kind: 'wait' as const, milliseconds: 60 },
  ]).flat(),
})
const FULL = Array.from({ length: 12 }, (_, each) => `word${each} `).join('')

let world: ChannelWorld
let upstream: FakeUpstream
let script: Script
beforeEach(async () => {
  script = SLOW
  upstream = await startFakeCompatible({
    models: ['cloud-1', 'cloud-2'],
    script: (input) => script(input),
  })
  world = await startChannels({
    OPENAI_API_BASE_URLS: upstream.url,
    OPENAI_API_KEYS: 'sk-upstream-key-000000',
  })
  const everybody = [{ principal_type: 'user', principal_id: '*', permission: 'read' }]
  await world.get('admin', 'models?refresh=true')
  await world.post('admin', 'models/create', {
    id: 'cloud-1',
    name: 'Cloud One',
    meta: {},
    params: {},
    access_grants: everybody,
  })
})
afterEach(async () => {
  await world.close()
  await upstream.close()
})

const isLast = ({ data }: HeardFrame): boolean => data.data.meta?.done === true
const asked = (): AnyShape[] =>
  upstream.requests.filter(({ path }) => path.endsWith('/chat/completions')).map(({ json }) => json)

test('a model that is mentioned answers in the thread, told live to everybody in the channel until it is done', async () => {
  const { ids, say, get } = world
  const { id } = await world.newGroup('ada', 'bob')
  const [bob, eve] = [await world.listen('bob'), await world.listen('eve')]
  await say('bob', id, 'I like trains.')
  const question = await say('ada', id, 'What about brakes, <@M:cloud-1|Cloud One>?')
  const placeholder = await bob.heard(
    'message',
    ({ data }) => data.data.meta?.model_id === 'cloud-1',
  )
  expect(placeholder.data.data).toMatchObject({
    user_id: ids.ada,
    parent_id: question.id,
    content: '',
    meta: { model_id: 'cloud-1', model_name: 'Cloud One', done: false },
  })
  const last = await bob.heard('message:update', isLast)
  const updates = bob.frames
    .filter(({ data }) => data.type === 'message:update')
    .map(({ data }) => data.data)
  expect(updates.length).toBeGreaterThan(3)
  const texts = updates.map(({ content }) => content as string)
  for (const [place, text] of texts.entries())
    expect(FULL.startsWith(text) && text.length >= (texts[place - 1] ?? '').length).toBe(true)
  expect(last.data.data).toMatchObject({
    id: placeholder.message_id,
    content: FULL,
    meta: { done: true },
  })
  expect(
    (await get('bob', `channels/${id}/messages/${question.id}/thread`)).map(
      ({ content }: AnyShape) => content,
    ),
  ).toEqual([FULL, question.content])
  const [system, ...said] = asked()[0].messages
  expect(system).toMatchObject({ role: 'system' })
  expect(said.map(({ content }: AnyShape) => content)).toEqual([
    'Bob: I like trains.',
    'Ada: What about brakes, @Cloud One?',
  ])
  expect(eve.frames).toEqual([])
  expect((await get('bob', 'channels/search?text=word7')).items).toMatchObject([
    { id: placeholder.message_id },
  ])
})

test('in a thread the answer stands in the same one and the model reads what was said there', async () => {
  const { id } = await world.newGroup('ada', 'bob')
  const bob = await world.listen('bob')
  const parent = await world.say('bob', id, 'About ships')
  await world.say('bob', id, 'Something else')
  await world.say('ada', id, 'How do they brake, <@M:cloud-1|C>?', { parent_id: parent.id })
  const last = await bob.heard('message:update', isLast)
  expect(last.data.data.parent_id).toBe(parent.id)
  await world.say('ada', id, 'And <@M:cloud-1|C>?', { parent_id: parent.id })
  await expect.poll(() => asked().length).toBe(2)
  expect(
    asked()[1]
      .messages.slice(1)
      .map(({ role, content }: AnyShape) => [role, content]),
  ).toEqual([
    ['user', 'Bob: About ships'],
    ['user', 'Ada: How do they brake, @C?'],
    ['assistant', FULL],
    ['user', 'Ada: And @C?'],
  ])
})

test('it is asked with the rights of who asks: models they may not use, and unknown ones, stay silent', async () => {
  const { id } = await world.newGroup('ada', 'bob')
  const bob = await world.listen('bob')
  await world.say('ada', id, '<@M:cloud-2|Two> <@M:none|None>, hello')
  await world.post('ada', `channels/${id}/update/members/add`, { user_ids: [world.ids.admin] })
  await bob.settled()
  expect(bob.types().filter((type) => type === 'message')).toHaveLength(1)
  expect(asked()).toEqual([])
})

test('a failure of the provider ends the answer with its reason; what came before stays', async () => {
  script = async () => ({
    steps: [
      { kind: 'content', text: 'Half ' },
      { kind: 'error', message: 'overloaded' },
    ],
  })
  const { id } = await world.newGroup('ada', 'bob')
  const bob = await world.listen('bob')
  await world.say('ada', id, '<@M:cloud-1|C>?')
  const last = await bob.heard('message:update', isLast)
  expect(last.data.data).toMatchObject({
    content: 'Half ',
    meta: { done: true, error: { content: expect.stringContaining('overloaded') } },
  })
})

test('who asked can stop it, and it ends when they are taken out or the message is deleted', async () => {
  script = async () => ({
    steps: [
      { kind: 'content', text: 'Begin' },
      { kind: 'wait', milliseconds: 400 },
      { kind: 'content', text: ' more' },
      { kind: 'stall' },
    ],
  })
  const { ids, server } = world
  const { id } = await world.newGroup('ada', 'bob')
  const ada = await world.listen('ada')
  const running = () => server.context.tasks.ofChat(`channel:${id}`)
  await world.say('bob', id, '<@M:cloud-1|C>?')
  // The text written so far is visible although the answer is still pending.
  expect((await ada.heard('message:update')).data.data.content).toBe('Begin')
  const { task_id } = (await ada.heard('message:update')).data.data.meta
  expect(
    (await server.call('POST', `/api/tasks/stop/${task_id}`, { token: world.tokens.ada })).status,
  ).toBe(404)
  expect(
    (await server.call('POST', `/api/tasks/stop/${task_id}`, { token: world.tokens.bob })).status,
  ).toBe(200)
  expect((await ada.heard('message:update', isLast)).data.data.content).toMatch(/^Begin( more)?$/)
  expect((await ada.heard('message:update', isLast)).data.data.meta).not.toHaveProperty('task_id')
  await expect.poll(running).toEqual([])

  await world.say('bob', id, '<@M:cloud-1|C>, again')
  await expect.poll(() => running().length).toBe(1)
  await world.post('ada', `channels/${id}/update/members/remove`, { user_ids: [ids.bob] })
  await expect.poll(running).toEqual([])

  await world.say('ada', id, '<@M:cloud-1|C>, for me')
  await expect.poll(() => running().length).toBe(1)
  // The answer may be running already while its message is being stored.
  const path = `channels/${id}/messages/${running()[0]!.messageId}/delete`
  await expect.poll(async () => (await world.call('ada', 'DELETE', path)).status).toBe(200)
  await expect.poll(running).toEqual([])
})

test('an answer whose end cannot be stored at first is ended once it can', async () => {
  script = async () => ({
    steps: [
      { kind: 'content', text: 'Begin' },
      { kind: 'wait', milliseconds: 400 },
      { kind: 'content', text: ' more' },
    ],
  })
  const { storage } = world.server.context
  const { id } = await world.newGroup('ada')
  const ada = await world.listen('ada')
  const work = storage.transaction.bind(storage)
  let isBroken = false
  let failures = 0
  const spy = vi.spyOn(storage, 'transaction').mockImplementation(async (change) => {
    if (!isBroken) return await work(change)
    failures += 1
    throw new Error('The disk is full.')
  })
  onTestFinished(() => spy.mockRestore())
  await world.say('ada', id, '<@M:cloud-1|C>?')
  const { message_id } = await ada.heard('message:update')
  isBroken = true
  await expect.poll(() => failures).toBeGreaterThan(1)
  isBroken = false
  await expect
    .poll(async () => await world.get('ada', `channels/${id}/messages/${message_id}`))
    .toMatchObject({ content: expect.stringMatching(/^Begin/), meta: { done: true } })
})

test('an answer the gateway was stopped in is ended by the next start', async () => {
  const { storage } = world.server.context
  const { id } = await world.newGroup('ada')
  const message = await world.say('ada', id, 'x')
  await storage
    .prepare("update channel_message set done = 0, model_id = 'cloud-1' where id = ?")
    .run(message.id)
  world.server.context.channels.resume()
  await expect
    .poll(async () => (await world.get('ada', `channels/${id}/messages/${message.id}`)).meta)
    .toMatchObject({
      done: true,
      error: { content: 'The gateway stopped while this was written.' },
    })
})

test('a message is posted also while the models cannot be listed', async () => {
  const { id } = await world.newGroup('ada', 'bob')
  const failure = new Error('no list')
  vi.spyOn(world.server.context.models, 'list').mockRejectedValueOnce(failure)
  const posted = await world.say('ada', id, '<@M:cloud-1|Cloud One>, hello')
  expect(await world.get('bob', `channels/${id}/messages`)).toMatchObject([{ id: posted.id }])
})
