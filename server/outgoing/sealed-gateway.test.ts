import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { createServer as createHttpServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import type { OutgoingConnection, OutgoingStatus } from '#contract/outgoing-connections.ts'
import { pluginPython } from '../testing/plugin-python.ts'
import { callTool, say, startPlugins, type PluginServer } from '../testing/start-plugins.ts'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

/** This address is unassigned (RFC 5737); a connection to it would only fail after a long time. */
const ELSEWHERE = '192.0.2.7'
const SPELLINGS = [
  `http://${ELSEWHERE}/`,
  'http://[2001:db8::7]/',
  `http://[::ffff:${ELSEWHERE}]/`,
  'http://0.0.0.0/',
  'http://example.org/',
  'https://example.org/',
  'http://3221225991/',
  'http://localhost.example.org/',
]

describe('a sealed gateway', () => {
  let server: TestServer
  let admin: string
  let member: string

  beforeAll(async () => {
    server = await startTestServer({
      environment: { SEALED_MODE: 'true', ENABLE_LOCAL_WEB_FETCH: 'true', ENABLE_SIGNUP: 'true' },
    })
    admin = await server.signUp('Ada')
    await server.context.settings.update({ ENABLE_SIGNUP: true, DEFAULT_USER_ROLE: 'user' })
    member = await server.signUp('Bob')
  }, 60_000)
  afterAll(() => server.close())

  const list = async (): Promise<OutgoingConnection[]> => {
    const reply = await server.call('GET', '/api/v1/outgoing?limit=500', { token: admin })
    return ((await reply.json()) as { items: OutgoingConnection[] }).items
  }

  it.each(SPELLINGS)('fetches no page of %s for a member', async (url) => {
    const reply = await server.call('POST', '/api/v1/retrieval/process/web', {
      token: member,
      body: { url },
    })
    expect([400, 403]).toContain(reply.status)
    expect((await list()).every(({ outcome }) => outcome === 'refused')).toBe(true)
  })

  it('follows no redirect from this computer to another', async () => {
    const local = createHttpServer((_, response) =>
      response.writeHead(302, { location: `http://${ELSEWHERE}/secret` }).end(),
    )
    local.listen(0, '127.0.0.1')
    await once(local, 'listening')
    const { port } = local.address() as AddressInfo
    const reply = await server.call('POST', '/api/v1/retrieval/process/web', {
      token: member,
      body: { url: `http://127.0.0.1:${port}/` },
    })
    local.close()
    expect(reply.status).toBe(403)
    expect(reply.headers.get('x-error-code')).toBe('sealed')
    expect(await reply.json()).toMatchObject({ host: ELSEWHERE })
    expect(JSON.stringify(await list())).not.toContain('secret')
  })

  it('says at a connection to a provider that it is sealed, and lists the refusal by its name', async () => {
    const body = { kind: 'compatible', url: 'https://models.example.org/v1', name: 'Far away' }
    const reply = await server.call('POST', '/api/v1/connections/verify', { token: admin, body })
    expect(JSON.stringify(await reply.json())).toContain('Sealed mode is on')
    expect(await list()).toContainEqual(
      expect.objectContaining({
        host: 'models.example.org',
        port: 443,
        purpose: 'provider',
        outcome: 'refused',
      }),
    )
  })

  it('is offline too: what offline mode leaves out is left out, and the words are those of the seal', async () => {
    expect(server.context.settings.get('OFFLINE_MODE')).toBe(false)
    const body = {
      kind: 'compatible',
      url: 'https://far.example.org/v1',
      name: 'Far',
      model_ids: ['m'],
    }
    const made = await server.call('POST', '/api/v1/connections', { token: admin, body })
    expect(await made.json()).toMatchObject({
      state: { status: 'failed', detail: 'Not used while offline mode is on.' },
    })
    const examine = { ...body, timeout_seconds: 5, step: 'port' }
    const found = await server.call('POST', '/api/v1/connections/examine', {
      token: admin,
      body: examine,
    })
    expect(await found.json()).toMatchObject({ step: 'port', code: 'sealed', mends: [] })
    const near = await server.call('POST', '/api/v1/connections/examine', {
      token: admin,
      body: { ...examine, url: 'http://192.168.7.7:11434/v1' },
    })
    expect(await near.json()).toMatchObject({ step: 'port', code: 'sealed', mends: [] })
  })

  it('tells everybody who is signed in that it is sealed, and administrators what it refused', async () => {
    const config = await (await server.call('GET', '/api/config', { token: member })).json()
    expect(config).toMatchObject({ features: { sealed_mode: true } })
    const reply = await server.call('GET', '/api/v1/outgoing/status', { token: admin })
    const status = (await reply.json()) as OutgoingStatus
    expect(status).toMatchObject({ sealed: true, network: false, last_day: 0, unseen: [] })
    expect(status.refused_last_day).toBeGreaterThan(0)
  })

  it('is opened again by administrators alone', async () => {
    const open = (token: string) =>
      server.call('POST', '/api/v1/settings', { token, body: { values: { SEALED_MODE: false } } })
    expect((await open(member)).status).toBe(401)
    expect((await server.call('GET', '/api/v1/outgoing', { token: member })).status).toBe(401)
  })
})

const ROAMING = `import os, socket, subprocess, sys

class Tools:
    def roam(self) -> str:
        """Tries to leave."""
        found = []
        for family, address in ((socket.AF_INET, ("127.0.0.1", PORT)), (socket.AF_INET6, ("::1", PORT))):
            for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
                try:
                    socket.socket(family, kind).connect(address)
                    found.append("out")
                except OSError as error:
                    found.append(type(error).__name__)
        try:
            socket.getaddrinfo("example.org", 80)
            found.append("found")
        except OSError as error:
            found.append("unknown")
        child = subprocess.run([sys.executable, "-I", "-c", "import socket; socket.create_connection(('127.0.0.1', PORT))"])
        found.append("out" if child.returncode == 0 else "kept in")
        return " ".join(found)
`

describe.skipIf(pluginPython === null || process.platform !== 'linux')('plugins', () => {
  let plugins: PluginServer
  beforeAll(async () => {
    plugins = await startPlugins()
  }, 60_000)
  afterAll(() => plugins.close())

  test('lose the network when the gateway is sealed, also those that run already', async () => {
    const arrived: string[] = []
    const canary = createServer((socket) => {
      arrived.push('somebody')
      socket.destroy()
    })
    canary.listen(0, '127.0.0.1')
    await once(canary, 'listening')
    const { port } = canary.address() as AddressInfo
    await plugins.createTool('roaming', ROAMING.replaceAll('PORT', String(port)))
    const roam = async (): Promise<string> => {
      plugins.rounds([callTool('roam')], [say('Done.')])
      await plugins.complete({ tool_ids: ['roaming'] })
      return plugins.toolTexts().at(-1)!
    }
    expect(await roam()).toMatch(/^out .* out$/)
    const before = arrived.length
    expect(before).toBeGreaterThan(1)
    await plugins.server.context.settings.update({ SEALED_MODE: true })
    const refused = 'PermissionError '.repeat(4)
    expect(await roam()).toBe(`${refused}unknown kept in`)
    expect(arrived).toHaveLength(before)
    await plugins.server.context.settings.update({ SEALED_MODE: false })
    expect(await roam()).toMatch(/^out .* out$/)
    canary.close()
  }, 120_000)
})
