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

const GROWING = `class Pipe:
    async def pipe(self, body: dict, __event_emitter__=None):
        for text in ("Loading", "Loading the", "Loading the news. "):
            await __event_emitter__({"type": "replace", "data": {"content": text}})
        yield "They are good."
`

const INLET = `class Filter:
    async def inlet(self, body: dict, __event_emitter__=None) -> dict:
        await __event_emitter__({"type": "message", "data": {"content": "Checked. "}})
        return body
`

interface StreamedPart {
  readonly choices?: readonly { readonly delta?: { content?: string }; readonly text?: string }[]
  readonly delta?: string | { readonly text?: string }
}

type Reply = { choices: { message: { content: string } }[] }

describe.skipIf(pluginPython === null)('Texts that plugins write into an answer', () => {
  let plugins: PluginServer
  beforeAll(async () => {
    plugins = await startPlugins({ LOG_LEVEL: 'silent' })
    await plugins.createTool('noter', TOOL)
    await plugins.createFunction('signer', OUTLET)
    await plugins.createFunction('silent_pipe', PIPE)
    await plugins.createFunction('growing_pipe', GROWING)
    await plugins.createFunction('checker', INLET)
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

  /** Returns the texts of all chunks of a streamed reply. */
  async function stream(fields: Record<string, unknown>, path = '/api/chat/completions') {
    const messages = [{ role: 'user', content: 'Go' }]
    const body = { model: 'text', messages, max_tokens: 99, stream: true, ...fields }
    const reply = await plugins.server.call('POST', path, { token: plugins.token, body })
    const text = await reply.text()
    expect(reply.status, text).toBe(200)
    return text
      .split('\n')
      .filter((line) => line.startsWith('data: {'))
      .map((line) => JSON.parse(line.slice(6)) as StreamedPart)
      .map(({ choices: [first] = [], delta }) =>
        first
          ? (first.delta?.content ?? first.text)
          : typeof delta === 'string'
            ? delta
            : delta?.text,
      )
      .filter((part) => typeof part === 'string' && part !== '')
  }

  test.each(['a chat', 'no chat'])(
    'the reply of %s contains them, whole and streamed',
    async (place) => {
      const inPlace = async () => {
        if (place === 'no chat') return {}
        const { chat_id, id } = await plugins.createChat('Go')
        return { chat_id, id }
      }
      const both = async (fields: Record<string, unknown>) => {
        const { body } = await plugins.complete({ ...fields, ...(await inPlace()) })
        const whole = (body as unknown as Reply).choices[0]!.message.content
        return [whole, await stream({ ...fields, ...(await inPlace()) })]
      }
      expect(await both({ model: 'silent_pipe' })).toEqual(['By event alone.', ['By event alone.']])
      expect(await both({ model: 'growing_pipe' })).toEqual([
        'Loading the news. They are good.',
        ['Loading', ' the', ' news. ', 'They are good.'],
      ])
      plugins.rounds(
        [say('First.'), callTool('note', { kind: 'message', text: ' Noted.' })],
        [say(' Last.')],
      )
      const [whole, streamed] = await both({ tool_ids: ['noter'] })
      expect(whole).toMatch(/^First\. Noted\.[^]* Last\.$/)
      expect((streamed as string[]).join('')).toMatch(/^First\. Noted\.[^]* Last\.$/)
      plugins.rounds(
        [say('First.'), callTool('note', { kind: 'replace', text: 'New.' })],
        [say(' Last.')],
      )
      const [replaced, appended] = await both({ tool_ids: ['noter'] })
      expect(replaced).toMatch(/^New\.[^]* Last\.$/)
      expect((appended as string[]).join('')).toMatch(/^First\.\n\nNew\.[^]* Last\.$/)
    },
  )

  test('replies in other formats and of relayed answers contain them', async () => {
    plugins.rounds([say('Fine.')])
    await plugins.withGlobal('checker', async () => {
      const { body } = await plugins.complete({})
      expect((body as unknown as Reply).choices[0]!.message.content).toBe('Checked. Fine.')
      for (const [path, fields] of [
        ['/api/chat/completions', {}],
        ['/api/v1/messages', {}],
        ['/api/v1/responses', { messages: undefined, input: 'Go' }],
        ['/api/v1/completions', { messages: undefined, prompt: 'Go' }],
      ] as const)
        expect([path, (await stream(fields, path)).join('')]).toEqual([path, 'Checked. Fine.'])
    })
  })

  test('an answer of events alone stands in the stored answer and in the whole reply', async () => {
    expect(await ask({ model: 'silent_pipe' })).toEqual({
      stored: 'By event alone.',
      replied: 'By event alone.',
    })
  })
})
