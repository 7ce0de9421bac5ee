import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { allEndpoints } from '#contract/endpoints.ts'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import type { Role } from '#contract/common.ts'
import { startTestServer, type TestServer } from '../testing/start-server.ts'
import { send } from './test-gateway.ts'

const PASSWORD = 'one password for all'

type SignedIn = 'owner' | 'other' | 'pending' | 'admin'

/** Things that belong to the owner, made anew for each endpoint. */
interface World {
  readonly server: TestServer
  readonly tokens: Readonly<Record<SignedIn | 'deleted' | 'restrictedKey', string>>
  readonly ids: Readonly<Record<SignedIn, string>>
  newChat(): Promise<string>
  newUser(): string
  newKey(): Promise<string>
}

interface Row {
  readonly auth: AnyEndpoint['auth']
  /** The path parameters and the body of the call. */
  readonly params?: (world: World) => Record<string, string> | Promise<Record<string, string>>
  readonly query?: string
  readonly body?: (world: World) => unknown
  /** What the endpoint answers to whom it lets in. */
  readonly status: number
  /** For things of the owner: what the others hear. */
  readonly others?: Readonly<Partial<Record<SignedIn, number>>>
}

const open = (status = 200, body?: unknown): Row => ({ auth: 'none', status, body: () => body })
const session = (status = 200, body?: unknown): Row => ({ auth: 'session', status, body: () => body })
const user = (status = 200, body?: unknown): Row => ({ auth: 'user', status, body: () => body })
const admin = (row: Partial<Row> = {}): Row => ({ auth: 'admin', status: 200, ...row })
const owned = (params: Row['params'], row: Partial<Row> = {}): Row => ({
  auth: 'user',
  status: 200,
  others: { other: 404, admin: 404 },
  params,
  ...row,
})

const chat = async (world: World) => ({ chat_id: await world.newChat() })
const message = async (world: World) => ({ chat_id: await world.newChat(), message_id: 'm1' })
const account = (world: World) => ({ user_id: world.newUser() })
const CHAT_BODY = {
  chat: {
    title: 'A chat',
    models: ['guide'],
    history: {
      currentId: 'm1',
      messages: { m1: { id: 'm1', parentId: null, childrenIds: [], role: 'user', content: 'Hello', timestamp: 1 } },
    },
  },
}
const CONNECTION = { kind: 'compatible', name: 'Nowhere', url: 'http://127.0.0.1:9', enabled: false }
let counter = 0

/** One row for each endpoint of the table. An endpoint without a row fails. */
const ROWS: Readonly<Record<string, Row>> = {
  'system.health': open(),
  'system.healthDatabase': open(),
  'system.ready': open(),
  'system.config': open(),
  'system.version': open(),
  'system.openapi': admin(),

  'auths.signup': open(403, { name: 'New', email: 'new@example.com', password: PASSWORD }),
  'auths.signin': open(200, { email: 'other@example.com', password: PASSWORD }),
  'auths.desktop': open(403, { code: 'x'.repeat(43) }),
  'auths.session': session(),
  'auths.updateProfile': user(200, { name: 'Renamed' }),
  'auths.updatePassword': session(400, { password: PASSWORD, new_password: ' ' }),
  'auths.addUser': admin({ body: () => ({ name: 'Added', email: `added${(counter += 1)}@example.com`, password: PASSWORD }) }),
  'auths.adminConfig': admin(),
  'auths.updateAdminConfig': admin({ body: () => ({ SHOW_ADMIN_DETAILS: true }) }),
  'auths.listApiKeys': user(),
  'auths.createApiKey': user(200, { name: 'another' }),
  'auths.deleteApiKey': owned(async (world) => ({ key_id: await world.newKey() })),
  'auths.getDefaultApiKey': user(404),
  'auths.createDefaultApiKey': user(),
  'auths.deleteDefaultApiKey': user(),
  'auths.signout': open(),
  'auths.signoutByGet': open(),

  'users.list': admin(),
  'users.settings': user(),
  'users.updateSettings': user(200, { ui: { theme: 'dark' } }),
  'users.get': admin({ params: account }),
  'users.update': admin({ params: account, body: () => ({ name: 'Renamed' }) }),
  'users.remove': admin({ params: account }),
  'users.profileImage': { ...user(), params: account },

  'chats.list': user(),
  'chats.search': { ...user(), query: '?text=hello' },
  'chats.pinned': user(),
  'chats.create': user(200, CHAT_BODY),
  'chats.get': owned(chat),
  'chats.update': owned(chat, { body: () => CHAT_BODY }),
  'chats.remove': owned(chat),
  'chats.restore': owned(async (world) => {
    const params = await chat(world)
    await world.server.call('DELETE', `/api/v1/chats/${params.chat_id}`, { token: world.tokens.owner })
    return params
  }),
  'chats.pin': owned(chat),
  'chats.branch': owned(chat),
  'chats.updateMessage': owned(message, { body: () => ({ content: 'Changed' }) }),
  'chats.removeMessage': owned(message),
  // The specification lets admins and service accounts post events to the messages of others.
  'chats.messageEvent': owned(message, {
    body: () => ({ type: 'status', data: { description: 'Searching' } }),
    others: { other: 404, admin: 200 },
  }),

  'models.list': user(),
  'models.info': { ...user(404), query: '?id=no-such-model' },
  'connections.list': admin(),
  'connections.create': admin({ body: () => CONNECTION }),
  'connections.verify': admin({ body: () => CONNECTION }),
  'connections.update': admin({ params: () => ({ connection_id: 'none' }), body: () => CONNECTION, status: 404 }),
  'connections.remove': admin({ params: () => ({ connection_id: 'none' }), status: 404 }),

  'completions.chatCompletions': user(400, { model: 'no-such-model', messages: [{ role: 'user', content: 'Hello' }] }),
  'tasks.stop': owned(
    ({ server, ids }) => ({ task_id: server.context.tasks.start({ userId: ids.owner, chatId: null, messageId: null }).id }),
    {
      others: { other: 404, admin: 200 },
    },
  ),
  'tasks.list': admin(),
  'tasks.ofChat': { ...user(), params: chat },
  'tasks.stopChat': owned(chat, { others: { other: 404, admin: 200 } }),

  'settings.list': admin(),
  'settings.update': admin({ body: () => ({ values: {} }) }),
}

let world: World

async function createWorld(): Promise<World> {
  const server = await startTestServer({
    environment: { ENABLE_API_KEYS: 'true', USER_PERMISSIONS_FEATURES_API_KEYS: 'true' },
    // Without the interface there is no page that answers 200 to an address nobody knows.
    config: { uiDir: null },
  })
  const { users, settings } = server.context
  const rootToken = await server.signUp('Root')
  const passwordHash = await users.hashPassword(PASSWORD)
  const addUser = (name: string, role: Role) => users.create({ name, email: `${name}@example.com`, role, passwordHash }).id
  const signIn = async (name: string): Promise<string> => {
    const reply = await server.call('POST', '/api/v1/auths/signin', { body: { email: `${name}@example.com`, password: PASSWORD } })
    return ((await reply.json()) as { token: string }).token
  }
  const ids = {
    owner: addUser('owner', 'user'),
    other: addUser('other', 'user'),
    pending: addUser('pending', 'pending'),
    admin: addUser('admin', 'admin'),
  }
  const deletedId = addUser('deleted', 'user')
  const tokens = {
    owner: await signIn('owner'),
    other: await signIn('other'),
    pending: await signIn('pending'),
    admin: await signIn('admin'),
    deleted: await signIn('deleted'),
  }
  await server.call('DELETE', `/api/v1/users/${deletedId}`, { token: rootToken })
  const newKey = async (): Promise<{ id: string; api_key: string }> => {
    const reply = await server.call('POST', '/api/v1/auths/api_keys', { body: { name: 'key' }, token: tokens.owner })
    return (await reply.json()) as { id: string; api_key: string }
  }
  const restrictedKey = (await newKey()).api_key
  settings.update({ ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS: true, API_KEYS_ALLOWED_ENDPOINTS: ['/api/nothing'] })
  return {
    server,
    ids,
    tokens: { ...tokens, restrictedKey },
    newChat: async () => {
      const reply = await server.call('POST', '/api/v1/chats/new', { body: CHAT_BODY, token: tokens.owner })
      return ((await reply.json()) as { id: string }).id
    },
    newUser: () => addUser(`someone${(counter += 1)}`, 'user'),
    newKey: async () => (await newKey()).id,
  }
}

beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.server.close())

const portOf = (): number => Number(new URL(world.server.url).port)

/** A caller of the matrix: what it sends and what it must hear from an endpoint with this row. */
interface Column {
  readonly name: string
  readonly headers: () => Record<string, string>
  readonly expected: (row: Row) => number
}

const LEAST: Record<SignedIn, readonly Row['auth'][]> = {
  pending: ['none', 'session'],
  owner: ['none', 'session', 'user'],
  other: ['none', 'session', 'user'],
  admin: ['none', 'session', 'user', 'admin'],
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const proved = (name: SignedIn): Column => ({
  name,
  headers: () => bearer(world.tokens[name]),
  expected: (row) => (LEAST[name].includes(row.auth) ? (row.others?.[name] ?? row.status) : 401),
})
const unproved = (name: string, headers: Column['headers']): Column => ({
  name,
  headers,
  expected: (row) => (row.auth === 'none' ? row.status : 401),
})
const refused = (name: string, headers: Column['headers']): Column => ({ name, headers, expected: () => 403 })

/** The owner comes last, so that an earlier caller who got through against the rules spoils the owner's call. */
const COLUMNS: readonly Column[] = [
  refused('foreign Host', () => ({ ...bearer(world.tokens.admin), host: `evil.com:${portOf()}` })),
  refused('foreign Origin with cookie', () => ({ cookie: `token=${world.tokens.admin}`, origin: 'https://evil.com' })),
  unproved('anonymous', () => ({})),
  unproved('malformed key', () => ({ authorization: 'sk-without-a-scheme' })),
  unproved('restricted key', () => bearer(world.tokens.restrictedKey)),
  unproved('restricted key in the cookie', () => ({ cookie: `token=${world.tokens.restrictedKey}` })),
  unproved('restricted key in the key header', () => ({ 'x-api-key': world.tokens.restrictedKey })),
  unproved("deleted user's token", () => bearer(world.tokens.deleted)),
  proved('pending'),
  proved('other'),
  proved('admin'),
  proved('owner'),
]

function toPath(endpoint: AnyEndpoint, params: Record<string, string>, query = ''): string {
  return endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? 'missing') + query
}

/** Sign-out ends the sessions of the callers, so it comes last. */
const ENDPOINTS = allEndpoints.toSorted((a, b) => Number(a.id.includes('signout')) - Number(b.id.includes('signout')))

describe('every endpoint for every kind of caller', () => {
  it('has a row for each endpoint and no row for anything else', () => {
    expect(Object.keys(ROWS).toSorted()).toEqual(allEndpoints.map(({ id }) => id).toSorted())
  })

  it.each(ENDPOINTS.map((endpoint) => [endpoint.id, endpoint] as const))('%s', async (id, endpoint) => {
    const row = ROWS[id]!
    expect(endpoint.auth).toBe(row.auth)
    const path = toPath(endpoint, (await row.params?.(world)) ?? {}, row.query)
    const verdicts: Record<string, number> = {}
    for (const { name, headers } of COLUMNS) {
      const reply = await send(portOf(), path, { method: endpoint.method, headers: headers(), body: row.body?.(world) })
      verdicts[name] = reply.status
    }
    expect(verdicts).toEqual(Object.fromEntries(COLUMNS.map(({ name, expected }) => [name, expected(row)])))
  })
})

describe('golden lists', () => {
  const idsOf = (...auths: Row['auth'][]): string[] => allEndpoints.filter(({ auth }) => auths.includes(auth)).map(({ id }) => id)

  it('row 61: without sign-in there is health, bootstrap data, sign-in and sign-out', () => {
    expect(idsOf('none')).toEqual([
      'system.health',
      'system.healthDatabase',
      'system.ready',
      'system.config',
      'system.version',
      'auths.signup',
      'auths.signin',
      'auths.desktop',
      'auths.signout',
      'auths.signoutByGet',
    ])
  })

  it('row 62: a pending account can only see who it is and change its own password', () => {
    expect(idsOf('session')).toEqual(['auths.session', 'auths.updatePassword'])
  })
})

/** Sends a target exactly as written and answers status and body. */
async function sendTarget(target: string, token: string | null, method = 'GET'): Promise<{ status: number; text: string }> {
  const socket = connect(portOf(), '127.0.0.1')
  await once(socket, 'connect')
  const authorization = token === null ? '' : `Authorization: Bearer ${token}\r\n`
  socket.end(`${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1:${portOf()}\r\n${authorization}Connection: close\r\n\r\n`)
  let text = ''
  for await (const part of socket.setEncoding('latin1')) text += part as string
  return { status: Number(text.slice(9, 12)), text }
}

describe('row 67: no spelling of an address gives more access than the plain one', () => {
  const SECRET = '/api/v1/users/'
  const SPELLINGS = String.raw`
    /API/v1/users/ /api/V1/users/ /api/v1/USERS/ /Api/V1/Users //api/v1/users/ /api//v1/users/ /api/v1//users/
    /api/v1/users// /./api/v1/users/ /api/./v1/users/ /api/v1/./users/ /api/v1/users/. /api/v1/users/./ /x/../api/v1/users/
    /api/x/../v1/users/ /api/models/../v1/users/ /api/v1/users/.. /api/v1/users/../users/ /api/v1%2fusers/
    /api%2fv1%2fusers%2f /%61pi/v1/users/ /api/v1/%75sers/ /api/v1/users%2f /api/%2e/v1/users/ /api/%2e%2e/api/v1/users/
    /api/models/%2e%2e/v1/users/ /api/v1/users/%00 /api/v1/users%00 /api/v1/users/%20 /api/v1/users;x /api/v1/users;x=1/
    /api;/v1/users/ /api/models;/../v1/users/ /api\v1\users\ /api/v1\users/ /api/models/..\v1/users/ /api/v1/users?
    /api/v1/users/?x=/api/models /api/v1/users/#/api/models /api/v1/users.json /api/v1/users/%c0%ae /api/%c0%afv1/users/
    /api/v1/users/%e0%80%af /api/v1/us%65rs/?page=1 /api/v1/users/% /api/v1/users/%zz /api/models/%2f..%2fv1%2fusers
    /api/models%2f..%2fv1%2fusers /api/models?/../v1/users/ /api/v1/users/~`
    .trim()
    .split(/\s+/)

  it('for anonymous callers and for a key that may list models only', async () => {
    expect(SPELLINGS.length).toBeGreaterThanOrEqual(40)
    const { settings } = world.server.context
    settings.update({ API_KEYS_ALLOWED_ENDPOINTS: ['/api/models'] })
    for (const spelling of [SECRET, ...SPELLINGS]) {
      for (const token of [null, world.tokens.restrictedKey]) {
        for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE', 'PUT', 'PATCH', 'TRACE', 'get']) {
          const { status, text } = await sendTarget(spelling, token, method)
          const mayAnswer = method === 'OPTIONS' || (token !== null && spelling.startsWith('/api/models'))
          const verdict = { isRefused: mayAnswer || (status >= 400 && status < 500), leaks: text.includes('@example.com') }
          expect({ method, spelling, ...verdict }).toEqual({ method, spelling, isRefused: true, leaks: false })
        }
      }
    }
    settings.update({ API_KEYS_ALLOWED_ENDPOINTS: ['/api/nothing'] })
  })

  it('an override header or field does not change the verb', async () => {
    const target = world.newUser()
    const headers = { ...bearer(world.tokens.other), 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' }
    for (const path of [`/api/v1/users/${target}`, `/api/v1/users/${target}?_method=DELETE`]) {
      for (const method of ['GET', 'POST']) expect([401, 404]).toContain((await send(portOf(), path, { method, headers })).status)
    }
    expect(world.server.context.users.get(target)).not.toBeNull()
  })
})

describe('the socket for every kind of caller', () => {
  /** `ready`, the close code, or the status that refused the upgrade. */
  async function tryOpen(headers: Record<string, string>, token?: string): Promise<string | number> {
    const socket = new WebSocket(`${world.server.url.replace('http', 'ws')}/ws`, { headers })
    const { promise, resolve } = Promise.withResolvers<string | number>()
    socket.on('open', () => token !== undefined && socket.send(JSON.stringify({ type: 'auth', token })))
    socket.on('message', (data: Buffer) => resolve((JSON.parse(data.toString('utf8')) as { type: string }).type))
    socket.on('close', (code) => resolve(code))
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
    socket.on('error', () => undefined)
    const outcome = await promise
    socket.terminate()
    return outcome
  }

  it('opens for active accounts only, by header, first frame or cookie of an own page', async () => {
    world = { ...world, tokens: { ...world.tokens, ...(await freshTokens()) } }
    const { tokens, server } = world
    for (const name of ['owner', 'other', 'admin'] as const) {
      expect([name, await tryOpen(bearer(tokens[name]))]).toEqual([name, 'ready'])
      expect([name, await tryOpen({}, tokens[name])]).toEqual([name, 'ready'])
    }
    expect(await tryOpen({ cookie: `token=${tokens.owner}`, origin: server.url })).toBe('ready')
    for (const name of ['pending', 'deleted', 'restrictedKey'] as const) {
      expect([name, await tryOpen({}, tokens[name])]).toEqual([name, 4401])
    }
    expect(await tryOpen({}, 'nonsense')).toBe(4401)
  })

  it('row 128: refuses foreign pages before the upgrade', async () => {
    const { tokens } = world
    expect(await tryOpen({ cookie: `token=${tokens.owner}`, origin: 'https://evil.com' })).toBe(403)
    expect(await tryOpen({ cookie: `token=${tokens.owner}`, origin: 'null' })).toBe(403)
    expect(await tryOpen({ ...bearer(tokens.owner), host: 'evil.com' })).toBe(403)
  })

  async function freshTokens(): Promise<Partial<World['tokens']>> {
    const signIn = async (name: string): Promise<string> => {
      const body = { email: `${name}@example.com`, password: PASSWORD }
      return (await send(portOf(), '/api/v1/auths/signin', { body })).body.token as string
    }
    return { owner: await signIn('owner'), other: await signIn('other'), admin: await signIn('admin'), pending: await signIn('pending') }
  }
})
