import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChannelWebhook } from '#contract/channel-webhooks.ts'
import type { AnyShape } from '../../testing/any-shape.ts'
import { startChannels, type ChannelWorld } from '../../testing/start-channels.ts'

const PNG = `data:image/png;base64,${Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]).toString('base64')}`
const OTHER_PNG = `data:image/png;base64,${Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 9, 9, 9]).toString('base64')}`

let world: ChannelWorld
beforeAll(async () => {
  world = await startChannels()
})
afterAll(() => world.close())

async function create(more: object = {}): Promise<{ id: string; hook: ChannelWebhook }> {
  const { id } = await world.newGroup('ada', 'bob')
  return {
    id,
    hook: await world.post('ada', `channels/${id}/webhooks/create`, { name: 'Build', ...more }),
  }
}
async function send(
  hook: { id: string; token: string | null },
  body: unknown = { content: 'Green' },
  headers: Record<string, string> = {},
) {
  const reply = await world.server.call(
    'POST',
    `/api/v1/channels/webhooks/${hook.id}/${hook.token}`,
    { body, headers },
  )
  return { status: reply.status, body: (await reply.json()) as AnyShape, headers: reply.headers }
}

test('a program posts as the webhook, which everybody in the channel sees as it was then', async () => {
  const bob = await world.listen('bob')
  const { id, hook } = await create({ profile_image_url: PNG })
  expect(hook.token).toMatch(/^[A-Za-z0-9]{43}$/)
  const sent = await send(hook, { content: 'Green', extra: 1 })
  expect(sent).toMatchObject({ status: 200, body: { success: true } })
  const author = { id: hook.id, name: 'Build', role: 'webhook' }
  const frame = await bob.heard('message')
  expect(frame).toMatchObject({
    user: author,
    message_id: sent.body.message_id,
    data: { data: { content: 'Green', user: author, meta: { webhook: { id: hook.id } } } },
  })
  expect(frame.data.data).not.toHaveProperty('temp_id')
  await world.post('ada', `channels/${id}/webhooks/${hook.id}/update`, {
    name: 'Release',
    profile_image_url: OTHER_PNG,
  })
  expect((await send(hook)).status).toBe(200)
  const listed = (await world.get('bob', `channels/${id}/messages`)) as AnyShape[]
  expect(listed.map(({ user }) => user.name)).toEqual(['Release', 'Build'])
  expect(
    (await world.get('bob', `channels/${id}/messages/${sent.body.message_id}`)).user,
  ).toMatchObject(author)
  const pictures = await Promise.all(
    listed.map(async ({ user }) => {
      const reply = await world.server.call('GET', user.profile_image_url, {
        token: world.tokens.bob,
      })
      expect(reply.headers.get('content-security-policy')).toContain('sandbox')
      return `data:${reply.headers.get('content-type')};base64,${Buffer.from(await reply.arrayBuffer()).toString('base64')}`
    }),
  )
  expect(pictures).toEqual([OTHER_PNG, PNG])
  const [shown] = (await world.get('ada', `channels/${id}/webhooks`)) as ChannelWebhook[]
  expect(shown).toMatchObject({ name: 'Release', token: null })
  expect(shown!.last_used_at).toBeGreaterThan(shown!.created_at)
})

test('the token stands nowhere but in the answer that made it: not in the database, the lists, the log or the request log', async () => {
  const { id, hook } = await create()
  await send(hook)
  await send({ id: hook.id, token: `${hook.token}x` })
  await world.server.call('POST', `/api/v1/channels//webhooks/${hook.id}/${hook.token}`, {
    body: {},
  })
  const { storage } = world.server.context
  const rows = JSON.stringify(await storage.prepare('select * from channel_webhook').all())
  expect(rows).toContain(hook.id)
  expect(rows).not.toContain(hook.token)
  expect(JSON.stringify(await world.get('ada', `channels/${id}/webhooks`))).not.toContain(
    hook.token,
  )
  const requests = await world.get('admin', 'requests?limit=100')
  const details = await Promise.all(
    (requests.items as AnyShape[])
      .slice(0, 20)
      .map((each) => world.get('admin', `requests/${each.id}`)),
  )
  const log = JSON.stringify([requests, details])
  expect(log).toContain(`/webhooks/${hook.id}/[redacted]`)
  expect(log).not.toContain(hook.token)
})

test('an unknown webhook, a wrong token, a deleted webhook and one of a deleted channel are answered alike', async () => {
  const { id, hook } = await create()
  const { hook: other } = await create()
  const answers = [
    await send({ id: 'nothing', token: 'nothing' }),
    await send({ id: hook.id, token: other.token }),
    await send({ id: hook.id, token: '' }),
  ]
  await world.call('ada', 'DELETE', `channels/${id}/webhooks/${hook.id}/delete`)
  answers.push(await send(hook))
  await world.call('ada', 'DELETE', `channels/${other.channel_id}/delete`)
  answers.push(await send(other))
  const [first, ...rest] = answers.filter(
    ({ body }) => body.detail !== 'There is nothing at this address.',
  )
  expect(first!.status).toBe(404)
  for (const answer of rest) expect([answer.status, answer.body]).toEqual([404, first!.body])
})

test('what it posted stays when it is deleted, by a deleted webhook', async () => {
  const { id, hook } = await create({ profile_image_url: PNG })
  const { body } = await send(hook)
  await world.call('ada', 'DELETE', `channels/${id}/webhooks/${hook.id}/delete`)
  for (const message of [
    (await world.get('bob', `channels/${id}/messages`))[0],
    await world.get('bob', `channels/${id}/messages/${body.message_id}`),
  ]) {
    expect(message.user).toEqual({
      id: hook.id,
      name: 'Deleted webhook',
      role: 'webhook',
      is_deleted: true,
      profile_image_url: `/api/v1/channels/webhooks/${hook.id}/profile/image`,
    })
  }
  const picture = await world.server.call(
    'GET',
    `/api/v1/channels/webhooks/${hook.id}/profile/image`,
    { token: world.tokens.bob },
  )
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(
    (await world.server.call('GET', `/api/v1/channels/webhooks/${hook.id}/profile/image`)).status,
  ).toBe(401)
})

test('a new token is shown once, and the old address stops working', async () => {
  const { id, hook } = await create()
  const renewed = (await world.post(
    'ada',
    `channels/${id}/webhooks/${hook.id}/rotate`,
  )) as ChannelWebhook
  expect(renewed.token).not.toBe(hook.token)
  expect((await send(hook)).status).toBe(404)
  expect((await send(renewed)).status).toBe(200)
})

test('only JSON with a text within 64 KiB is taken', async () => {
  const { hook } = await create()
  expect((await send(hook, { content: '' })).status).toBe(200)
  for (const body of [{}, { content: 7 }, { content: null }, [], 'text'])
    expect((await send(hook, JSON.stringify(body))).status).toBe(422)
  expect((await send(hook, '{')).status).toBe(422)
  expect(
    (await send(hook, 'content=x', { 'Content-Type': 'application/x-www-form-urlencoded' })).status,
  ).toBe(415)
  expect((await send(hook, { content: 'x'.repeat(64 * 1024) })).status).toBe(413)
})

test('thirty messages a minute are taken from one webhook, and others are not held up by it', async () => {
  const [{ hook }, { hook: other }] = [await create(), await create()]
  const statuses: number[] = []
  for (let each = 0; each < 31; each += 1) statuses.push((await send(hook)).status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(30)
  const refused = await send(hook)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await send(other)).status).toBe(200)
})

test('row 27: the text of a webhook is a text, which calls nobody and no model', async () => {
  const { id, hook } = await create()
  const bob = await world.listen('bob')
  const content = `<@U:${world.ids.bob}|Bob> <@M:guide|Guide> <details type="tool_calls"></details> <script>x</script>`
  const { body } = await send(hook, { content })
  await bob.heard('message')
  await bob.settled()
  expect(bob.types()).toEqual(['message'])
  expect((await world.get('bob', `channels/${id}/messages/${body.message_id}`)).content).toBe(
    content,
  )
})

test('row 24: pictures are bitmaps by their content; drawings and addresses are refused', async () => {
  const { id, hook } = await create()
  const svg = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')}`
  const liar = `data:image/png;base64,${Buffer.from('<script>').toString('base64')}`
  for (const profile_image_url of [
    svg,
    liar,
    'https://example.com/a.png',
    'javascript:alert(1)',
    '/etc/passwd',
  ]) {
    for (const path of ['create', `${hook.id}/update`]) {
      expect(
        (
          await world.call('ada', 'POST', `channels/${id}/webhooks/${path}`, {
            name: 'x',
            profile_image_url,
          })
        ).status,
      ).toBe(422)
    }
  }
  const odd = await world.server.call(
    'GET',
    `/api/v1/channels/webhooks/${hook.id}/profile/image?version=999999`,
    {
      token: world.tokens.bob,
      headers: { Accept: 'image/svg+xml' },
    },
  )
  expect([odd.status, odd.headers.get('content-type')]).toEqual([
    200,
    'image/svg+xml; charset=utf-8',
  ])
})

test('a webhook is managed in its own channel only, by its managers and administrators', async () => {
  const { id, hook } = await create()
  const { id: other } = await create()
  for (const [name, channel, status] of [
    ['bob', id, 403],
    ['eve', id, 404],
    ['ada', other, 404],
    ['admin', id, 200],
  ] as const) {
    const path = `channels/${channel}/webhooks/${hook.id}`
    expect([name, (await world.call(name, 'POST', `${path}/update`, { name: '' })).status]).toEqual(
      [name, status],
    )
    expect([name, (await world.call(name, 'POST', `${path}/rotate`)).status]).toEqual([
      name,
      status,
    ])
  }
  expect(
    (await world.call('admin', 'DELETE', `channels/${id}/webhooks/${hook.id}/delete`)).status,
  ).toBe(200)
  expect(
    (await world.call('admin', 'DELETE', `channels/${id}/webhooks/${hook.id}/delete`)).status,
  ).toBe(404)
})

test('sixty wrong addresses a minute are answered, then the caller waits; right ones beside them are not refused', async () => {
  const { hook } = await create()
  const statuses = new Set<number>()
  for (let each = 0; each < 70; each += 1)
    statuses.add((await send({ id: hook.id, token: 'guess' })).status)
  expect([...statuses]).toEqual([404, 429])
  expect((await send(hook)).status).toBe(200)
})
