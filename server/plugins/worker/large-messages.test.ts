import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pluginPython } from '../../testing/plugin-python.ts'
import { callTool, say, startPlugins, type PluginServer } from '../../testing/start-plugins.ts'

const MEBIBYTE = 1024 * 1024
const PICTURE_BYTES = 3 * MEBIBYTE
const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

const TOOL = `import base64, json
from plugin_host import host


def said(error):
    return f"{type(error).__name__} {error.status}: {error}"


class Tools:
    async def emit(self, events: str, __event_emitter__=None):
        heard = []
        for kind, size, count in json.loads(events):
            try:
                await __event_emitter__({"type": kind, "data": {"text": "x" * size, "list": [{}] * count}})
                heard.append("taken")
            except Exception as error:
                heard.append(said(error))
        return json.dumps(heard)

    async def forge(self, count: int, __event_emitter__=None):
        call = host.current_call().id
        host._connected()._send({"t": "event", "call": call, "plugin": "large", "data": {"type": "custom:forged", "data": [{}] * count}})
        await __event_emitter__({"type": "custom:after", "data": {}})
        return "forged"

    async def ask(self, count: int):
        try:
            return json.dumps(await host.request_async("endpoint", {"id": "notes.list", "body": [{}] * count}))
        except Exception as error:
            return said(error)

    async def give(self, count: int):
        host._connected()._send({"t": "result", "id": host.current_call().id, "value": {"raw": [{}] * count}})
        return "given"

    def draw(self):
        return "data:image/png;base64," + base64.b64encode(bytes.fromhex("${PNG.toString('hex')}") + bytes(${PICTURE_BYTES})).decode()

    async def pid(self):
        import os
        return str(os.getpid())
`

describe.skipIf(pluginPython === null)('Large messages of plugins', () => {
  let plugins: PluginServer
  beforeAll(async () => {
    plugins = await startPlugins({
      WEBSOCKET_MAX_EVENT_SIZE: '1',
      JSON_BODY_MAX_VALUES: '1000',
      LOG_LEVEL: 'silent',
    })
    await plugins.createTool('large', TOOL)
  }, 60_000)
  afterAll(() => plugins.close())

  async function run(name: string, args: Record<string, unknown> = {}): Promise<string> {
    plugins.rounds([callTool(name, args)], [say('end')])
    await plugins.complete({ tool_ids: ['large'] })
    return plugins.toolTexts()[0]!
  }

  test('an event that is too large is refused to the plugin with the amount and the setting; the others come in order', async () => {
    const events = [
      ['custom:small', 10, 0],
      ['custom:large', MEBIBYTE / 2, 0],
      ['custom:tooLong', MEBIBYTE + 1, 0],
      ['custom:tooMany', 100_000, 2000],
      ['custom:last', 10, 0],
    ]
    plugins.rounds([callTool('emit', { events: JSON.stringify(events) })], [say('end')])
    const { socket } = await plugins.askInChat('Go', { tool_ids: ['large'] })
    expect(JSON.parse(plugins.toolTexts()[0]!)).toEqual([
      'taken',
      'taken',
      expect.stringMatching(
        /^GatewayError 413: The event .* larger than the 1 MiB that WEBSOCKET_MAX_EVENT_SIZE allows/,
      ),
      expect.stringMatching(
        /^GatewayError 413: What the plugin sent holds more than 1000 values.*JSON_BODY_MAX_VALUES/,
      ),
      'taken',
    ])
    const seen = socket.frames
      .map(({ data }) => data?.type)
      .filter((type) => String(type).startsWith('custom:'))
    expect(seen).toEqual(['custom:small', 'custom:large', 'custom:last'])
  })

  test('an event that a plugin sends past its emitter is refused as well, and the trace says why', async () => {
    plugins.rounds([callTool('forge', { count: 2000 })], [say('end')])
    const { chat, socket } = await plugins.askInChat('Go', { tool_ids: ['large'] })
    const seen = socket.frames
      .map(({ data }) => data?.type)
      .filter((type) => String(type).startsWith('custom:'))
    expect(seen).toEqual(['custom:after'])
    const traces = (await plugins.api('GET', `plugins/traces?chat_id=${chat.chat_id}`)) as {
      logs: { line: string }[]
    }[]
    expect(traces.flatMap(({ logs }) => logs.map(({ line }) => line))).toEqual([
      expect.stringMatching(/1000 values.*JSON_BODY_MAX_VALUES/),
    ])
  })

  test('a request or a result of too many values fails alone, and the worker goes on', async () => {
    const before = await run('pid')
    expect(await run('ask', { count: 2000 })).toMatch(
      /^GatewayError 413: What the plugin sent holds more than 1000 values/,
    )
    expect(await run('give', { count: 2000 })).toMatch(
      /What the plugin sent holds more than 1000 values.*raise JSON_BODY_MAX_VALUES/,
    )
    expect(await run('pid')).toBe(before)
  })

  test('a picture of some MB comes as it is', async () => {
    plugins.rounds([callTool('draw')], [say('end')])
    const { message } = await plugins.askInChat('Go', { tool_ids: ['large'] })
    expect(plugins.toolTexts()).toEqual(['The image is shown to the user.'])
    expect(
      message.content.includes(
        Buffer.concat([PNG, Buffer.alloc(PICTURE_BYTES)]).toString('base64'),
      ),
    ).toBe(true)
  })
})
