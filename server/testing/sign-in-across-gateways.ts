import { expect, onTestFinished, vi } from 'vitest'
import type { GatewayProcess } from './start-process.ts'
import { agreeInBrowser } from './agree-in-browser.ts'
import { BASE, SEARCHER, startDirectory } from './start-directory.ts'
import { startHostileProvider, type HostileProvider } from './start-hostile-provider.ts'
import { startMcpServer, type TestMcpServer } from './start-mcp-server.ts'
import { CLIENT } from './start-open-id-provider.ts'
import { call, type Frame } from './start-replicas.ts'
import { startSignIn } from './start-sign-in.ts'
import type { ThreeGateways } from './start-three.ts'
import { TestBrowser } from './test-browser.ts'
import { zip } from './zip.ts'

/** The gateways of a test, and the token of an administrator. */
export interface GatewaysInTest {
  readonly three: ThreeGateways
  readonly admin: string
}

const SEEN = { timeout: 2000, interval: 25 }
const LOGOUT = 'http://schemas.openid.net/event/backchannel-logout'
const SERVER = 'safe'
const CHAT = {
  conversation_id: 'badger',
  title: 'Badgers',
  create_time: 1_700_000_000,
  update_time: 1_700_000_100,
  current_node: 'q',
  mapping: {
    q: {
      parent: null,
      children: [],
      message: {
        author: { role: 'user' },
        create_time: 1_700_000_000,
        content: { content_type: 'text', parts: ['What do they eat?'] },
        metadata: {},
      },
    },
  },
}

const get = async (gateway: { url: string }, token: string, target: string) =>
  (await call(gateway, token, ['GET', target])).body
async function post(gateway: { url: string }, token: string, target: string, body: unknown) {
  const reply = await call(gateway, token, ['POST', target, body])
  expect([target, reply.status, reply.body]).toEqual([target, 200, reply.body])
  return reply.body
}

const allOf = ({ gateways }: ThreeGateways) =>
  gateways as [GatewayProcess, GatewayProcess, GatewayProcess]

/** Opens the same path on another gateway than the one in the URL. */
const moveTo = ({ url }: GatewayProcess, address: string): string => {
  const { pathname, search } = new URL(address)
  return url + pathname + search
}

async function setUpProvider({ three, admin }: GatewaysInTest): Promise<HostileProvider> {
  const provider = await startHostileProvider()
  onTestFinished(() => provider.close())
  const values = {
    OPENID_PROVIDER_URL: provider.discoveryUrl,
    OAUTH_CLIENT_ID: CLIENT.id,
    OAUTH_CLIENT_SECRET: CLIENT.secret,
    ENABLE_OAUTH_SIGNUP: true,
    ENABLE_OAUTH_BACKCHANNEL_LOGOUT: true,
    DEFAULT_USER_ROLE: 'user',
  }
  await post(three.gateways[0]!, admin, '/api/v1/settings', { values })
  await vi.waitFor(async () => {
    for (const each of three.gateways)
      expect(Object.keys((await get(each, '', '/api/config')).oauth.providers)).toEqual(['oidc'])
  }, SEEN)
  return provider
}

/** Has a tool server refuse the token that it gets first. */
function refuseFirstToken(desk: TestMcpServer): void {
  const check = desk.refuse!
  const old = new Set<string>()
  desk.refuse = async (request) => {
    const token = request.headers.authorization ?? ''
    if (old.size === 0) old.add(token)
    return old.has(token) ? 'Bearer error="invalid_token"' : check(request)
  }
}

/** Asks several gateways for an answer that needs the tool. */
async function useTool(
  { three, admin }: GatewaysInTest,
  on: readonly GatewayProcess[],
): Promise<void> {
  const content = `Use ${SERVER}_note`
  const chats = await Promise.all(
    on.map(async (each) => {
      const chat = await three.world.newChat(each, admin, content)
      await three.world.ask(each, admin, {
        chat,
        content,
        session: 'none',
        tool_ids: [`server:mcp:${SERVER}`],
      })
      return chat
    }),
  )
  await vi.waitFor(async () => {
    for (const chat of chats)
      expect(await three.world.readAnswer(on[0]!, admin, chat)).toMatchObject({ done: true })
  }, 20_000)
  for (const chat of chats) {
    const { statusHistory } = await three.world.readAnswer(on[0]!, admin, chat)
    expect(JSON.stringify(statusHistory)).toContain(`Used ${SERVER}_note`)
  }
}

async function signInAtToolServer({ three, admin }: GatewaysInTest): Promise<void> {
  const [first, second, third] = allOf(three)
  const desk = await startMcpServer([{ name: 'note', description: 'Writes a note' }])
  const signIn = await startSignIn(desk)
  onTestFinished(() => (signIn.close(), desk.close()))
  const server = { type: 'mcp', url: desk.url, auth_type: 'oauth_2.1', info: { id: SERVER } }
  await post(first, admin, '/api/v1/configs/tool_servers', { TOOL_SERVER_CONNECTIONS: [server] })
  const toolOn = async (gateway: GatewayProcess) =>
    (await get(gateway, admin, '/api/v1/tools/')).find(
      ({ id }: Frame) => id === `server:mcp:${SERVER}`,
    )
  await vi.waitFor(async () => {
    for (const each of [second, third])
      expect(await toolOn(each)).toMatchObject({ authenticated: false })
  }, SEEN)

  const { address } = await get(first, admin, `/oauth/clients/mcp:${SERVER}/authorize?answer=json`)
  const back = await agreeInBrowser(address, 'ada')
  const headers = { Authorization: `Bearer ${admin}` }
  const visits = await Promise.all(
    [second, third].map((each) => fetch(moveTo(each, back), { headers, redirect: 'manual' })),
  )
  const ends = visits.map((reply) => reply.headers.get('location')!.includes('error='))
  expect(ends.filter(Boolean)).toHaveLength(1)
  for (const each of three.gateways)
    expect(await toolOn(each)).toMatchObject({ authenticated: true })

  refuseFirstToken(desk)
  await useTool({ three, admin }, [second, third])
  expect(await toolOn(third)).toMatchObject({ authenticated: true })
}

/** Signs a person in at one gateway, and has the provider report the logout to another. */
async function logOut({ three }: GatewaysInTest, provider: HostileProvider): Promise<void> {
  const [first, second, third] = allOf(three)
  const person = new TestBrowser({ isPage: false })
  const login = await person.follow(`${first.url}/oauth/oidc/login`, `${three.nginx.url}/oauth`)
  await person.fetch(moveTo(second, login))
  const token = person.cookies.get('token')!
  const statuses = () =>
    Promise.all(
      three.gateways.map(
        async (each) => (await call(each, token, ['GET', '/api/v1/auths/'])).status,
      ),
    )
  expect(await statuses()).toEqual([200, 200, 200])
  const seconds = Math.floor(Date.now() / 1000)
  const claims = {
    iss: provider.url,
    aud: CLIENT.id,
    iat: seconds,
    exp: seconds + 120,
    jti: 'once',
    sub: 'eve',
    events: { [LOGOUT]: {} },
  }
  const body = new URLSearchParams({
    logout_token: await provider.sign(claims, { typ: 'logout+jwt' }),
  })
  const report = (gateway: GatewayProcess) =>
    fetch(`${gateway.url}/oauth/backchannel-logout`, { method: 'POST', body })
  expect((await report(third)).status).toBe(200)
  await vi.waitFor(async () => expect(await statuses()).toEqual([401, 401, 401]), {
    timeout: 1000,
    interval: 25,
  })
  expect((await report(second)).status).toBe(400)
}

async function tryProvider({ three, admin }: GatewaysInTest): Promise<void> {
  const [first, second, third] = allOf(three)
  const provider = await setUpProvider({ three, admin })
  const browser = new TestBrowser()
  const tests = '/api/v1/auths/admin/oauth'
  const begun = await browser.fetch(`${first.url}${tests}/oidc/tests`, {
    method: 'POST',
    body: '{}',
    headers: { Authorization: `Bearer ${admin}`, 'Content-Type': 'application/json' },
  })
  const { url, id } = (await begun.json()) as { url: string; id: string }
  const back = await browser.follow(url, `${three.nginx.url}/oauth`)
  expect((await browser.fetch(moveTo(second, back))).status).toBe(307)
  expect(await get(third, admin, `${tests}/tests/${id}`)).toMatchObject({ state: 'passed' })

  await logOut({ three, admin }, provider)
}

async function signInTwiceByDirectory({ three, admin }: GatewaysInTest): Promise<void> {
  const [first, second, third] = allOf(three)
  const directory = await startDirectory({
    people: [{ uid: 'grace', password: 'cobol', attributes: { mail: 'grace@example.org' } }],
  })
  onTestFinished(() => directory.close())
  const ldap = '/api/v1/auths/admin/config/ldap'
  await post(first, admin, `${ldap}/server`, {
    label: 'Directory',
    host: '127.0.0.1',
    port: directory.port,
    use_tls: false,
    app_dn: SEARCHER.dn,
    app_dn_password: SEARCHER.password,
    search_base: BASE,
  })
  await post(first, admin, ldap, { enable_ldap: true })
  await vi.waitFor(async () => {
    for (const each of [second, third]) {
      expect(await get(each, admin, ldap)).toEqual({ ENABLE_LDAP: true })
      expect((await get(each, admin, `${ldap}/server`)).port).toBe(directory.port)
    }
  }, SEEN)
  const people = await Promise.all(
    three.gateways.map((each) =>
      post(each, '', '/api/v1/auths/ldap', { user: 'grace', password: 'cobol' }),
    ),
  )
  expect(new Set(people.map(({ id }: Frame) => id)).size).toBe(1)
}

async function importArchive({ three, admin }: GatewaysInTest): Promise<void> {
  const [first, second, third] = allOf(three)
  const imports = '/api/v1/chats/imports'
  const received = await fetch(`${first.url}${imports}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${admin}`, 'Content-Type': 'application/zip' },
    body: Buffer.from(zip({ 'conversations.json': [CHAT] })),
  })
  const { import_id: id } = (await received.json()) as Frame
  const place = `${imports}/${id}`
  expect(await get(second, admin, place)).toMatchObject({
    state: 'ready',
    chats: [{ key: 'badger', state: 'new' }],
  })
  const stranger = await three.world.add(second, admin, 'Linus')
  expect((await call(second, stranger, ['GET', place])).status).toBe(404)
  const run = (gateway: GatewayProcess) => post(gateway, admin, `${place}/run`, { all: true })
  expect(await run(second)).toMatchObject({ created: 1 })
  expect(await run(third)).toMatchObject({ created: 0, unchanged: 1 })
  expect(await get(third, admin, place)).toMatchObject({ state: 'done' })
  expect((await call(second, admin, ['DELETE', place])).status).toBe(200)
  for (const each of three.gateways)
    expect((await call(each, admin, ['GET', place])).status).toBe(404)
}

/** Scenarios of several calls that each reach another gateway; each rejects if a call fails. */
export const acrossGateways = {
  signInAtToolServer,
  tryProvider,
  signInTwiceByDirectory,
  importArchive,
}
