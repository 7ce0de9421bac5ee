import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pluginPython } from '../testing/plugin-python.ts'
import { callTool, say, startPlugins, type PluginServer } from '../testing/start-plugins.ts'

const OUTLET = `class Filter:
    async def outlet(self, body: dict, __event_emitter__=None) -> dict:
        await __event_emitter__({"type": "message", "data": {"content": " [signed]"}})
        body["messages"][-1]["content"] = body["messages"][-1]["content"].upper()
        return body
`

const TOOL = `class Tools:
    async def note(self, kind: str, text: str, __event_emitter__=None):
        await __event_emitter__({"type": kind, "data": {"content": text}})
        return "noted"
`

const PIPE = `class Pipe:
    async def pipe(self, body: dict, __event_emitter__=None):
        await __event_emitter__({"type": "message", "data": {"content": "By event alone."}})
        return ""
`

type Reply = { choices: { message: { content: string } }[] }

describe.skipIf(pluginPython === null)('Texts that plugins write into an answer', () => {
  let plugins: PluginServer
  beforeAll(async () => {
    plugins = await startPlugins({ LOG_LEVEL: 'silent' })
    await plugins.createTool('noter', TOOL)
    await plugins.createFunction('signer', OUTLET)
    await plugins.createFunction('silent_pipe', PIPE)
  }, 60_000)
  afterAll(() => plugins.close())

  const ask = async (fields: Record<string, unknown>) => {
    const chat = await plugins.createChat('Go')
    const reply = await plugins.complete({ chat_id: chat.chat_id, id: chat.id, ...fields })
    expect(reply.status).toBe(200)
    const message = await plugins.readMessage(chat)
    return {
      stored: message.content,
      replied: (reply.body as unknown as Reply).choices[0]!.message.content,
    }
  }

  test('a message event of an outlet filter stays behind the text that the filter changed', async () => {
    plugins.rounds([say('Hello.')])
    await plugins.withGlobal('signer', async () => {
      expect(await ask({})).toMatchObject({ stored: 'HELLO. [signed]' })
    })
  })

  test.each([
    ['message', /^First\. Noted\.[^]* Last\.$/],
    ['replace', /^ Noted\.[^]* Last\.$/],
  ])('a %s event stands in the stored answer and in the whole reply', async (kind, text) => {
    plugins.rounds([say('First.'), callTool('note', { kind, text: ' Noted.' })], [say(' Last.')])
    const { stored, replied } = await ask({ tool_ids: ['noter'] })
    expect(stored).toMatch(text)
    expect(replied).toBe(stored)
  })

  test('an answer of events alone stands in the stored answer and in the whole reply', async () => {
    expect(await ask({ model: 'silent_pipe' })).toEqual({
      stored: 'By event alone.',
      replied: 'By event alone.',
    })
  })
})
