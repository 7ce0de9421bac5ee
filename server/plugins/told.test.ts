import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { UserEvent } from '../events/index.ts'
import { pluginPython } from '../testing/plugin-python.ts'
import { say, startPlugins, type PluginServer } from '../testing/start-plugins.ts'
import { whileInstalling } from './plugin-context.ts'

const FILTER = `class Filter:
    def inlet(self, body, __metadata__=None):
        body["messages"][-1]["content"] = f"{__metadata__['function_calling']} {__metadata__['params']['function_calling']}"
        return body
`

describe.skipIf(pluginPython === null)('Functions', () => {
  let plugins: PluginServer
  beforeAll(async () => {
    plugins = await startPlugins()
    await plugins.createFunction('telling', FILTER, { global: true })
  }, 60_000)
  afterAll(() => plugins.close())

  const said = () => (plugins.lastBody()['messages'] as { content: string }[]).at(-1)!.content

  test('are told how the model is given tools', async () => {
    await plugins.complete({})
    expect(said()).toBe('native native')
    await plugins.complete({ params: { function_calling: 'default' } })
    expect(said()).toBe('default default')
  })

  test('of a tool are named by tool and function in the sources of an answer', async () => {
    await plugins.createTool('clock', 'class Tools:\n    def tell(self):\n        return "noon"\n')
    plugins.rounds([say('{"tool_calls": [{"name": "tell", "parameters": {}}]}')])
    const { body } = await plugins.complete({
      tool_ids: ['clock'],
      params: { function_calling: 'default' },
    })
    expect(body['sources']).toMatchObject([
      { source: { name: 'clock/tell' }, document: ['noon'], tool_result: true },
    ])
  })

  test('that cannot be loaded any more are switched off with an error in the log', async () => {
    const { log, storage } = plugins.server.context
    const error = vi.spyOn(log, 'error')
    await storage
      .prepare("update plugin set content = 'import nothing_of_this_name' where id = 'telling'")
      .run()
    // Deleting a user also deletes their plugins, so that all plugins are read again.
    await plugins.addUser('Bob')
    const { id } = (await plugins.server.context.users.all()).find(({ name }) => name === 'Bob')!
    await plugins.server.call('DELETE', `/api/v1/users/${id}`, { token: plugins.token })
    expect((await plugins.complete({})).status).toBe(400)
    expect(
      error.mock.calls.map(([about, text]) => [(about as { plugin?: string }).plugin, text]),
    ).toContainEqual([
      'function:telling',
      'a plugin cannot be loaded any more and was switched off',
    ])
    expect(await plugins.api('GET', 'functions/id/telling')).toMatchObject({ is_active: false })
  })
})

test('Only calls that wait for packages are told so', async () => {
  const told: string[] = []
  const events = {
    emit: (userId: string, { data }: UserEvent) =>
      void told.push(`${userId}: ${(data as { data: { content: string } }).data.content}`),
  }
  const caller = { userId: 'ada' } as Parameters<typeof whileInstalling>[1]
  const work = () => new Promise((resolve) => setTimeout(resolve, 1500))
  await whileInstalling({ events, isInstalling: () => false }, caller, work())
  expect(told).toEqual([])
  await whileInstalling({ events, isInstalling: () => true }, caller, work())
  expect(told).toEqual([expect.stringMatching(/^ada: The Python packages/)])
})
