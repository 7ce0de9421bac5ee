import { isOnPostgres } from '../../testing/create-test-storage.ts'
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { EventWebhook } from '#contract/event-webhooks.ts'
import { EVENT_WEBHOOKS, useEventWebhooks } from '../../testing/use-event-webhooks.ts'
import { EVENT_ROWS } from './follow-routes.ts'
import { EVENT_NAMES } from './names.ts'

const SECRET = 'planted-secret-of-the-receiver'
const { server, receiver, call, add, only, told, names } = useEventWebhooks()

describe('the addresses of events', () => {
  it('are added, listed, changed and removed by administrators, in the words of the reference', async () => {
    expect((await call('GET', '/api/events')).body).toEqual({
      schema: '0.9.6',
      events: [...EVENT_NAMES],
    })
    const hook = await add({ name: 'Audit', events: ['group.*', 'user.deleted'], secret: SECRET })
    expect(hook).toMatchObject({
      name: 'Audit',
      enabled: true,
      events: ['group.*', 'user.deleted'],
      has_secret: true,
      last_result: null,
    })
    expect((await call('GET', EVENT_WEBHOOKS)).body).toEqual([hook])
    const changed = await call('PUT', `${EVENT_WEBHOOKS}/${hook.id}`, {
      name: null,
      enabled: false,
      events: [],
    })
    expect(changed.body).toMatchObject({
      id: hook.id,
      url: hook.url,
      name: 'Webhook',
      enabled: false,
      events: ['*'],
      has_secret: true,
    })
    expect(
      (await call<EventWebhook>('PUT', `${EVENT_WEBHOOKS}/${hook.id}`, { secret: '' })).body
        .has_secret,
    ).toBe(false)
    expect((await call('DELETE', `${EVENT_WEBHOOKS}/${hook.id}`)).body).toEqual({ status: true })
    for (const [method, path] of [
      ['PUT', `${EVENT_WEBHOOKS}/${hook.id}`],
      ['DELETE', `${EVENT_WEBHOOKS}/${hook.id}`],
      ['POST', `${EVENT_WEBHOOKS}/${hook.id}/test`],
    ] as const)
      expect(await call(method, path, method === 'PUT' ? {} : undefined)).toMatchObject({
        status: 404,
        body: { detail: 'There is no such webhook.' },
      })
  })

  it('what cannot be kept is refused in a sentence, and nothing is changed', async () => {
    const hook = await add({ name: 'Kept', events: ['memory.reset'] })
    for (const [given, sentence] of [
      [{ url: '' }, 'Enter the address'],
      [{ url: 'ftp://example.org/' }, 'http'],
      [{ url: 'no address' }, 'address'],
      [{ events: ['chat.exploded'] }, 'There is no event "chat.exploded"'],
      [{ events: ['chat'] }, 'There is no event "chat"'],
      [{ events: ['.*'] }, 'There is no event ".*"'],
      [{ targets: [{ type: 'user', id: 'x' }] }, 'Leave out "targets"'],
    ] as const) {
      for (const [method, path] of [
        ['POST', EVENT_WEBHOOKS],
        ['PUT', `${EVENT_WEBHOOKS}/${hook.id}`],
      ] as const) {
        const refused = await call<{ detail: string }>(method, path, {
          url: receiver().url,
          ...given,
        })
        expect([given, refused.status]).toEqual([given, 400])
        expect(refused.body.detail).toContain(sentence)
      }
    }
    for (const given of [
      {},
      { url: 5 },
      { url: receiver().url, events: 'chat.*' },
      { url: receiver().url, enabled: 'yes' },
      { url: 'x'.repeat(3000) },
    ])
      expect([given, (await call('POST', EVENT_WEBHOOKS, given)).status]).toEqual([given, 422])
    expect((await call('GET', EVENT_WEBHOOKS)).body).toEqual([hook])
    for (let count = 1; count < 50; count += 1) await add({ enabled: false })
    expect(await call('POST', EVENT_WEBHOOKS, { url: receiver().url })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('50 addresses') },
    })
  })

  it('cannot become more than allowed by two calls at once', async () => {
    const { events } = server().context.webhooks
    const given = { url: receiver().url, enabled: false }
    for (let count = 1; count < 50; count += 1) await events.create(given)
    const added = await Promise.allSettled([events.create(given), events.create(given)])
    expect(added.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await events.list()).toHaveLength(50)
  })

  it('are no business of members, who are neither told what there is nor which ids exist', async () => {
    const hook = await add({ events: ['memory.reset'] })
    const member = await server().signUp('Mallory')
    for (const [method, path] of [
      ['GET', '/api/events'],
      ['GET', EVENT_WEBHOOKS],
      ['POST', EVENT_WEBHOOKS],
      ['PUT', `${EVENT_WEBHOOKS}/${hook.id}`],
      ['DELETE', `${EVENT_WEBHOOKS}/${hook.id}`],
      ['POST', `${EVENT_WEBHOOKS}/${hook.id}/test`],
      ['POST', `${EVENT_WEBHOOKS}/none/test`],
    ] as const) {
      const refused = await call(
        method,
        path,
        method === 'PUT' || method === 'POST' ? { url: receiver().url } : undefined,
        member,
      )
      expect([path, refused.status]).toEqual([path, 401])
      expect(JSON.stringify(refused.body)).not.toContain(hook.id)
    }
    expect(await only(hook.id)).toEqual(hook)
    expect(receiver().received).toEqual([])
  })

  it.skipIf(isOnPostgres)(
    'keep their secret: it signs, and no answer, log line or file of the gateway shows it',
    async () => {
      const hook = await add({ secret: SECRET, events: ['group.created'] })
      const group = await call('POST', '/api/v1/groups/create', { name: 'Team', description: '' })
      await expect.poll(() => receiver().received.length).toBe(1)
      const { headers, text } = receiver().received[0]!
      const signed = [headers['webhook-id'], headers['webhook-timestamp'], text].join('.')
      expect(headers['webhook-signature']).toBe(
        `v1,${createHmac('sha256', SECRET).update(signed).digest('base64')}`,
      )
      const shown = [
        hook,
        await only(hook.id),
        group,
        (await call('GET', '/api/v1/configs/export')).body,
        (await call('GET', '/api/v1/settings')).body,
      ]
      expect(JSON.stringify(shown)).not.toContain(SECRET)
      expect(server().context.storage.sqlite.serialize().includes(SECRET)).toBe(false)
    },
  )
})

describe('what is told', () => {
  it('is the envelope of the reference: who did what to which thing, with the same id as the delivery', async () => {
    await add({ events: ['group.*'] })
    const group = (
      await call<{ id: string }>('POST', '/api/v1/groups/create', {
        name: 'Team',
        description: 'secret plans',
      })
    ).body
    await expect.poll(() => receiver().received.length).toBe(1)
    const [body] = told()
    expect(body).toEqual({
      schema: '0.9.6',
      id: receiver().received[0]!.headers['webhook-id'],
      event: 'group.created',
      resource: 'group',
      operation: 'created',
      created_at: expect.any(Number),
      instance_id: null,
      version: expect.any(String),
      source: 'api',
      actor: {
        type: 'user',
        id: (await server().context.users.first())!.id,
        name: 'Root',
        email: 'root@example.com',
        role: 'admin',
      },
      subject: { type: 'group', id: group.id },
      data: { name: 'Team' },
      message: 'group.created by Root (root@example.com): Team',
    })
  })

  it('follows a person and a conversation, and holds no password, token, key or text of theirs', async () => {
    await add()
    const planted = [
      'correct horse',
      'planted-password',
      'planted-text',
      'planted-title',
      'sk-',
      'eyJ',
    ]
    const account = { name: 'Bob', email: 'bob@example.org', password: 'planted-password' }
    const { id: bobId } = (
      await call<{ id: string }>('POST', '/api/v1/auths/add', { ...account, role: 'user' })
    ).body
    const signedIn = await call<{ token: string }>('POST', '/api/v1/auths/signin', {
      email: account.email,
      password: account.password,
    })
    const bob = signedIn.body.token
    const message = {
      id: 'm1',
      role: 'user',
      content: 'planted-text',
      parentId: null,
      childrenIds: [],
    }
    const chat = { title: 'planted-title', history: { currentId: 'm1', messages: { m1: message } } }
    const { id: chatId } = (await call<{ id: string }>('POST', '/api/v1/chats/new', { chat }, bob))
      .body
    for (const path of [
      `chats/${chatId}/pin`,
      `chats/${chatId}/pin`,
      `chats/${chatId}/archive`,
      `chats/${chatId}/share`,
    ])
      expect((await call('POST', `/api/v1/${path}`, undefined, bob)).status).toBe(200)
    await call(
      'POST',
      `/api/v1/chats/${chatId}/messages/m1`,
      { content: 'planted-text again' },
      bob,
    )
    const made = await call('POST', '/api/v1/auths/api_keys', { name: 'script' })
    expect(made.body['api_key']).toMatch(/^sk-/)
    const changed = await call('POST', '/api/v1/settings', {
      values: { WEBHOOK_SECRET: 'sk-planted-key', WEBUI_NAME: 'Ours' },
    })
    await call('POST', '/api/v1/users/update/role', { id: bobId, role: 'pending' })
    await call('DELETE', `/api/v1/users/${bobId}`)
    expect(changed.status).toBe(200)
    const wanted = [
      ['user.created', 'Root', bobId],
      ['auth.login', 'Bob', bobId],
      ['chat.created', 'Bob', chatId],
      ['chat.pinned', 'Bob', chatId],
      ['chat.unpinned', 'Bob', chatId],
      ['chat.archived', 'Bob', chatId],
      ['chat.shared', 'Bob', chatId],
      ['message.updated', 'Bob', 'm1'],
      ['auth.api_key.created', 'Root', expect.any(String)],
      ['config.updated', 'Root', undefined],
      ['user.role_updated', 'Root', bobId],
      ['user.deleted', 'Root', bobId],
    ]
    await expect.poll(() => names().length).toBe(wanted.length + 1)
    const seen = told().map(({ event, actor, subject }) => [event, actor?.name, subject?.id])
    expect(seen).toEqual(expect.arrayContaining(wanted))
    // The change of the webhook itself is an event for its receiver as well.
    expect(names()).toContain('config.webhook.updated')
    expect(told().find(({ event }) => event === 'config.updated')!.data).toEqual({
      names: ['WEBHOOK_SECRET', 'WEBUI_NAME'],
    })
    const everything = receiver()
      .received.map(({ text }) => text)
      .join('\n')
    for (const text of planted) expect(everything).not.toContain(text)
  })

  it('tells of people who register twice: that they came, and that there is an account', async () => {
    await add({ events: ['auth.*', 'user.created'] })
    await server().signUp('Carol')
    await expect.poll(() => names().toSorted()).toEqual(['auth.signup', 'user.created'])
    for (const { actor, subject, data } of told()) {
      expect([actor?.name, actor?.id]).toEqual(['Carol', subject?.id])
      expect(data).toEqual({ name: 'Carol', email: 'carol@example.com', role: 'user' })
    }
  })

  it('is nothing for calls that were refused, for other events, and for addresses that are switched off', async () => {
    const hook = await add({ events: ['group.created'] })
    const off = await add({ url: `${receiver().url}/off`, enabled: false })
    await call('POST', '/api/v1/groups/create', { name: '' })
    await call(
      'POST',
      '/api/v1/groups/create',
      { name: 'Team', description: '' },
      await server().signUp('Dave'),
    )
    const { id } = (
      await call<{ id: string }>('POST', '/api/v1/groups/create', { name: 'Team', description: '' })
    ).body
    await call('DELETE', `/api/v1/groups/id/${id}/delete`)
    await expect
      .poll(async () => (await only(hook.id)).last_result)
      .toMatchObject({ delivered: true, event: 'group.created' })
    expect(receiver().received.map(({ path, body }) => [path, body['event']])).toEqual([
      ['/hook', 'group.created'],
    ])
    expect(await only(off.id)).toMatchObject({ waiting: 0, last_result: null })
  })

  it('names the directory as the one that made, changed and removed an account, and who left', async () => {
    await server().context.settings.update({
      ENABLE_SCIM: true,
      SCIM_TOKEN: 'a-token-for-provisioning',
    })
    const leaving = await server().signUp('Leaving')
    await add({ events: ['user.*', 'auth.logout'] })
    const scim = async (method: string, path: string, body?: unknown) =>
      server().call(method, `/api/v1/scim/v2/Users${path}`, {
        token: 'a-token-for-provisioning',
        body,
      })
    const made = await scim('POST', '', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'dora@example.org',
      displayName: 'Dora',
    })
    const { id } = (await made.json()) as { id: string }
    await scim('DELETE', `/${id}`)
    expect((await scim('DELETE', `/${id}`)).status).toBe(404)
    await server().call('POST', '/api/v1/auths/signout', {})
    await server().call('POST', '/api/v1/auths/signout', { token: leaving })
    await expect
      .poll(() => names().toSorted())
      .toEqual(['auth.logout', 'user.created', 'user.deleted'])
    const facts = told().map(({ event, actor, source, subject }) => [
      event,
      actor?.type,
      source,
      subject?.id,
    ])
    expect(facts).toContainEqual(['user.created', 'scim', 'scim', id])
    expect(facts).toContainEqual(['user.deleted', 'scim', 'scim', id])
    expect(facts).toContainEqual(['auth.logout', 'user', 'api', undefined])
  })

  it('every name of the catalogue is announced somewhere, and nothing else is', () => {
    const elsewhere = ['system.startup.completed', 'auth.signup', 'user.created']
    const reply = { pinned: true, archived: true, is_active: true, is_pinned: true }
    const calls = [reply, {}].flatMap((known) =>
      EVENT_ROWS.map(({ event }) =>
        typeof event === 'string'
          ? event
          : event({ params: {}, query: {}, body: known, reply: known }),
      ),
    )
    expect(new Set([...calls, ...elsewhere])).toEqual(new Set(EVENT_NAMES))
    const ids = EVENT_ROWS.map(({ endpoint }) => endpoint.id)
    expect(new Set(ids).size).toBe(ids.length)
  })
})
