import { describe, expect, it, onTestFinished } from 'vitest'
import type { EventResult } from '#contract/event-webhooks.ts'
import { startConversation } from '../../testing/start-conversation.ts'
import { EVENT_WEBHOOKS, useEventWebhooks } from '../../testing/use-event-webhooks.ts'

const { server, receiver, restart, call, add, only, told, names } = useEventWebhooks()

describe('a receiver', () => {
  it('that is slow holds up neither the call nor the other receivers', async () => {
    receiver().answer((response, { path }) => void (path === '/hook' || response.end()))
    const slow = await add({ events: ['group.created'] })
    const quick = await add({ url: `${receiver().url}/quick`, events: ['group.created'] })
    await call('POST', '/api/v1/groups/create', { name: 'Team', description: '' })
    await expect
      .poll(async () => (await only(quick.id)).last_result)
      .toMatchObject({ delivered: true })
    expect(await only(slow.id)).toMatchObject({ waiting: 1, last_result: null })
  })

  it('that breaks off, fails or leads on is said so in words, and nobody is led inside the machine', async () => {
    const hook = await add({ name: 'Audit', events: ['memory.reset'] })
    const test = async () =>
      (await call<EventResult>('POST', `${EVENT_WEBHOOKS}/${hook.id}/test`)).body
    expect(await test()).toMatchObject({
      event: 'test',
      delivered: true,
      status: 200,
      problem: null,
    })
    expect(told()[0]).toMatchObject({
      event: 'webhook.test',
      actor: { name: 'Root' },
      data: { name: 'Audit' },
    })
    receiver().answer((response) => response.destroy())
    expect(await test()).toMatchObject({
      delivered: false,
      status: null,
      problem: expect.stringContaining('could not be reached'),
    })
    receiver().answer((response) => response.writeHead(500).end('planted answer'))
    expect(await test()).toMatchObject({
      delivered: false,
      status: 500,
      problem: 'The receiver answered with status 500. Check the address.',
    })
    receiver().answer((response) =>
      response.writeHead(307, { location: `${receiver().url}/inside` }).end(),
    )
    expect(await test()).toMatchObject({
      delivered: false,
      status: 307,
      problem: expect.stringContaining('not followed'),
    })
    expect(receiver().received.map(({ path }) => path)).not.toContain('/inside')
    const shown = await only(hook.id)
    expect(shown.last_result).toMatchObject({ status: 307, attempts: 1 })
    expect(JSON.stringify(shown)).not.toContain('planted answer')
  })

  it('that is deleted while it is tested stays deleted', async () => {
    const hook = await add({ events: ['memory.reset'] })
    receiver().answer((response) => {
      void call('DELETE', `${EVENT_WEBHOOKS}/${hook.id}`).then(() => response.end())
    })
    const { status, body } = await call<{ detail: string }>(
      'POST',
      `${EVENT_WEBHOOKS}/${hook.id}/test`,
    )
    expect([status, body.detail]).toEqual([404, expect.stringContaining('webhook')])
    const { storage } = server().context
    expect(await storage.prepare('select count(*) from webhook_delivery').pluck().get()).toBe(0)
  })

  it('that does not keep up is not told of more than can wait, and calls go on', async () => {
    const { storage, webhooks } = server().context
    receiver().answer(() => undefined)
    const hook = await add({ events: ['memory.reset'] })
    await storage.transaction(async () => {
      for (let count = 0; count < 1010; count += 1) await webhooks.events.tell('memory.reset', {})
    })
    expect((await only(hook.id)).waiting).toBe(1000)
    expect((await call('DELETE', `${EVENT_WEBHOOKS}/${hook.id}`)).status).toBe(200)
    expect(await storage.prepare('select count(*) from webhook_delivery').pluck().get()).toBe(0)
  })
})

it('an answer and the chat it begins are told of without what was asked and said', async () => {
  const conversation = await startConversation()
  onTestFinished(() => conversation.close())
  const { server: other, token } = conversation
  const filters = ['chat.created', 'message.created']
  await other.call('POST', EVENT_WEBHOOKS, {
    token,
    body: { url: receiver().url, events: filters },
  })
  const asked = {
    model: 'text',
    parent_id: null,
    stream: false,
    messages: [{ role: 'user', content: 'planted-question' }],
  }
  const answered = await conversation.complete(asked)
  expect(answered.status).toBe(200)
  await expect.poll(() => names().toSorted()).toEqual(filters)
  const [created, message] = filters.map((name) => told().find(({ event }) => event === name)!)
  expect(message!.data).toEqual({ chat_id: created!.subject!.id, role: 'assistant' })
  expect(await other.context.chats.ownerOf(created!.subject!.id!)).toBe(created!.actor!.id)
  expect(
    receiver()
      .received.map(({ text }) => text)
      .join(),
  ).not.toContain('planted-question')
})

it('hears after a restart of what could not be told before it, and of the start', async () => {
  const hook = await add({ events: ['group.created', 'system.*'] })
  await server().context.webhooks.close()
  await call('POST', '/api/v1/groups/create', { name: 'Team', description: '' })
  await expect.poll(async () => (await only(hook.id)).waiting).toBe(1)
  await restart()
  await expect.poll(() => names().toSorted()).toEqual(['group.created', 'system.startup.completed'])
})
