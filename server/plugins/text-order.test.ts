import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pluginPython } from '../testing/plugin-python.ts'
import { callTool, say, startPlugins, type PluginServer } from '../testing/start-plugins.ts'
import type { TestSocket } from '../testing/start-conversation.ts'

const PIPE = `import asyncio


class Pipe:
    def pipes(self):
        return [{"id": name, "name": name} for name in ("returning", "yielding", "replacing", "waiting")]

    async def pipe(self, body, __event_emitter__=None):
        async def append(text):
            await __event_emitter__({"type": "message", "data": {"content": text}})

        async def write():
            await append("1 ")
            yield "2 "
            yield "3 "
            await append("4 ")
            await append("5 ")
            yield "6"

        kind = body["model"].rsplit(".", 1)[-1]
        if kind == "yielding":
            return write()
        if kind == "waiting":
            await append("1 ")
            await asyncio.sleep(3600)
        for number in range(1, 6):
            await append(f"{number} ")
        if kind == "replacing":
            await __event_emitter__({"type": "replace", "data": {"content": "new "}})
        return "end"
`

const FILTER = `class Filter:
    async def inlet(self, body, __event_emitter__=None):
        for number in range(1, 6):
            await __event_emitter__({"type": "message", "data": {"content": f"{number} "}})
        return body

    async def outlet(self, body):
        body["messages"][-1]["content"] += " (checked)"
        return body
`

const TOOL = `class Tools:
    async def note(self, __event_emitter__=None):
        await __event_emitter__({"type": "message", "data": {"content": "noted "}})
        return "kept"

    async def restart(self, __event_emitter__=None):
        await __event_emitter__({"type": "replace", "data": {"content": "new "}})
        return "kept"
`

const ASKING = `class Filter:
    async def inlet(self, body, __event_emitter__=None, __event_call__=None):
        await __event_emitter__({"type": "status", "data": {"description": "First", "done": True}})
        await __event_emitter__({"type": "message", "data": {"content": "Please answer. "}})
        await __event_call__({"type": "input", "data": {"title": "Name", "message": "?"}})
        return body
`

/** Returns the text of a message as a window shows it after the events up to the end of the answer. */
function textIn(socket: TestSocket, messageId: string): { growing: string; final: unknown } {
  let growing = ''
  for (const { message_id: id, data } of socket.frames) {
    if (id !== messageId || !data) continue
    const { content, offset } = data.data as { content: string; offset?: number }
    if (data.type === 'chat:completion') return { growing, final: content }
    if (data.type === 'replace' || data.type === 'chat:message') growing = content
    if (data.type === 'message') growing += content
    if (data.type === 'chat:message:delta') {
      if (offset !== growing.length) throw new Error(`${offset} instead of ${growing.length}`)
      growing += content
    }
  }
  throw new Error('The answer did not end.')
}

describe.skipIf(pluginPython === null)('Events that write into an answer', () => {
  let plugins: PluginServer
  beforeAll(async () => {
    plugins = await startPlugins()
    await plugins.createFunction('ordered', PIPE)
    await plugins.createFunction('numbering', FILTER)
    await plugins.createFunction('asking', ASKING)
    await plugins.createTool('writer', TOOL)
  }, 60_000)
  afterAll(() => plugins.close())

  test.each([
    ['returning', '1 2 3 4 5 end'],
    ['yielding', '1 2 3 4 5 6'],
    ['replacing', 'new end'],
  ])('of a %s pipe keep their place among the text', async (kind, whole) => {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const { message } = await plugins.askInChat('Count', { model: `ordered.${kind}` })
      expect(message.content).toBe(whole)
    }
  })

  test('of a pipe are stored before it ends', async () => {
    const { chat, socket, taskId } = await plugins.beginInChat('Wait', { model: 'ordered.waiting' })
    await expect
      .poll(async () => (await plugins.readMessage(chat)).content, { timeout: 5000 })
      .toBe('1 ')
    const stopped = await plugins.raw.server.call('POST', `/api/tasks/stop/${taskId}`, {
      token: plugins.token,
    })
    expect(stopped.status).toBe(200)
    socket.close()
  })

  test('of an inlet precede the text of the model, and an outlet has run when the reply ends', async () => {
    plugins.rounds([say('said')])
    await plugins.withGlobal('numbering', async () => {
      for (const stream of [false, true]) {
        const chat = await plugins.createChat('Count')
        const reply = await plugins.raw.complete({
          model: 'text',
          messages: [{ role: 'user', content: 'Count' }],
          stream,
          chat_id: chat.chat_id,
          id: chat.id,
        })
        const text = await reply.text()
        const { content } = await plugins.readMessage(chat)
        expect(content).toBe('1 2 3 4 5 said (checked)')
        expect(text).not.toContain('checked')
      }
    })
  })

  test('of an inlet are shown in windows where they are stored', async () => {
    plugins.rounds([say('said')])
    await plugins.withGlobal('numbering', async () => {
      const { chat, socket } = await plugins.beginInChat('Count')
      await socket.event('chat:completion')
      await plugins.raw.finished(chat)
      const { growing, final } = textIn(socket, chat.id)
      expect(growing).toBe('1 2 3 4 5 said')
      expect(final).toBe('1 2 3 4 5 said')
    })
  })

  test('of an inlet are shown in the window of a temporary chat', async () => {
    plugins.rounds([say('said')])
    await plugins.withGlobal('numbering', async () => {
      const socket = await plugins.openSocket()
      const reply = await plugins.raw.complete({
        model: 'text',
        messages: [{ role: 'user', content: 'Count' }],
        stream: true,
        chat_id: 'local:counting',
        id: 'a1',
        session_id: socket.sessionId,
      })
      expect(reply.status).toBe(200)
      await socket.event('chat:completion')
      const whole = '1 2 3 4 5 said'
      expect(textIn(socket, 'a1')).toEqual({ growing: whole, final: whole })
    })
  })

  test.each(['note', 'restart'])(
    'of a tool (%s) are shown in windows where they are stored',
    async (name) => {
      plugins.rounds([say('Before. '), callTool(name)], [say('After.')])
      const { message, socket, chat } = await plugins.askInChat('Go', { tool_ids: ['writer'] })
      await socket.event('chat:completion')
      const { growing, final } = textIn(socket, chat.id)
      expect(message.content).toContain(name === 'note' ? 'Before. noted ' : 'new ')
      expect(final).toBe(message.content)
      expect(growing).toBe(message.content)
    },
  )

  test('precede a question that the plugin asks after them', async () => {
    plugins.rounds([say('said')])
    await plugins.withGlobal('asking', async () => {
      const socket = await plugins.openSocket()
      socket.answerCalls(() => 'Ada')
      const chat = await plugins.createChat('Ask')
      const reply = await plugins.raw.complete({
        model: 'text',
        messages: [{ role: 'user', content: 'Ask' }],
        stream: true,
        chat_id: chat.chat_id,
        id: chat.id,
        session_id: socket.sessionId,
      })
      expect(reply.status).toBe(200)
      await plugins.raw.finished(chat)
      const types = socket.frames.map(({ data }) => data?.type)
      expect(types.indexOf('input')).toBeGreaterThan(types.indexOf('status'))
      expect(types.indexOf('input')).toBeGreaterThan(types.indexOf('message'))
    })
  })
})
