import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pluginPython } from '../testing/plugin-python.ts'
import { say, startPlugins, type PluginServer } from '../testing/start-plugins.ts'

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

describe.skipIf(pluginPython === null)('Events that write into an answer', () => {
  let plugins: PluginServer
  beforeAll(async () => {
    plugins = await startPlugins()
    await plugins.createFunction('ordered', PIPE)
    await plugins.createFunction('numbering', FILTER)
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
})
