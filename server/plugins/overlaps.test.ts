import { expect, test, onTestFinished } from 'vitest'
import { pluginPython } from '../testing/plugin-python.ts'
import { startPlugins } from '../testing/start-plugins.ts'

const SOURCES = {
  tools: 'class Tools:\n    def tell(self):\n        return "noon"\n',
  functions: 'class Pipe:\n    def pipe(self, body):\n        return "noon"\n',
}

test.skipIf(pluginPython === null)(
  'Of several plugins with the same id that are stored at the same time one is kept, and the others are refused',
  { timeout: 60_000 },
  async () => {
    const plugins = await startPlugins({ LOG_LEVEL: 'silent' })
    onTestFinished(() => plugins.close())
    for (const [kind, content] of Object.entries(SOURCES)) {
      const replies = await Promise.all(
        Array.from({ length: 5 }, async (_, index) => {
          const reply = await plugins.server.call('POST', `/api/v1/${kind}/create`, {
            token: plugins.token,
            body: { id: 'clock', name: `Clock ${index}`, content },
          })
          return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
        }),
      )
      const refused = replies.filter(({ status }) => status === 400)
      expect(refused.map(({ body }) => body['detail'])).toEqual(
        Array.from({ length: 4 }, () => 'This id is taken. Choose another one.'),
      )
      const made = replies.find(({ status }) => status === 200)!.body
      expect(await plugins.api('GET', `${kind}/id/clock`)).toMatchObject({ name: made['name'] })
    }
  },
)

const SLOW_SETTINGS = `import time
from pydantic import BaseModel, field_validator

class Tools:
    class UserValves(BaseModel):
        unit: str = "degrees"

        @field_validator("unit")
        @classmethod
        def check(cls, value):
            time.sleep(1)
            return value

    def tell(self):
        return "noon"
`

test.skipIf(pluginPython === null)(
  'Settings for a plugin that is deleted while they are checked answer 404',
  { timeout: 60_000 },
  async () => {
    const plugins = await startPlugins({ LOG_LEVEL: 'silent' })
    onTestFinished(() => plugins.close())
    await plugins.createTool('clock', SLOW_SETTINGS)
    const call = (method: string, path: string, body?: unknown) =>
      plugins.server.call(method, `/api/v1/tools/id/clock/${path}`, { token: plugins.token, body })
    const [settings] = await Promise.all([
      call('POST', 'valves/user/update', { unit: 'kelvin' }),
      call('DELETE', 'delete'),
    ])
    expect(settings.status).toBe(404)
  },
)

test.skipIf(pluginPython === null)(
  'Of two sources that are based on one version the first is kept, and the other is told',
  { timeout: 60_000 },
  async () => {
    const plugins = await startPlugins({ LOG_LEVEL: 'silent' })
    onTestFinished(() => plugins.close())
    for (const [kind, content] of Object.entries(SOURCES)) {
      const made = (await plugins.api('POST', `${kind}/create`, {
        id: 'clock',
        name: 'Clock',
        content,
      })) as Record<string, unknown>
      const save = async (change: object) => {
        const reply = await plugins.server.call('POST', `/api/v1/${kind}/id/clock/update`, {
          token: plugins.token,
          body: { known_at: made['updated_at'], ...change },
        })
        return reply.status
      }
      const replies = await Promise.all(
        ['night', 'morning'].map((time) => save({ content: content.replace('noon', time) })),
      )
      expect(replies.toSorted((a, b) => a - b)).toEqual([200, 409])
      expect(await save({ name: 'Other' })).toBe(409)
      expect(await save({ name: 'Other', known_at: undefined })).toBe(200)
    }
  },
)
