import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { bearer } from '../../testing/start-auth-gateway.ts'
import { PROXY_ADDRESS, sendThrough } from '../../testing/send-through.ts'
import {
  EMPTY,
  IDENTITY_HEADERS,
  enter,
  newEmail,
  startBehindProxy,
  through,
} from '../../testing/start-behind-proxy.ts'
import { startTestServer, type TestServer } from '../../testing/start-server.ts'
import { readHeaderEmail, TrustedHeaders } from './trusted-headers.ts'
import { settingsOf } from '../../testing/settings-of.ts'

const STRANGER = '127.0.0.3'
describe('an address in a header', () => {
  it('row 78: is one address, whatever signs, forms and cases of letters it is written with', () => {
    expect(readHeaderEmail(' Ada@Example.ORG ')).toBe('ada@example.org')
    // As Node delivers a proxy's UTF-8.
    expect(readHeaderEmail(Buffer.from('jürgen@example.org').toString('latin1'))).toBe(
      'jürgen@example.org',
    )
    for (const value of [
      '',
      'ada',
      'ada@example.org@evil.example',
      'ada@example.org, eve@example.org',
      'ada@example.org,eve',
      'ada@example.org;eve@example.org',
      'Ada <ada@example.org>',
      '"ada"@example.org',
      'ada @example.org',
      'ada@example.org\u0000',
      // The Kelvin sign becomes a k in lower case, and the ligature becomes two letters when
      // normalised.
      Buffer.from('\u212Aate@example.org').toString('latin1'),
      Buffer.from('\uFB01@example.org').toString('latin1'),
      Buffer.from('ada@example\u2024org').toString('latin1'),
    ])
      expect([value, readHeaderEmail(value)]).toEqual([value, null])
  })
})

describe('signing in by the headers of a proxy', () => {
  let server: TestServer
  let admin: string
  beforeAll(async () => {
    server = await startTestServer({
      environment: {
        ...IDENTITY_HEADERS,
        TRUSTED_PROXIES: PROXY_ADDRESS,
        DEFAULT_USER_ROLE: 'pending',
      },
    })
    admin = await server.signUp('Root')
  })
  afterAll(() => server.close())
  const userOf = (email: string) => server.context.users.findByEmail(email)
  const groupsOf = async (email: string): Promise<string[]> =>
    (await server.context.groups.listOf((await userOf(email))!.id)).map(({ name }) => name)

  it('makes the account the first time, by its rules, and finds it the next time', async () => {
    const email = newEmail()
    const first = await enter(server, {
      'remote-email': email.toUpperCase(),
      'remote-name': 'Gr%C3%A4fin Ada',
    })
    expect(first).toMatchObject({
      status: 200,
      body: { email, name: 'Gräfin Ada', role: 'pending' },
    })
    const again = await enter(server, { 'REMOTE-EMAIL': email, 'remote-name': 'Another' })
    expect(again.body).toMatchObject({ id: first.body.id, name: 'Gräfin Ada' })
    expect(await server.context.users.hasPassword(first.body.id)).toBe(false)
    const unnamed = newEmail()
    expect((await enter(server, { 'remote-email': unnamed })).body.name).toBe(unnamed)
  })

  it('makes one account of many first sign-ins at once', async () => {
    const email = newEmail()
    const before = await server.context.users.count()
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => enter(server, { 'remote-email': email })),
    )
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
    expect(await server.context.users.count()).toBe(before + 1)
  })

  it('gives the role of the header at each sign-in, trimmed and in any case; what is no role changes nothing', async () => {
    const email = newEmail()
    const signIn = async (role?: string | string[]): Promise<string> =>
      (
        await enter(server, {
          'remote-email': email,
          ...(role !== undefined && { 'remote-role': role }),
        })
      ).body.role
    expect(await signIn('  User ')).toBe('user')
    expect(await signIn('ADMIN')).toBe('admin')
    for (const role of [undefined, '', 'owner', 'admin,user', ['user', 'user']])
      expect([role, await signIn(role)]).toEqual([role, 'admin'])
    expect(await signIn('pending')).toBe('pending')
  })

  it('ends the sessions of who gets another role', async () => {
    const email = newEmail()
    const first = await enter(server, { 'remote-email': email, 'remote-role': 'user' })
    expect(
      (await through(server, '/api/v1/auths/', { headers: bearer(first.body.token) })).status,
    ).toBe(200)
    await enter(server, { 'remote-email': email, 'remote-role': 'admin' })
    expect(
      (await through(server, '/api/v1/auths/', { headers: bearer(first.body.token) })).status,
    ).toBe(401)
  })

  it('puts people into exactly the groups of the header that exist, and makes none', async () => {
    const { groups } = server.context
    const make = (name: string) =>
      groups.create(null, { name, description: '', permissions: {}, data: {}, meta: {} })
    for (const name of ['Authors', 'Editors', 'Old']) await make(name)
    const email = newEmail()
    const signIn = (value?: string | string[]) =>
      enter(server, {
        'remote-email': email,
        ...(value !== undefined && { 'remote-groups': value }),
      })
    await signIn()
    await groups.changeMembers((await groups.list()).find(({ name }) => name === 'Old')!.id, {
      add: [(await userOf(email))!.id],
    })
    await signIn(' Authors ,, Nowhere,Editors')
    expect(await groupsOf(email)).toEqual(['Authors', 'Editors'])
    for (const value of [
      undefined,
      '',
      ' , ',
      ['Old', 'Authors'],
      '{http.reverse_proxy.header.X-Auth-Request-Groups}',
    ]) {
      await signIn(value)
      expect([value, await groupsOf(email)]).toEqual([value, ['Authors', 'Editors']])
    }
    await signIn('authors')
    expect(await groupsOf(email)).toEqual([])
    expect((await groups.list()).map(({ name }) => name)).toEqual(['Authors', 'Editors', 'Old'])
  })

  it('takes no other credentials, and says what is missing', async () => {
    const body = { email: 'root@example.com', password: 'correct horse battery' }
    expect(await through(server, '/api/v1/auths/signin', { body })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('did not say who you are') },
    })
    for (const value of [
      '',
      '{http.reverse_proxy.header.X-Auth-Request-Email}',
      'nobody',
      'a@example.org, b@example.org',
      ['a@example.org', 'a@example.org'],
      ['a@example.org', 'b@example.org'],
    ])
      expect([value, (await enter(server, { 'remote-email': value })).status]).toEqual([value, 400])
    expect(
      await through(server, '/api/v1/auths/update/password', {
        headers: bearer(admin),
        body: { password: '', new_password: 'x' },
      }),
    ).toMatchObject({ status: 400 })
    const config = await through(server, '/api/config')
    expect(config.body.features).toMatchObject({
      auth: true,
      auth_trusted_header: true,
      enable_password_change_form: false,
    })
  })

  it('row 79: believes nobody else, and no name like it', async () => {
    const names = [
      'remote_email',
      'remote-email ',
      'x-remote-email',
      'remote.email',
      'http-remote-email',
      'remoteemail',
    ].map((name) => name.trim())
    for (const name of names.filter((each) => each !== 'remote-email'))
      expect([name, (await enter(server, { [name]: 'root@example.com' })).status]).toEqual([
        name,
        400,
      ])
    for (const from of [STRANGER, '127.0.0.1']) {
      const forged = {
        'remote-email': 'root@example.com',
        'remote-role': 'admin',
        'x-forwarded-for': PROXY_ADDRESS,
        'x-real-ip': PROXY_ADDRESS,
      }
      expect([from, (await enter(server, forged, from)).status]).toEqual([from, 400])
      for (const path of ['/api/v1/auths/', '/api/v1/users/', '/api/models', '/api/v1/chats/'])
        expect([path, (await through(server, path, { headers: forged, from })).status]).toEqual([
          path,
          401,
        ])
    }
    // Even the proxy's headers grant access only through the sign-in endpoint.
    expect(
      (await through(server, '/api/v1/users/', { headers: { 'remote-email': 'root@example.com' } }))
        .status,
    ).toBe(401)
  })

  it('lets nobody make an account for the address of somebody else', async () => {
    await server.context.settings.update({ ENABLE_SIGNUP: true })
    const body = { name: 'Eve', email: 'victim@example.org', password: 'correct horse battery' }
    const signUp = (headers: Record<string, string>) =>
      through(server, '/api/v1/auths/signup', { headers, body })
    expect((await signUp({ 'remote-email': 'eve@example.org' })).status).toBe(403)
    expect(await userOf('victim@example.org')).toBeNull()
    expect((await signUp({ 'remote-email': 'victim@example.org' })).status).toBe(200)
    await server.context.settings.update({ ENABLE_SIGNUP: false })
  })
})

describe('the first account behind a proxy', () => {
  const forwarded = { 'x-forwarded-for': '203.0.113.9' }

  it('is the administrator whom the header names so', async () => {
    const server = await startBehindProxy()
    const { status, body } = await enter(server, {
      ...forwarded,
      'remote-email': 'ada@example.org',
      'remote-role': 'admin',
    })
    expect([status, body.role, (await server.context.users.first())?.email]).toEqual([
      200,
      'admin',
      'ada@example.org',
    ])
    expect(
      (await enter(server, { 'remote-email': 'ada@example.org', 'remote-role': 'user' })).body.role,
    ).toBe('user')
  })

  it('needs the setup code where the headers say nothing of roles', async () => {
    const server = await startBehindProxy({ WEBUI_AUTH_TRUSTED_ROLE_HEADER: '' })
    const headers = { ...forwarded, 'remote-email': 'ada@example.org', 'remote-role': 'admin' }
    expect(await enter(server, headers)).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('setup code') },
    })
    const body = { ...EMPTY, setup_code: await server.context.auth.setupCode.current() }
    expect((await through(server, '/api/v1/auths/signin', { headers, body })).body.role).toBe(
      'admin',
    )
  })

  it('is no administrator when the header says so', async () => {
    const server = await startBehindProxy()
    const { body } = await enter(server, {
      ...forwarded,
      'remote-email': 'ada@example.org',
      'remote-role': 'user',
    })
    expect(body.role).toBe('user')
    expect(
      (
        await enter(server, {
          ...forwarded,
          'remote-email': 'root@example.org',
          'remote-role': 'admin',
        })
      ).body.role,
    ).toBe('admin')
  })
})

describe('limits behind a proxy', () => {
  it('are counted for the person it names, or for the address it forwards', async () => {
    const server = await startBehindProxy({ SIGNUP_TRIES_PER_ADDRESS: '2' })
    await server.signUp('Root')
    await server.context.settings.update({ ENABLE_SIGNUP: true })
    const signUp = async (email: string, headers: Record<string, string>): Promise<number> =>
      (
        await through(server, '/api/v1/auths/signup', {
          headers,
          body: { name: 'A', email, password: 'correct horse battery' },
        })
      ).status
    const byHeader = async (person: string): Promise<number> =>
      signUp(person, { 'remote-email': person })
    expect([
      await byHeader('a@example.org'),
      await byHeader('a@example.org'),
      await byHeader('a@example.org'),
    ]).toEqual([200, 400, 429])
    expect(await byHeader('b@example.org')).toBe(200)
    const from = (address: string) => signUp(newEmail(), { 'x-forwarded-for': address })
    expect([
      await from('203.0.113.1'),
      await from('203.0.113.1'),
      await from('203.0.113.1'),
      await from('203.0.113.2'),
    ]).toEqual([200, 200, 429, 200])
  })
})

describe('headers of a request', () => {
  it('are taken out before anything sees them, whoever sends them', async () => {
    const values = {
      EMAIL: 'X-Forwarded-Email',
      NAME: 'Remote-Name',
      GROUPS: 'Remote-Groups',
      ROLE: 'Remote-Role',
    } as const
    const trusted = new TrustedHeaders({
      config: { mode: 'server' },
      settings: settingsOf({
        WEBUI_AUTH_TRUSTED_EMAIL_HEADER: values.EMAIL,
        WEBUI_AUTH_TRUSTED_NAME_HEADER: values.NAME,
        WEBUI_AUTH_TRUSTED_GROUPS_HEADER: values.GROUPS,
        WEBUI_AUTH_TRUSTED_ROLE_HEADER: values.ROLE,
      }),
      peers: { isListed: ({ socket }) => socket.remoteAddress === PROXY_ADDRESS },
    })
    const echo = createServer((request, response) => {
      trusted.take(request)
      const { headers, rawHeaders, headersDistinct } = request
      response.end(
        JSON.stringify({
          seen: [headers, rawHeaders, headersDistinct],
          identity: trusted.identityOf(request),
        }),
      )
    })
    await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void echo.close())
    const url = `http://127.0.0.1:${(echo.address() as AddressInfo).port}/`
    const headers = {
      'X-Forwarded-Email': 'planted@example.org',
      'Remote-Groups': ['planted', 'planted'],
      'remote-ROLE': 'planted',
      kept: 'yes',
    }
    for (const from of [PROXY_ADDRESS, STRANGER]) {
      const { body } = await sendThrough(url, { headers, from })
      expect(JSON.stringify(body.seen)).not.toContain('planted')
      expect(body.seen[0].kept).toBe('yes')
      expect(body.identity).toEqual(
        from === STRANGER
          ? null
          : { email: 'planted@example.org', name: null, groups: null, role: 'invalid' },
      )
    }
  })

  it('nobody is local whom a proxy names by a header of proxies', async () => {
    const server = await startTestServer({
      environment: { WEBUI_AUTH_TRUSTED_EMAIL_HEADER: 'X-Forwarded-Email' },
    })
    onTestFinished(() => server.close())
    const local = (headers: Record<string, string>) =>
      server.call('POST', '/api/v1/auths/local', {
        headers,
        body: { token: server.context.auth.localToken },
      })
    await server.signUp('Root')
    expect((await local({})).status).toBe(200)
    expect((await local({ 'x-forwarded-email': 'root@example.com' })).status).toBe(403)
  })

  it.each(['Host', 'authorization', 'Cookie', 'X-Forwarded-For', 'Content-Length', 'bad name'])(
    '%s cannot name a person',
    async (name) => {
      await expect(
        startTestServer({ environment: { WEBUI_AUTH_TRUSTED_EMAIL_HEADER: name } }),
      ).rejects.toThrow('WEBUI_AUTH_TRUSTED_EMAIL_HEADER')
    },
  )
})

it('the desktop app signs nobody in by headers', async () => {
  const server = await startTestServer({
    environment: { ...IDENTITY_HEADERS },
    config: { mode: 'desktop' },
  })
  onTestFinished(() => server.close())
  const reply = await through(server, '/api/v1/auths/signin', {
    headers: { 'remote-email': 'owner@localhost' },
    body: EMPTY,
    from: '127.0.0.1',
  })
  expect(reply.status).toBe(400)
  expect(reply.body.detail).toContain('is incorrect')
})
