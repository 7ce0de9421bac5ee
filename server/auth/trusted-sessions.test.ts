import { WebSocket } from 'ws'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SOCKET_CLOSE } from '#contract/events.ts'
import { bearer } from '../testing/start-auth-gateway.ts'
import { PROXY_ADDRESS, type ThroughRequest } from '../testing/send-through.ts'
import { enter, startBehindProxy, through } from '../testing/start-behind-proxy.ts'
import type { TestServer } from '../testing/start-server.ts'

const STRANGER = '127.0.0.3'

describe('a session and the headers of a proxy', () => {
  it('ends when the proxy names somebody else, its socket too', async () => {
    const server = await startBehindProxy()
    await server.signUp('Root')
    const ada = await enter(server, { 'remote-email': 'ada@example.org', 'remote-role': 'user' })
    const asAda = { ...bearer(ada.body.token), 'remote-email': 'ADA@example.org' }
    const asEve = { ...bearer(ada.body.token), 'remote-email': 'eve@example.org' }
    expect((await through(server, '/api/v1/auths/', { headers: asAda })).status).toBe(200)
    expect(
      (await through(server, '/api/v1/auths/', { headers: bearer(ada.body.token) })).status,
    ).toBe(200)
    // The same header from other addresses changes nothing.
    expect(
      (await through(server, '/api/v1/auths/', { headers: asEve, from: STRANGER })).status,
    ).toBe(200)

    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws`, {
      headers: asAda,
      localAddress: PROXY_ADDRESS,
    })
    onTestFinished(() => socket.terminate())
    const closed = new Promise<number>((resolve) => socket.once('close', resolve))
    await new Promise((resolve) => socket.once('message', resolve))
    expect(await through(server, '/api/v1/auths/', { headers: asEve })).toMatchObject({
      status: 401,
      body: { detail: 'User mismatch. Please sign in again.' },
    })
    expect(await closed).toBe(SOCKET_CLOSE.revoked)
    expect((await through(server, '/api/v1/auths/', { headers: asAda })).status).toBe(401)
  })

  it('is refused, but does not end, where the proxy says nothing that can be read', async () => {
    const server = await startBehindProxy()
    await server.signUp('Root')
    const { body } = await enter(server, {
      'remote-email': 'ada@example.org',
      'remote-role': 'user',
    })
    const status = async (email: string | string[]): Promise<number> =>
      (
        await through(server, '/api/v1/auths/', {
          headers: { ...bearer(body.token), 'remote-email': email },
        })
      ).status
    for (const email of [
      'a, b',
      ['ada@example.org', 'ada@example.org'],
      ['ada@example.org', 'eve@example.org'],
      ['', 'ada@example.org'],
    ])
      expect([email, await status(email)]).toEqual([email, 401])
    for (const email of ['', 'ada@example.org'])
      expect([email, await status(email)]).toEqual([email, 200])
  })

  it('opens no socket for somebody else, by the upgrade or its first frame', async () => {
    const server = await startBehindProxy()
    await server.signUp('Root')
    const open = async (headers: Record<string, string>, token?: string): Promise<number> => {
      const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws`, {
        headers,
        localAddress: PROXY_ADDRESS,
      })
      onTestFinished(() => socket.terminate())
      if (token !== undefined)
        socket.once('open', () => socket.send(JSON.stringify({ type: 'auth', token })))
      return new Promise((resolve) => {
        socket.once('close', resolve)
        socket.once('message', () => resolve(0))
      })
    }
    const signIn = async (): Promise<string> =>
      (await enter(server, { 'remote-email': 'ada@example.org', 'remote-role': 'user' })).body.token
    const eve = { 'remote-email': 'eve@example.org' }
    expect(await open({ 'remote-email': 'ada@example.org' }, await signIn())).toBe(0)
    expect(await open(eve, await signIn())).toBe(SOCKET_CLOSE.unauthenticated)
    const token = await signIn()
    const upgrade = new WebSocket(`${server.url.replace('http', 'ws')}/ws`, {
      headers: { ...bearer(token), ...eve },
      localAddress: PROXY_ADDRESS,
    })
    onTestFinished(() => upgrade.terminate())
    upgrade.once('open', () => upgrade.send('{"type":"ping"}'))
    expect(await new Promise((resolve) => upgrade.once('close', resolve))).toBe(
      SOCKET_CLOSE.unauthenticated,
    )
  })

  it('leads to where the setting says after signing out', async () => {
    const server = await startBehindProxy({
      WEBUI_AUTH_SIGNOUT_REDIRECT_URL: 'https://login.example.org/logout',
    })
    await server.signUp('Root')
    const { body } = await enter(server, { 'remote-email': 'ada@example.org' })
    const out = await through(server, '/api/v1/auths/signout', {
      method: 'POST',
      headers: bearer(body.token),
    })
    expect(out.body).toEqual({ status: true, redirect_url: 'https://login.example.org/logout' })
    expect((await through(server, '/api/v1/auths/', { headers: bearer(body.token) })).status).toBe(
      401,
    )
  })
})

describe('an account registered with the address of another', () => {
  const register = (server: TestServer, email: string, request: ThroughRequest) =>
    through(server, '/api/v1/auths/signup', {
      body: { name: 'Ada', email, password: 'correct horse battery' },
      ...request,
    })
  const isSignedIn = async (server: TestServer, token: string, from?: string): Promise<boolean> =>
    (
      await through(server, '/api/v1/auths/', {
        headers: bearer(token),
        ...(from !== undefined && { from }),
      })
    ).status === 200
  async function startOpen(): Promise<TestServer> {
    const server = await startBehindProxy({ DEFAULT_USER_ROLE: 'user' })
    await server.signUp('Root')
    await server.context.settings.update({ ENABLE_SIGNUP: true })
    return server
  }

  it('past the proxy is taken from the stranger when the proxy names its owner', async () => {
    const server = await startOpen()
    const { body: stranger } = await register(server, 'ada@example.org', { from: STRANGER })
    expect(await isSignedIn(server, stranger.token, STRANGER)).toBe(true)
    const owner = await enter(server, { 'remote-email': 'ada@example.org' })
    expect(owner).toMatchObject({ status: 200, body: { id: stranger.id } })
    expect(await isSignedIn(server, stranger.token, STRANGER)).toBe(false)
    expect(await server.context.users.hasPassword(stranger.id)).toBe(false)
    await enter(server, { 'remote-email': 'ada@example.org' })
    expect(await isSignedIn(server, owner.body.token)).toBe(true)
  })

  it('is left as it is to people who registered through the proxy', async () => {
    const server = await startOpen()
    const headers = { 'remote-email': 'ada@example.org' }
    const registered = await register(server, 'ada@example.org', { headers })
    expect((await enter(server, headers)).body.id).toBe(registered.body.id)
    expect(await isSignedIn(server, registered.body.token)).toBe(true)
    expect(await server.context.users.hasPassword(registered.body.id)).toBe(true)
  })
})
