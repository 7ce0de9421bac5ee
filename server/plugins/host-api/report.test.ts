import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PluginReport } from '#contract/plugins.ts'
import { pluginEnvironment, pluginPython } from '../../testing/plugin-python.ts'
import { startConversation, type Conversation } from '../../testing/start-conversation.ts'

const SOURCE = `
import no_such_package
from open_webui.models.users import Users
from open_webui.internal.db import get_db
try:
    from open_webui.models.nowhere import Somebody
except ImportError:
    Somebody = None

class Tools:
    pass
`

describe.skipIf(pluginPython === null)('The report before a plugin is imported', () => {
  let conversation: Conversation
  beforeAll(async () => {
    conversation = await startConversation({ environment: pluginEnvironment })
  })
  afterAll(() => conversation.close())

  test('names packages that are missing, and parts of the host application that would fail when they are used', async () => {
    const { server, token } = conversation
    const reply = await server.call('POST', '/api/v1/plugins/inspect', {
      token,
      body: { store: 'tool', content: SOURCE },
    })
    const report = (await reply.json()) as PluginReport
    expect(report.imports.map(({ module, found }) => [module, found])).toEqual([
      ['no_such_package', 'no'],
      ['open_webui.models.users', 'yes'],
      ['open_webui.internal.db', 'yes'],
      ['open_webui.models.nowhere', 'no'],
    ])
    expect(report.warnings).toEqual([
      'It needs modules that are not there, so it will probably not load: no_such_package. Have these packages installed with it: no-such-package.',
      'It loads, but what needs these names will fail: open_webui.internal.db.get_db.',
    ])
  }, 60_000)
})
