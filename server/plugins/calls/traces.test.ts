import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PluginTrace } from '#contract/plugins.ts'
import { pluginPython } from '../../testing/plugin-python.ts'
import { callTool, say, startPlugins, type PluginServer } from '../../testing/start-plugins.ts'

const TOOL = `class Tools:
    def fail(self, city: str):
        print("looked for", city)
        raise ValueError("the oven is cold")  # a remark of the author
`

const FILTER = `class Filter:
    def inlet(self, body):
        print("a remark of the filter")
        body["messages"].insert(0, {"role": "system", "content": "instructions of the author"})
        return body

    def stream(self, event):
        return event

    def outlet(self, body):
        return body
`

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Weather', version: '1' },
  paths: { '/forecast': { get: { operationId: 'forecast', summary: 'The forecast' } } },
}

/** Starts a service that describes itself and has one fixed reply. */
async function serveWeather(): Promise<Server> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(request.url === '/openapi.json' ? DOCUMENT : { degrees: 12 }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

describe.skipIf(pluginPython === null)('Traces of what happened behind an answer', () => {
  let plugins: PluginServer
  let weather: Server
  let bob = ''
  let carol = ''
  let asked: { chat_id: string; id: string }

  const traces = (token: string, query = ''): Promise<PluginTrace[]> =>
    plugins.api('GET', `plugins/traces${query}`, undefined, token) as Promise<PluginTrace[]>
  const find = (list: readonly PluginTrace[], hook: string): PluginTrace =>
    list.find((trace) => trace.hook === hook)!

  beforeAll(async () => {
    weather = await serveWeather()
    plugins = await startPlugins({ LOG_LEVEL: 'silent' })
    bob = await plugins.addUser('Bob')
    carol = await plugins.addUser('Carol')
    const everybody = [{ principal_type: 'user', principal_id: '*', permission: 'read' }]
    await plugins.createTool('oven', TOOL)
    await plugins.api('POST', 'tools/id/oven/access/update', { access_grants: everybody })
    await plugins.createFunction('guard', FILTER, { global: true })
    const url = `http://127.0.0.1:${(weather.address() as AddressInfo).port}`
    const connection = {
      url,
      auth_type: 'none',
      info: { id: 'weather', name: 'Weather' },
      config: { access_grants: everybody },
    }
    await plugins.api('POST', 'configs/tool_servers', { TOOL_SERVER_CONNECTIONS: [connection] })
    plugins.rounds(
      [callTool('fail', { city: 'Oslo' })],
      [callTool('forecast')],
      [callTool('get_current_time')],
      [say('Cold.')],
    )
    asked = await plugins.raw.createChat('How warm?', { token: bob })
    await plugins.complete(
      {
        chat_id: asked.chat_id,
        id: asked.id,
        tool_ids: ['oven', 'server:weather', 'builtin:time'],
      },
      bob,
    )
  }, 60_000)
  afterAll(async () => {
    await plugins.close()
    weather.close()
  })

  test('every call and hook has one, tied to the message and the call of the model', async () => {
    await expect.poll(async () => find(await traces(bob), 'outlet')?.status).toBe('done')
    const list = await traces(bob, `?chat_id=${asked.chat_id}&message_id=${asked.id}`)
    expect(new Set(list.map(({ store, plugin_id: id, hook }) => `${store} ${id} ${hook}`))).toEqual(
      new Set([
        'function guard inlet',
        'function guard stream',
        'function guard outlet',
        'tool oven fail',
        'tool builtin:time get_current_time',
        'server server:weather forecast',
      ]),
    )
    expect(list.map((trace) => trace.started_at)).toEqual(
      list.map((trace) => trace.started_at).toSorted((one, other) => other - one),
    )
    const message = await plugins.raw.readMessage(asked, bob)
    const calls = (message['output'] as { type: string; name: string; call_id: string }[]).filter(
      ({ type }) => type === 'function_call',
    )
    expect(calls).toHaveLength(3)
    for (const { name, call_id: callId } of calls) {
      expect(find(await traces(bob, `?call_id=${callId}`), name)).toMatchObject({ call_id: callId })
    }
    expect(await traces(bob, '?call_id=another')).toEqual([])
    expect(find(list, 'forecast')).toMatchObject({
      status: 'done',
      input: {},
      result: { text: expect.stringContaining('12') },
    })
    expect(find(list, 'get_current_time')).toMatchObject({
      status: 'done',
      result: { utc: expect.any(String) },
    })
    for (const { duration } of list) expect(duration).toBeGreaterThanOrEqual(0)
    expect(await traces(bob, '?limit=2')).toEqual(list.slice(0, 2))
  })

  test('whoever asked sees what they sent and got, but nothing of the source or of the instructions', async () => {
    const list = await traces(bob)
    expect(find(list, 'fail')).toMatchObject({
      status: 'failed',
      input: { city: 'Oslo' },
      logs: [],
      error: { type: 'ValueError', message: 'the oven is cold', traceback: null, line: null },
      is_restricted: true,
    })
    expect(find(list, 'inlet')).toMatchObject({
      status: 'done',
      input: null,
      result: null,
      logs: [],
      is_restricted: true,
    })
    expect(find(list, 'forecast').is_restricted).toBe(false)
    expect(JSON.stringify(list)).not.toMatch(/remark|instructions of the author/)
  })

  test('others see nothing of it; administrators all of it while they may read chats of others', async () => {
    expect(await traces(carol)).toEqual([])
    expect(await traces(carol, `?chat_id=${asked.chat_id}`)).toEqual([])
    const all = await traces(plugins.token)
    expect(find(all, 'fail')).toMatchObject({
      logs: [{ stream: 'stdout', line: 'looked for Oslo' }],
      error: { traceback: expect.stringContaining('a remark of the author'), line: 4 },
      is_restricted: false,
    })
    expect(JSON.stringify(find(all, 'inlet').logs)).toContain('a remark of the filter')
    const { settings } = plugins.server.context
    await settings.update({ ENABLE_ADMIN_CHAT_ACCESS: false })
    expect(await traces(plugins.token)).toEqual([])
    await settings.update({ ENABLE_ADMIN_CHAT_ACCESS: null })
  })

  test('they go with the account they belong to', async () => {
    const { users } = (await plugins.api('GET', 'users/')) as {
      users: { id: string; name: string }[]
    }
    await plugins.api('DELETE', `users/${users.find(({ name }) => name === 'Bob')!.id}`)
    expect(await traces(plugins.token, `?chat_id=${asked.chat_id}`)).toEqual([])
  })
})
