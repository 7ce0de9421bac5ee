import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { pluginPython } from '../../testing/plugin-python.ts'
import { startPlugins, type PluginServer } from '../../testing/start-plugins.ts'

const FILTER = `class Filter:
    def outlet(self, body):
        body["messages"][-1]["content"] += f" [{len(body['messages'])}]"
        return body
`

describe.skipIf(pluginPython === null)('A filter with an outlet', () => {
  let plugins: PluginServer
  beforeAll(async () => {
    plugins = await startPlugins()
    await plugins.createFunction('counting', FILTER)
    await plugins.createFunction(
      'switched',
      `${FILTER}\n    def __init__(self):\n        self.toggle = True\n`,
      { global: true },
    )
  }, 60_000)
  afterAll(() => plugins.close())

  /** Returns the answer after the outlets have run; the follow-up request is sent after them. */
  const answer = async (body = {}): Promise<string> => {
    const { requests } = plugins.raw.upstream
    const before = requests.length
    const { chat } = await plugins.askInChat('Hi', {
      background_tasks: { follow_up_generation: true },
      ...body,
    })
    await expect.poll(() => requests.length).toBe(before + 2)
    return (await plugins.readMessage(chat)).content
  }

  test('that is not in force for a model has none of its answers read', async () => {
    const read = vi.spyOn(plugins.server.context.chats, 'wholeThread')
    try {
      expect(await answer()).toBe('Hello.')
      expect(read).not.toHaveBeenCalled()
      await plugins.withGlobal('counting', async () => {
        expect(await answer()).toBe('Hello. [2]')
        expect(read).toHaveBeenCalledOnce()
      })
      expect(await answer({ filter_ids: ['switched'] })).toBe('Hello. [2]')
      expect(read).toHaveBeenCalledTimes(2)
    } finally {
      read.mockRestore()
    }
  }, 30_000)
})
