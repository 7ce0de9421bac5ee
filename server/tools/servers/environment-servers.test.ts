import { rmSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import type { ToolServer } from '#contract/tool-servers.ts'
import { startMcpServer } from '../../testing/start-mcp-server.ts'
import { startTestServer, type TestServer } from '../../testing/start-server.ts'

const WEATHER = {
  url: 'http://127.0.0.1:9',
  auth_type: 'bearer',
  key: 'key-of-the-weather',
  info: { id: 'weather', name: 'Weather' },
  config: { access_grants: [{ principal_type: 'user', principal_id: '*', permission: 'read' }] },
}
const DESK = {
  type: 'mcp',
  url: 'http://127.0.0.1:10/mcp',
  auth_type: 'none',
  info: { id: 'desk' },
}
const BROKEN = { url: 'ftp://example.org', info: { id: 'broken' } }

let server: TestServer
let token = ''
let folder = ''

async function start(connections: unknown[] | null, more: Record<string, string> = {}) {
  const environment = {
    ...(connections && { TOOL_SERVER_CONNECTIONS: JSON.stringify(connections) }),
    ...more,
  }
  const dataDir = folder || undefined
  server = await startTestServer({ environment, ...(dataDir && { dataDir }) })
  folder = server.dataDir
  const credentials = { email: 'ada@example.com', password: 'correct horse battery' }
  token = dataDir
    ? (
        (await (
          await server.call('POST', '/api/v1/auths/signin', { body: credentials })
        ).json()) as { token: string }
      ).token
    : await server.signUp('Ada')
}
const restart = async (...options: Parameters<typeof start>) => {
  await server.close({ keep: true })
  await start(...options)
}
const list = async () => {
  const reply = await server.call('GET', '/api/v1/configs/tool_servers', { token })
  return ((await reply.json()) as { TOOL_SERVER_CONNECTIONS: ToolServer[] }).TOOL_SERVER_CONNECTIONS
}
const ids = async () => (await list()).map(({ info, origin }) => `${info.id} ${origin}`)
const save = (connections: unknown[]) =>
  server.call('POST', '/api/v1/configs/tool_servers', {
    token,
    body: { TOOL_SERVER_CONNECTIONS: connections },
  })

afterEach(async () => {
  await server.close()
  if (folder) rmSync(folder, { recursive: true, force: true })
  folder = ''
})

test('servers of the environment are there without being stored by anybody, and follow it', async () => {
  await start([WEATHER, BROKEN, DESK])
  expect(await ids()).toEqual(['weather environment', 'desk environment'])
  const [weather] = await list()
  expect(weather).toMatchObject({
    key: '********',
    config: { access_grants: [{ principal_id: '*', permission: 'read' }] },
  })
  const tools = await (await server.call('GET', '/api/v1/tools/', { token })).json()
  expect(JSON.stringify(tools)).toContain('server:weather')
  const settings = await (await server.call('GET', '/api/v1/settings', { token })).text()
  expect(settings).not.toContain('key-of-the-weather')
  await restart([DESK])
  expect(await ids()).toEqual(['desk environment'])
  await restart(null)
  expect(await ids()).toEqual([])
})

test("an administrator's list is used instead from then on", async () => {
  await start([WEATHER, DESK])
  const [weather] = await list()
  expect((await save([{ ...weather, info: { ...weather!.info, name: 'Sky' } }])).status).toBe(200)
  expect(await ids()).toEqual(['weather stored'])
  await restart([DESK])
  expect(await ids()).toEqual(['weather stored'])
  // With the key from the environment, which was never displayed.
  expect((await list())[0]).toMatchObject({ key: '********', info: { name: 'Sky' } })
  expect((await save([])).status).toBe(200)
  await restart([DESK])
  expect(await ids()).toEqual(['desk environment'])
})

test('with ENABLE_PERSISTENT_CONFIG=false the environment wins, and what was stored is kept', async () => {
  await start([DESK])
  await save([{ url: 'http://127.0.0.1:11', info: { id: 'stored' } }])
  await restart([DESK], { ENABLE_PERSISTENT_CONFIG: 'false' })
  expect(await ids()).toEqual(['desk environment'])
  await restart([DESK])
  expect(await ids()).toEqual(['stored stored'])
})

test('the last server of the environment is switched off rather than removed', async () => {
  await start([DESK])
  const refused = await save([])
  expect(refused.status).toBe(400)
  expect(JSON.stringify(await refused.json())).toContain('TOOL_SERVER_CONNECTIONS')
  const [desk] = await list()
  expect((await save([{ ...desk, config: { ...desk!.config, enable: false } }])).status).toBe(200)
  expect(await ids()).toEqual(['desk stored'])
})

test('what was approved of a server of the environment holds over a restart', async () => {
  const mcp = await startMcpServer([{ name: 'note', description: 'Writes a note' }])
  const connection = { ...DESK, url: mcp.url }
  await start([connection])
  const approved = async () =>
    await server.context.storage.prepare('select approved from tool_server').get()
  await server.call('GET', '/api/v1/tool_servers?refresh=true', { token })
  const before = await approved()
  expect(JSON.stringify(before)).toContain('note')
  await restart([connection])
  expect(await approved()).toEqual(before)
  await restart([{ ...connection, url: `${mcp.url}/elsewhere` }])
  expect(await approved()).toEqual({ approved: null })
  mcp.close()
})

test('a variable that is no list of tool servers stops the start with a sentence', async () => {
  await start(null)
  for (const text of ['{', '{}', '[{"type":"fax"}]']) {
    await expect(
      startTestServer({ environment: { TOOL_SERVER_CONNECTIONS: text } }),
    ).rejects.toThrow(/TOOL_SERVER_CONNECTIONS is not possible/)
  }
})
