import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pluginPython } from '../testing/plugin-python.ts'
import { callTool, say, startPlugins, type PluginServer } from '../testing/start-plugins.ts'

/** A filter whose task continues after the inlet, as those of the community do. */
const FILTER = `import asyncio

from plugin_host import host

kept = []
calls = []


class Filter:
    async def inlet(self, body, __event_emitter__=None, __event_call__=None, __metadata__=None):
        call = host.current_call()
        kept.append(__event_emitter__)
        calls.append(call)

        async def work():
            while not call.has_ended:
                await asyncio.sleep(0.01)
            await __event_emitter__({"type": "message", "data": {"content": "late "}})
            answer = __event_call__ and await __event_call__({"type": "input", "data": {"title": "?", "message": ""}})
            source = {"source": {"name": str(answer)}, "document": ["late"], "metadata": [{"source": "x"}]}
            await __event_emitter__({"type": "citation", "data": source})
            await __event_emitter__({"type": "status", "data": {"description": "Later", "done": True}})

        self.task = asyncio.create_task(work())
        return body
`

const TOOL = `import sys

from plugin_host import events, host


class Tools:
    async def forge(self):
        call = sys.modules["function_lasting"].calls[0]
        for plugin in ("watcher", None):
            data = {"type": "message", "data": {"content": "forged"}}
            events._events._channel.send({"t": "event", "call": call.id, "plugin": plugin, "data": data})
        return "sent"

    async def try_again(self, index: int):
        kept = sys.modules["function_lasting"].kept
        try:
            await kept[index]({"type": "message", "data": {"content": "much later"}})
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        return "worked"

    async def count_answers(self):
        return str(len(host._requests._calls._answers))
`

describe.skipIf(pluginPython === null)('Events of tasks that continue after their hook', () => {
  let plugins: PluginServer
  beforeAll(async () => {
    plugins = await startPlugins({ LOG_LEVEL: 'silent' })
    await plugins.createFunction('lasting', FILTER)
    await plugins.createTool('watcher', TOOL)
  }, 60_000)
  afterAll(() => plugins.close())

  /** Returns the number of answers the worker knows of, beside the one that asks. */
  async function countAnswers(): Promise<number> {
    plugins.rounds([callTool('count_answers')], [say('end')])
    await plugins.complete({ tool_ids: ['watcher'] })
    return Number(plugins.toolTexts()[0]) - 1
  }

  test('are shown and stored while the model answers, and refused afterwards', async () => {
    await plugins.withGlobal('lasting', async () => {
      const { promise: settled, resolve } = Promise.withResolvers<void>()
      plugins.rounds([say('One '), { kind: 'until', settled }, say('two.')])
      const { chat, socket } = await plugins.beginInChat('Go')
      socket.answerCalls(() => 'Ada')
      await socket.event('status')
      plugins.rounds([callTool('forge')], [say('end')])
      await plugins.complete({ tool_ids: ['watcher'] })
      expect(plugins.toolTexts()[0]).toBe('sent')
      resolve()
      const message = await plugins.finished(chat)
      expect(message).toMatchObject({
        content: expect.stringMatching(/^(One late |late One )two\.$/),
        sources: [{ source: { name: 'Ada' } }],
        statusHistory: [{ description: 'Later' }],
      })
      plugins.rounds([callTool('try_again', { index: 0 })], [say('end')])
      const other = await plugins.askInChat('Again', { tool_ids: ['watcher'], filter_ids: [] })
      expect(plugins.toolTexts()[0]).toMatch(/^CallEnded: The call this belongs to has ended/)
      expect(await plugins.readMessage(chat)).toEqual(message)
      expect(JSON.stringify(other.message)).not.toContain('much later"')
    })
    expect(await countAnswers()).toBe(0)
  })

  test('of somebody who loses access are refused, because the answer ends', async () => {
    await plugins.withGlobal('lasting', async () => {
      const { promise: settled, resolve } = Promise.withResolvers<void>()
      plugins.rounds([say('One '), { kind: 'until', settled }])
      const bob = await plugins.addUser('Bob')
      const { chat_id, id } = await plugins.createChat('Go', { token: bob })
      const reply = await plugins.raw.complete(
        { model: 'text', messages: [{ role: 'user', content: 'Go' }], stream: true, chat_id, id },
        { token: bob },
      )
      await expect
        .poll(async () => (await plugins.raw.readMessage({ chat_id, id }, bob)).content)
        .toContain('late ')
      const { users } = plugins.server.context
      const { id: userId } = (await users.all()).find(({ name }) => name === 'Bob')!
      await users.update(userId, { role: 'pending' })
      plugins.rounds([callTool('try_again', { index: -2 })], [say('end')])
      await plugins.complete({ tool_ids: ['watcher'] })
      expect(plugins.toolTexts()[0]).toMatch(/^CallEnded/)
      resolve()
      // The connections of such a user are closed.
      await reply.text().catch(() => null)
      await expect.poll(countAnswers).toBe(0)
      const stored = await plugins.server.context.storage
        .prepare<[string], { content: string }>('select content from message where id = ?')
        .get(id)
      expect(stored!.content).toMatch(/^(One late |late One )$/)
    })
  })

  test.each([
    ['the provider fails', { kind: 'error', message: 'no' }],
    ['the connection breaks', { kind: 'cut' }],
  ] as const)('the worker forgets an answer when %s', async (_, step) => {
    await plugins.withGlobal('lasting', async () => {
      plugins.rounds([say('One '), step])
      await plugins.askInChat('Go')
      for (const stream of [false, true])
        await plugins.raw
          .complete({ model: 'text', messages: [{ role: 'user', content: 'Go' }], stream })
          .then((reply) => reply.text())
    })
    await expect.poll(countAnswers).toBe(0)
  })

  test('the worker forgets an answer that is stopped, or whose caller breaks off', async () => {
    await plugins.withGlobal('lasting', async () => {
      plugins.rounds([say('One '), { kind: 'stall' }])
      const { chat, taskId } = await plugins.beginInChat('Go')
      await plugins.raw.server.call('POST', `/api/tasks/stop/${taskId}`, { token: plugins.token })
      await plugins.finished(chat)
      const caller = new AbortController()
      const body = { model: 'text', messages: [{ role: 'user', content: 'Go' }], stream: true }
      const reply = await plugins.raw.complete(body, { signal: caller.signal })
      await reply.body!.getReader().read()
      caller.abort()
    })
    await expect.poll(countAnswers).toBe(0)
  })

  test('the worker forgets the answers of other formats', async () => {
    await plugins.withGlobal('lasting', async () => {
      plugins.rounds([say('One.')])
      const messages = [{ role: 'user', content: 'Go' }]
      for (const stream of [false, true])
        for (const [path, body] of [
          ['/api/v1/messages', { model: 'text', max_tokens: 9, messages }],
          ['/api/v1/responses', { model: 'text', input: 'Go' }],
          ['/api/v1/completions', { model: 'text', prompt: 'Go' }],
        ] as const) {
          const options = { token: plugins.token, body: { ...body, stream } }
          const reply = await plugins.server.call('POST', path, options)
          expect([path, reply.status, (await reply.text()).includes('One')]).toEqual([
            path,
            200,
            true,
          ])
        }
    })
    await expect.poll(countAnswers).toBe(0)
  })
})
