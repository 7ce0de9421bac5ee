import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AnyShape } from '../testing/any-shape.ts'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

const NAMES = Array.from({ length: 8 }, (_, index) => `name${index}`)

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer({ environment: { ENABLE_CHANNELS: 'true' } })
  token = await server.signUp('Ada')
})
afterAll(() => server.close())

async function call(method: string, path: string, body?: object) {
  const reply = await server.call(method, `/api/v1/${path}`, { token, body })
  return { status: reply.status, body: (await reply.json()) as AnyShape }
}
const post = (path: string, body: object = {}) => call('POST', path, body)
const statuses = (replies: readonly { status: number }[]): number[] =>
  [...new Set(replies.map(({ status }) => status))].toSorted((one, other) => one - other)
const eachName = <Result>(work: (name: string) => Promise<Result>) => Promise.all(NAMES.map(work))
const keysOf = (fields: object): string[] => Object.keys(fields).toSorted()

it('what clients keep about a person is merged field by field', async () => {
  const merged = await eachName((name) => post('users/user/info/update', { [name]: name }))
  expect(statuses(merged)).toEqual([200])
  expect(keysOf((await call('GET', 'users/user/info')).body)).toEqual(NAMES)
})

it('the details of a collection are merged field by field', async () => {
  const { id } = (await post('knowledge/create', { name: 'Manuals', description: '' })).body
  await eachName((name) => post(`knowledge/${id}/update`, { meta: { [name]: name } }))
  expect(keysOf((await call('GET', `knowledge/${id}`)).body.meta)).toEqual(NAMES)
})

it('a collection that is deleted while others change it is missing for them', async () => {
  const { id } = (await post('knowledge/create', { name: 'Manuals', description: '' })).body
  const changed = await Promise.all([
    call('DELETE', `knowledge/${id}/delete`),
    ...NAMES.map((name) => post(`knowledge/${id}/update`, { name })),
    ...NAMES.map(() => post(`knowledge/${id}/reset`)),
  ])
  expect([[200], [200, 404]]).toContainEqual(statuses(changed))
  expect((await call('GET', `knowledge/${id}`)).status).toBe(404)
})

it('the parts of a rating are changed one by one', async () => {
  const parts = { data: { rating: -1 }, meta: { arena: true }, type: 'other' }
  await eachName(async () => {
    const sent = { type: 'rating', data: { rating: 1 } }
    const path = `evaluations/feedback/${(await post('evaluations/feedback', sent)).body.id}`
    await Promise.all(Object.entries(parts).map(([name, part]) => post(path, { [name]: part })))
    expect((await call('GET', path)).body).toMatchObject(parts)
  })
})

it('a switch that is pressed an even number of times is as before', async () => {
  const prompt = { command: 'hello', name: 'Hello', content: 'Hello' }
  const { id } = (await post('prompts/create', prompt)).body
  await eachName(() => post(`prompts/id/${id}/toggle`))
  expect((await call('GET', `prompts/id/${id}`)).body.is_active).toBe(true)
  const data = { prompt: 'Hello', model_id: 'guide', rrule: 'RRULE:FREQ=DAILY' }
  const automation = (await post('automations/create', { name: 'Daily', data })).body
  await eachName(() => post(`automations/${automation.id}/toggle`))
  expect((await call('GET', `automations/${automation.id}`)).body.is_active).toBe(true)
})

it('the fields of a message of a channel are merged one by one', async () => {
  const { id } = (await post('channels/create', { name: 'group', type: 'group' })).body
  const message = (await post(`channels/${id}/messages/post`, { content: 'Hello' })).body
  const path = `channels/${id}/messages/${message.id}`
  await eachName((name) => post(`${path}/update`, { content: 'Hello', data: { [name]: name } }))
  expect(keysOf((await call('GET', path)).body.data)).toEqual(NAMES)
})

const DAILY = { prompt: 'Hello', model_id: 'guide', rrule: 'RRULE:FREQ=DAILY' }
const PRESET = { id: 'preset', base_model_id: 'guide' }
/** Address and input of what people write together, and a change of it. */
const WRITTEN = [
  ['prompts', 'id/', { command: 'bye', content: 'Bye' }],
  ['knowledge', '', { description: '' }],
  ['automations', '', { data: DAILY }],
  ['notes', '', {}],
] as const

it('of several texts that are based on one version the first is kept, and the others are told', async () => {
  const places = await Promise.all(
    WRITTEN.map(async ([root, under, input]) => {
      const made = await post(`${root}/create`, { name: 'First', title: 'First', ...input })
      const path = `${root}/${under}${made.body.id}`
      return { save: (change: object) => post(`${path}/update`, { ...input, ...change }), made }
    }),
  )
  const model = {
    made: await post('models/create', { ...PRESET, name: 'First' }),
    save: (change: object) => post('models/model/update', { ...PRESET, ...change }),
  }
  for (const { save, made } of [...places, model]) {
    const known_at = made.body.updated_at
    const replies = await eachName((name) => save({ name, title: name, known_at }))
    expect(statuses(replies), JSON.stringify(replies)).toEqual([200, 409])
    const [kept, ...more] = replies.filter(({ status }) => status === 200)
    expect(more).toEqual([])
    const refused = replies.find(({ status }) => status === 409)!
    expect(refused.body.detail).toMatch(/changed meanwhile/)
    const next = { name: 'Next', title: 'Next' }
    expect((await save({ ...next, known_at: kept!.body.updated_at })).status).toBe(200)
    // Programs that know of no versions change any.
    expect((await save({ name: 'Any', title: 'Any' })).status).toBe(200)
  }
})
