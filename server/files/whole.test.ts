import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWorld, type World } from '../testing/create-world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.server.close())

async function upload(
  name: string,
  text: string,
): Promise<{ id: string; data: { status: string; error?: string } }> {
  const body = new FormData()
  body.set('file', new Blob([text]), name)
  const reply = await fetch(`${world.server.url}/api/v1/files/?process_in_background=false`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.tokens.owner}` },
    body,
  })
  expect(reply.status).toBe(200)
  return (await reply.json()) as { id: string; data: { status: string } }
}

it('an uploaded file can be searched until it is deleted', async () => {
  const { id, data } = await upload(
    'trains.md',
    '# Night trains\n\nThe train to Lisbon leaves at ten.\n\n# Ferries\n\nThe ferry leaves at noon.',
  )
  expect(data).toMatchObject({ status: 'completed' })
  const find = () =>
    world.server.context.retrieval.search(
      { texts: ['When does the ferry leave?'], collections: [`file-${id}`] },
      AbortSignal.timeout(20_000),
    )
  const [best] = await find()
  expect(best).toMatchObject({
    document_id: id,
    name: 'trains.md',
    text: expect.stringContaining('noon'),
  })
  expect(
    (await world.server.call('DELETE', `/api/v1/files/${id}`, { token: world.tokens.owner }))
      .status,
  ).toBe(200)
  expect(await find()).toEqual([])
})

it('uploads need the permission for them', async () => {
  await world.server.context.settings.update({
    USER_PERMISSIONS: JSON.stringify({ chat: { file_upload: false } }),
  })
  const reply = await world.server.call('POST', '/api/v1/files/', {
    token: world.tokens.owner,
    body: {},
  })
  expect(reply.status).toBe(403)
  await world.server.context.settings.update({ USER_PERMISSIONS: null })
})

it.each(['__proto__', 'constructor', 'x.constructor', 'x.valueOf', '__proto__.csv'])(
  'row 101: %s is a name like any other',
  async (name) => {
    const { data } = await upload(name, `Plain words of a file that is called ${name}.`)
    expect(data).toMatchObject({ status: 'completed' })
  },
)
