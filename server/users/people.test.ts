import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bearer, send } from '../testing/start-auth-gateway.ts'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

let server: TestServer
let token: string
let adminId: string
beforeEach(async () => {
  server = await startTestServer()
  token = await server.signUp('Root')
  adminId = (await server.context.users.first())!.id
})
afterEach(() => server.close())

async function call(method: string, path: string, options: { body?: unknown; as?: string } = {}) {
  const reply = await server.call(method, path, { token: options.as ?? token, body: options.body })
  return {
    status: reply.status,
    headers: reply.headers,
    // oxlint-disable-next-line typescript/no-explicit-any -- tests look into replies of any shape
    body: (await reply.json().catch(() => null)) as any,
  }
}
const add = async (name: string, role = 'user') => {
  const body = { name, email: `${name}@example.org`, password: 'a long password', role }
  return (await call('POST', '/api/v1/auths/add', { body })).body as { id: string; token: string }
}
const namesOf = async (query: string): Promise<string[]> =>
  ((await call('GET', `/api/v1/users/${query}`)).body.users as { name: string }[]).map(
    ({ name }) => name,
  )

describe('lists of accounts', () => {
  it('name each account once, also if one is deleted while they are read', async () => {
    const first = await add('bo')
    for (const name of ['cy', 'di', 'eve', 'flo']) await add(name)
    const names: string[] = []
    for await (const some of server.context.users.slices())
      for (const { name } of some) {
        names.push(name)
        if (name === 'cy') await server.context.users.remove(first.id)
      }
    expect(names).toEqual(['Root', 'bo', 'cy', 'di', 'eve', 'flo'])
  })

  it('come in any order, whole or the members of a group only', async () => {
    await add('bo')
    const cy = await add('cy')
    const group = (await call('POST', '/api/v1/groups/create', { body: { name: 'Team' } }))
      .body as { id: string }
    await call('POST', `/api/v1/groups/id/${group.id}/users/add`, { body: { user_ids: [cy.id] } })
    expect(await namesOf('')).toEqual(['Root', 'bo', 'cy'])
    expect(await namesOf('?order_by=name&direction=asc')).toEqual(['bo', 'cy', 'Root'])
    expect(await namesOf('?order_by=&direction=')).toEqual(await namesOf(''))
    expect(await namesOf('?order_by=name')).toEqual(['Root', 'cy', 'bo'])
    expect((await namesOf('?order_by=role&direction=asc'))[0]).toBe('Root')
    expect((await namesOf(`?order_by=group_id:${group.id}`))[0]).toBe('cy')
    expect(await namesOf(`?group_id=${group.id}`)).toEqual(['cy'])
    expect((await call('GET', '/api/v1/users/all')).body).toMatchObject({ total: 3 })
    const { body: account } = await call('GET', `/api/v1/users/${cy.id}`)
    expect(account).toMatchObject({
      groups: [{ id: group.id, name: 'Team' }],
      is_active: false,
      last_active_at: account.created_at,
    })
    expect((await call('GET', `/api/v1/users/${cy.id}/groups`)).body).toMatchObject([
      { ...group, member_count: 1 },
    ])
    expect((await call('GET', '/api/v1/users/search?query=cy')).body.users).toMatchObject([
      { groups: [{ id: group.id, name: 'Team' }] },
    ])
    expect((await call('GET', '/api/v1/users/?order_by=password')).status).toBe(422)
  })

  it('show everybody only what may be known of others', async () => {
    const bo = await add('bo')
    await add('cy')
    const { body } = await call('GET', '/api/v1/users/search?query=CY', { as: bo.token })
    expect(body).toMatchObject({ total: 1, users: [{ name: 'cy', is_active: false }] })
    expect(body.users[0].last_active_at).toBeUndefined()
    const info = await call('GET', `/api/v1/users/${adminId}/info`, { as: bo.token })
    expect(info.body).toMatchObject({ name: 'Root', groups: [] })
  })

  it('show e-mail addresses and roles to administrators and to the person alone, as empty texts to others', async () => {
    const bo = await add('bo')
    const { body: all } = await call('GET', '/api/v1/users/search', { as: bo.token })
    const shown = all.users.map(({ name, email, role }: Record<string, string>) => [
      name,
      email,
      role,
    ])
    expect(shown.toSorted()).toEqual([
      ['Root', '', ''],
      ['bo', 'bo@example.org', 'user'],
    ])
    const infoOf = async (id: string, as: string) =>
      (await call('GET', `/api/v1/users/${id}/info`, { as })).body
    expect(await infoOf(adminId, bo.token)).toMatchObject({ name: 'Root', email: '', role: '' })
    expect(await infoOf(bo.id, bo.token)).toMatchObject({ email: 'bo@example.org', role: 'user' })
    expect(await infoOf(bo.id, token)).toMatchObject({ email: 'bo@example.org', role: 'user' })
    expect((await call('GET', '/api/v1/users/search?query=bo@')).body.users[0]).toMatchObject({
      email: 'bo@example.org',
      role: 'user',
    })
  })

  it('give them away neither by parts of an address nor by the order', async () => {
    const zoe = await add('zoe')
    await add('amy')
    const find = async (query: string) =>
      (await call('GET', `/api/v1/users/search?${query}`, { as: zoe.token })).body.users.map(
        ({ name }: { name: string }) => name,
      )
    expect(await find('query=amy@')).toEqual([])
    expect(await find('query=example.org')).toEqual([])
    expect(await find('query=AMY@example.org')).toEqual(['amy'])
    expect(await find('order_by=role&direction=desc')).toEqual(
      await find('order_by=name&direction=desc'),
    )
    expect(await find('order_by=email')).toEqual(await find('order_by=name'))
  })
})

describe('profiles', () => {
  it('are filled in by their owner and by administrators, and emptied again', async () => {
    const bo = await add('bo')
    const profile = {
      name: 'Bo',
      bio: 'Reads a lot',
      gender: 'x',
      date_of_birth: '1990-12-31',
      username: 'bo',
    }
    const updated = await call('POST', '/api/v1/auths/update/profile', {
      body: profile,
      as: bo.token,
    })
    expect(updated.body).toMatchObject(profile)
    expect((await call('GET', '/api/v1/auths/', { as: bo.token })).body).toMatchObject(profile)
    await call('POST', `/api/v1/users/${bo.id}/update`, { body: { bio: '', date_of_birth: null } })
    expect((await call('GET', `/api/v1/users/${bo.id}`)).body).toMatchObject({
      bio: null,
      date_of_birth: null,
      gender: 'x',
    })
    expect(
      (
        await call('POST', '/api/v1/auths/update/profile', {
          body: { name: 'Bo', date_of_birth: 'May' },
        })
      ).status,
    ).toBe(422)
    await call('POST', '/api/v1/auths/update/timezone', {
      body: { timezone: 'Europe/Vienna' },
      as: bo.token,
    })
    expect((await call('GET', '/api/v1/auths/', { as: bo.token })).body.timezone).toBe(
      'Europe/Vienna',
    )
  })

  it('a status ends at its time and can be switched off for everybody', async () => {
    const now = Math.floor(Date.now() / 1000)
    const update = (body: object) => call('POST', '/api/v1/users/user/status/update', { body })
    expect(
      (await update({ status_message: 'Away', status_expires_at: now + 60 })).body,
    ).toMatchObject({ status_message: 'Away' })
    expect((await update({ status_expires_at: now - 1 })).body).toMatchObject({
      status_message: null,
    })
    await server.context.settings.update({ ENABLE_USER_STATUS: false })
    expect((await update({})).status).toBe(403)
  })

  it('what clients keep about a person is merged and stays small; names such as __proto__ are only data', async () => {
    const update = (body: unknown) =>
      server.call('POST', '/api/v1/users/user/info/update', { token, body })
    expect((await call('GET', '/api/v1/users/user/info')).body).toBeNull()
    await update({ a: 1 })
    await update('{"b":2,"__proto__":{"c":3}}')
    expect((await call('GET', '/api/v1/users/user/info')).body).toMatchObject({ a: 1, b: 2 })
    expect(({} as { c?: number }).c).toBeUndefined()
    expect((await update({ a: 'x'.repeat(70_000) })).status).toBe(413)
  })
})

describe('pictures', () => {
  const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='
  const choose = (profile_image_url: string) =>
    call('POST', '/api/v1/auths/update/profile', { body: { name: 'Root', profile_image_url } })
  const show = (accept = 'image/svg+xml,*/*') =>
    server.call('GET', `/api/v1/users/${adminId}/profile/image`, { token, headers: { accept } })

  it('are bitmaps of ones own, inert when opened as a page, and the built-in one again', async () => {
    expect((await choose(PIXEL)).status).toBe(200)
    const picture = await show()
    expect(picture.headers.get('content-type')).toBe('image/gif')
    expect(picture.headers.get('content-security-policy')).toContain('sandbox')
    await choose(`/api/v1/users/${adminId}/profile/image`)
    expect((await show()).headers.get('content-type')).toBe('image/gif')
    await choose('/user.png')
    expect((await show()).headers.get('content-type')).toContain('image/svg+xml')
    const plain = await show('*/*')
    expect(plain.headers.get('content-type')).toBe('image/png')
    expect(
      Buffer.from(await plain.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
  })

  it('may lie elsewhere unless an administrator forbids it', async () => {
    await choose('https://example.org/me.png?size=96')
    const redirect = () =>
      fetch(`${server.url}/api/v1/users/${adminId}/profile/image`, {
        redirect: 'manual',
        headers: { Authorization: `Bearer ${token}` },
      })
    expect((await redirect()).headers.get('location')).toBe('https://example.org/me.png?size=96')
    await server.context.settings.update({ ENABLE_PROFILE_IMAGE_URL_FORWARDING: false })
    expect((await redirect()).headers.get('content-type')).toBe('image/png')
  })

  it('lead elsewhere as pictures only, and to https only', async () => {
    const statusOf = async (headers: Record<string, string>) => {
      // Not with fetch, which adds headers of its own.
      const { port } = new URL(server.url)
      return (
        await send(Number(port), `/api/v1/users/${adminId}/profile/image`, {
          headers: { ...bearer(token), ...headers },
        })
      ).status
    }
    await choose('https://example.org/me.png')
    expect(await statusOf({ 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' })).toBe(302)
    for (const dest of ['document', 'iframe', 'embed', 'object', 'script', 'empty', ''])
      expect([dest, await statusOf({ 'sec-fetch-dest': dest })]).toEqual([dest, 200])
    expect(await statusOf({ 'sec-fetch-mode': 'navigate' })).toBe(200)
    // Without encryption browsers say no more than what they accept.
    expect(await statusOf({ accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })).toBe(200)
    for (const accept of ['image/avif,image/webp,*/*;q=0.8', '*/*'])
      expect([accept, await statusOf({ accept })]).toEqual([accept, 302])
    await choose('http://example.org/me.png')
    expect(await statusOf({ 'sec-fetch-dest': 'image' })).toBe(200)
  })

  it.each([
    'javascript:alert(1)',
    'data:image/svg+xml;base64,PHN2Zz4=',
    'data:text/html;base64,PGI+',
    'ftp://example.org/a',
    'https://[',
    'me.png',
  ])('row 24: refuses %s', async (address) => {
    expect((await choose(address)).status).toBe(400)
  })
})

describe('administration', () => {
  it('roles are changed by both older spellings, never that of the first administrator', async () => {
    const bo = await add('bo')
    expect(
      (await call('POST', '/api/v1/users/update/role', { body: { id: bo.id, role: 'pending' } }))
        .body.role,
    ).toBe('pending')
    expect(
      (await call('POST', `/api/v1/users/${bo.id}/update/role`, { body: { role: 'admin' } })).body
        .role,
    ).toBe('admin')
    const admin = await server.call('POST', '/api/v1/auths/signin', {
      body: { email: 'bo@example.org', password: 'a long password' },
    })
    const { token: other } = (await admin.json()) as { token: string }
    for (const [path, body] of [
      ['/api/v1/users/update/role', { id: adminId, role: 'user' }],
      [`/api/v1/users/${adminId}/update/role`, { role: 'user' }],
      [`/api/v1/users/${adminId}/update`, { password: 'taken over' }],
    ] as const)
      expect((await call('POST', path, { body, as: other })).status).toBe(403)
  })

  it('an empty password, as old forms send it, changes nothing', async () => {
    const bo = await add('bo')
    expect(
      (await call('POST', `/api/v1/users/${bo.id}/update`, { body: { name: 'Bo', password: '' } }))
        .status,
    ).toBe(200)
    expect((await call('GET', '/api/v1/auths/', { as: bo.token })).status).toBe(200)
  })

  it('branches of the settings that are not named stay', async () => {
    const update = (body: object) => call('POST', '/api/v1/users/user/settings/update', { body })
    await update({ ui: { theme: 'dark' }, tools: { order: ['a'] } })
    expect((await update({ ui: { language: 'de' } })).body).toEqual({
      ui: { language: 'de' },
      tools: { order: ['a'] },
    })
    expect((await call('GET', '/api/v1/users/user/settings')).body).toEqual({
      ui: { language: 'de' },
      tools: { order: ['a'] },
    })
  })

  it('people see their own groups and permissions, and whom to ask', async () => {
    const bo = await add('bo')
    const body = { name: 'Team', description: 'Ours', permissions: { workspace: { models: true } } }
    const group = (await call('POST', '/api/v1/groups/create', { body })).body as { id: string }
    await call('POST', `/api/v1/groups/id/${group.id}/update`, { body: { user_ids: [bo.id] } })
    expect((await call('GET', '/api/v1/users/groups', { as: bo.token })).body).toMatchObject([
      { id: group.id, ...body, user_id: adminId, member_count: 1, created_at: expect.any(Number) },
    ])
    expect(
      (await call('GET', '/api/v1/users/permissions', { as: bo.token })).body.workspace,
    ).toMatchObject({ models: true, tools: false })
    expect((await call('GET', '/api/v1/groups/', { as: bo.token })).body).toMatchObject([
      { id: group.id, member_count: 1 },
    ])
    expect(
      (await call('GET', `/api/v1/groups/id/${group.id}/info`, { as: bo.token })).body,
    ).toMatchObject({ name: 'Team' })
    expect((await call('GET', `/api/v1/groups/id/${group.id}/export`)).body.user_ids).toEqual([
      bo.id,
    ])
    expect((await call('GET', '/api/v1/auths/admin/details', { as: bo.token })).body).toEqual({
      name: 'Root',
      email: 'root@example.com',
    })
    await server.context.settings.update({ ADMIN_EMAIL: 'help@example.com' })
    expect((await call('GET', '/api/v1/auths/admin/details', { as: bo.token })).body).toEqual({
      name: null,
      email: 'help@example.com',
    })
    await server.context.settings.update({ SHOW_ADMIN_DETAILS: false })
    expect((await call('GET', '/api/v1/auths/admin/details', { as: bo.token })).status).toBe(400)
  })

  it('default permissions keep what is not sent', async () => {
    const path = '/api/v1/users/default/permissions'
    const before = (await call('GET', path)).body as object
    const { body } = await call('POST', path, { body: { chat: { delete: false } } })
    expect(body).toEqual({
      ...before,
      chat: { ...(before as { chat: object }).chat, delete: false },
    })
  })
})
