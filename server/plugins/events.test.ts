import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pluginPython } from '../testing/plugin-python.ts'
import { callTool, say, startPlugins, type PluginServer } from '../testing/start-plugins.ts'

const TOOL = `import json


class Tools:
    async def emit(self, events: str, __event_emitter__=None):
        for event in json.loads(events):
            await __event_emitter__(event)
        return "sent"

    async def ask(self, event: str, __event_call__=None):
        if __event_call__ is None:
            return "nobody"
        try:
            return json.dumps(await __event_call__(json.loads(event)))
        except Exception as error:
            return f"{type(error).__name__}: {error}"
`

const SOURCE = {
  source: { name: 'almanac' },
  document: ['warm'],
  metadata: [{ source: 'almanac' }],
}

/**
 * Every row of the specification's table of emitted events, with its effect on the stored message.
 */
const EMITTED: readonly (readonly [
  type: string,
  data: unknown,
  stored: Record<string, unknown> | null,
])[] = [
  [
    'status',
    { description: 'Busy', done: true, hidden: true },
    { statusHistory: expect.arrayContaining([{ description: 'Busy', done: true, hidden: true }]) },
  ],
  ['chat:message:delta', { content: 'alias ' }, null],
  ['message', { content: 'added ' }, { content: expect.stringContaining('added ') }],
  ['chat:message', { content: 'alias' }, null],
  ['replace', { content: 'instead ' }, { content: expect.stringMatching(/^instead /) }],
  ['chat:message:files', { files: [{ type: 'image', url: '/a.png' }] }, null],
  [
    'files',
    { files: [{ type: 'image', url: '/b.png' }] },
    { files: [{ type: 'image', url: '/b.png' }] },
  ],
  ['chat:message:embeds', { embeds: ['<p>a</p>'] }, null],
  ['embeds', { embeds: ['<p>b</p>'] }, { embeds: ['<p>b</p>'] }],
  ['chat:title', { title: 'A title' }, null],
  ['chat:title', 'A plain title', null],
  ['chat:tags', { tags: ['travel'] }, null],
  ['source', SOURCE, { sources: [SOURCE] }],
  [
    'source',
    { type: 'code_execution', id: 'run', code: '1' },
    { code_executions: [{ type: 'code_execution', id: 'run', code: '1' }] },
  ],
  ['citation', SOURCE, { sources: [SOURCE] }],
  ['notification', { type: 'success', content: 'Done' }, null],
  ['chat:message:favorite', { favorite: true }, null],
  ['chat:completion', { content: 'internal', done: false }, null],
  ['custom:mine', { anything: 1 }, null],
]

describe.skipIf(pluginPython === null)('Events of plugins', () => {
  let plugins: PluginServer
  beforeAll(async () => {
    plugins = await startPlugins({ WEBSOCKET_EVENT_CALLER_TIMEOUT: '1', LOG_LEVEL: 'silent' })
    await plugins.createTool('speaker', TOOL)
  }, 60_000)
  afterAll(() => plugins.close())

  test.each(EMITTED)(
    '%s goes to the window, and is stored exactly where it should be',
    async (type, data, stored) => {
      plugins.rounds([callTool('emit', { events: JSON.stringify([{ type, data }]) })], [say('end')])
      const { socket, message } = await plugins.askInChat('Go', { tool_ids: ['speaker'] })
      const seen = socket.frames
        .filter((frame) => frame.data?.type === type)
        .map((frame) => frame.data!.data)
      expect(seen).toContainEqual(data)
      expect(message).toMatchObject(stored ?? {})
      const traces = stored ? [] : ['alias', '/a.png', '<p>a</p>', 'A title', 'internal', 'travel']
      expect(traces.filter((trace) => messageText(message).includes(trace))).toEqual([])
    },
  )

  const ask = async (event: unknown, answer?: (data: unknown) => unknown): Promise<string> => {
    plugins.rounds([callTool('ask', { event: JSON.stringify(event) })], [say('end')])
    const { chat, socket } = await plugins.beginInChat('Go', { tool_ids: ['speaker'] })
    if (answer) socket.answerCalls(answer)
    await plugins.finished(chat)
    return plugins.toolTexts()[0]!
  }

  test.each([
    [{ type: 'confirmation', data: { title: 'Sure?', message: 'Really' } }, true],
    [
      { type: 'input', data: { title: 'Name?', message: '', placeholder: '', type: 'password' } },
      'hunter2',
    ],
    [{ type: 'input', data: { title: 'Name?', message: '', placeholder: '' } }, 7],
    [{ type: 'execute', data: { code: 'return 7' } }, 7],
  ])('%j is answered by the window the request came from', async (event, answer) => {
    expect(
      await ask(event, (data) =>
        JSON.stringify(data) === JSON.stringify(event) ? answer : 'another call',
      ),
    ).toBe(JSON.stringify(answer))
  })

  test('nobody answers in time: the plugin sees a TimeoutError', async () => {
    expect(await ask({ type: 'confirmation', data: { title: 'Sure?', message: '' } })).toMatch(
      /^TimeoutError: No window answered in time/,
    )
  })

  test('a session that is not connected answers nothing in time either', async () => {
    plugins.rounds(
      [callTool('ask', { event: JSON.stringify({ type: 'input', data: { title: 'Name?' } }) })],
      [say('end')],
    )
    const { chat_id, id } = await plugins.createChat('Go')
    const begun = performance.now()
    const reply = await plugins.raw.complete({
      model: 'text',
      messages: [{ role: 'user', content: 'Go' }],
      tool_ids: ['speaker'],
      chat_id,
      id,
      session_id: 'a script',
    })
    expect(reply.status).toBe(200)
    await plugins.finished({ chat_id, id })
    expect(plugins.toolTexts()[0]).toMatch(/^TimeoutError: No window answered in time/)
    expect(performance.now() - begun).toBeGreaterThan(950)
  })

  test('without a window there is nobody to call', async () => {
    plugins.rounds([callTool('ask', { event: '{}' })], [say('end')])
    await plugins.complete({ tool_ids: ['speaker'] })
    expect(plugins.toolTexts()).toEqual(['nobody'])
  })

  test('code for the page is sent to the window of the request alone, and not at all when that is switched off', async () => {
    const other = await plugins.openSocket()
    plugins.rounds(
      [callTool('emit', { events: JSON.stringify([{ type: 'execute', data: { code: '1' } }]) })],
      [say('end')],
    )
    const { socket } = await plugins.askInChat('Go', { tool_ids: ['speaker'] })
    expect(
      socket.frames.some(({ type, data }) => type === 'call' && data?.type === 'execute'),
    ).toBe(true)
    expect(other.frames.some(({ type }) => type === 'call')).toBe(false)
    await plugins.server.context.settings.update({ ENABLE_PLUGIN_EXECUTE: false })
    expect(await ask({ type: 'execute', data: { code: '1' } }, () => 1)).toMatch(
      /^GatewayError: Running code in the page is switched off/,
    )
    await plugins.server.context.settings.update({ ENABLE_PLUGIN_EXECUTE: null })
  })

  test('a tool of somebody who is no administrator may not run code in pages', async () => {
    const { settings } = plugins.server.context
    await settings.update({ USER_PERMISSIONS: JSON.stringify({ workspace: { tools: true } }) })
    const bob = await plugins.addUser('Bob')
    await plugins.api(
      'POST',
      'tools/create',
      { id: 'bobs', name: 'Bob', content: TOOL.replace('def ask', 'def ask_bob') },
      bob,
    )
    await settings.update({ USER_PERMISSIONS: null })
    plugins.rounds(
      [callTool('ask_bob', { event: JSON.stringify({ type: 'execute', data: { code: '1' } }) })],
      [say('end')],
    )
    const { chat, socket } = await plugins.beginInChat('Go', { tool_ids: ['bobs'] })
    socket.answerCalls(() => 1)
    await plugins.finished(chat)
    expect(plugins.toolTexts()[0]).toMatch(/^GatewayError: Running code/)
  })
})

/**
 * Returns the text and lists of a message, without the folded block that shows the call and its
 * arguments.
 */
const messageText = ({
  content,
  ...rest
}: { content: string } & Record<string, unknown>): string => {
  const { output: _output, ...fields } = rest
  return content.replaceAll(/<details[\s\S]*?<\/details>/g, '') + JSON.stringify(fields)
}
