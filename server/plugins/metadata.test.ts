import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pluginPython } from '../testing/plugin-python.ts'
import { callTool, say, startPlugins, type PluginServer } from '../testing/start-plugins.ts'

const WRITE = `import json


def write(place, metadata):
    return json.dumps({"place": place, **metadata}, default=str)


`
const TOOL = `${WRITE}class Tools:
    async def look(self, __metadata__=None):
        return write("tool", __metadata__)

    async def add(self, a: int, b: int):
        return str(a + b)
`
const PIPE = `${WRITE}class Pipe:
    async def pipe(self, body: dict, __metadata__=None):
        return write("pipe", {**__metadata__, "sum": await __metadata__["tools"]["add"]["callable"](a=1, b=2)})
`
const FILTER = `${WRITE}async def add(metadata):
    tool = metadata["tools"]["add"]
    assert "callable" in tool and "callable" not in dict(tool)
    return {**metadata, "sum": await tool.get("callable")(a=1, b=2)}


class Filter:
    async def stream(self, event: dict, __metadata__=None) -> dict:
        for choice in event.get("choices", []):
            if choice.get("delta", {}).get("content"):
                choice["delta"]["content"] = write("stream", await add(__metadata__))
        return event

    async def outlet(self, body: dict, __metadata__=None) -> dict:
        body["messages"][-1]["content"] = write("outlet", await add(__metadata__))
        return body
`

describe.skipIf(pluginPython === null)('What __metadata__ says of a prepared request', () => {
  let plugins: PluginServer
  beforeAll(async () => {
    plugins = await startPlugins({ LOG_LEVEL: 'silent' })
    await plugins.createTool('looker', TOOL)
    await plugins.createFunction('shown', PIPE)
    await plugins.createFunction('watcher', FILTER)
  }, 60_000)
  afterAll(() => plugins.close())

  const question = { id: 'q', role: 'user', content: 'How tall?' }
  const asked = {
    messages: [{ role: 'system', content: 'Be brief.' }, question],
    tool_ids: ['looker'],
    user_message: question,
    parent_id: null,
  }
  const expected = {
    user_prompt: 'How tall?',
    system_prompt: 'Be brief.',
    sources: [],
    tools: { look: { tool_id: 'looker', spec: { name: 'look' } } },
    user_message: question,
    user_message_id: 'q',
    parent_message_id: null,
    folder_id: null,
  }
  const contentOf = (body: Record<string, unknown>): unknown =>
    JSON.parse((body as { choices: [{ message: { content: string } }] }).choices[0].message.content)

  test('a tool and an outlet filter read it', async () => {
    plugins.rounds([callTool('look')], [say('end')])
    await plugins.withGlobal('watcher', async () => {
      const chat = await plugins.createChat('How tall?')
      await plugins.complete({ ...asked, chat_id: chat.chat_id, id: chat.id })
      expect(JSON.parse(plugins.toolTexts()[0]!)).toMatchObject({ place: 'tool', ...expected })
      const { content } = await plugins.readMessage(chat)
      expect(JSON.parse(content as string)).toMatchObject({
        place: 'outlet',
        sum: '3',
        ...expected,
      })
    })
  })

  test('a pipe reads it', async () => {
    const { body } = await plugins.complete({ ...asked, model: 'shown' })
    expect(contentOf(body)).toMatchObject({ place: 'pipe', sum: '3', ...expected })
  })

  test('a stream filter reads it', async () => {
    plugins.rounds([say('end')])
    await plugins.withGlobal('watcher', async () => {
      const { body } = await plugins.complete({ ...asked })
      expect(contentOf(body)).toMatchObject({ place: 'stream', sum: '3', ...expected })
    })
  })
})
