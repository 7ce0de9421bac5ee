import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { PluginState } from '#contract/plugins.ts'
import { pluginPython } from '../testing/plugin-python.ts'
import { callTool, say, startPlugins, type PluginServer } from '../testing/start-plugins.ts'

/** While this file exists, the filter takes an hour to load. */
const slow = path.join(tmpdir(), `chat-gateway-slow-${process.pid}`)

const WAITING = `import asyncio, os, time

if os.path.exists(${JSON.stringify(slow)}):
    time.sleep(3600)


class Filter:
    def inlet(self, body):
        return body

    async def stream(self, event):
        if any("wait" in (choice["delta"].get("content") or "") for choice in event["choices"]):
            await asyncio.sleep(3600)
        return event

    async def outlet(self, body):
        if "linger" in str(body["messages"]):
            await asyncio.sleep(3600)
        return body
`

/** Reports which of two plugins are loaded in the same process. */
const SEEING = `import threading


class Tools:
    async def see(self) -> str:
        names = {thread.name.removeprefix("plugin-loop-") for thread in threading.enumerate()}
        return " ".join(sorted(names & {"leaving", "resting"}))
`

const ASKING = `import asyncio, os


class Tools:
    async def ask_and_leave(self, __event_call__=None):
        asyncio.get_running_loop().call_later(1, os._exit, 7)
        return str(await __event_call__({"type": "input", "data": {"title": "Who?", "message": "", "placeholder": ""}}))

    async def ask_briefly(self, __event_call__=None):
        question = __event_call__({"type": "input", "data": {"title": "Who?", "message": "", "placeholder": ""}})
        try:
            return str(await asyncio.wait_for(question, 1))
        except asyncio.TimeoutError:
            return "nobody"

    async def leave(self):
        os._exit(7)
`

const BLOCKING = `import time


class Tools:
    async def block(self) -> str:
        time.sleep(3600)

    async def greet(self) -> str:
        return "hello"
`

/** Takes longer than the gateway waits for code that was asked to stop. */
const LASTING = `import asyncio


class Tools:
    async def last(self) -> str:
        await asyncio.sleep(7)
        return "lasted"
`

const BUTTON = `import asyncio


class Action:
    async def action(self, body):
        await asyncio.sleep(float(body["messages"][0]["content"]))
        return {"messages": [{**body["messages"][0], "content": "written by the action"}]}
`

const PIPE = `class Pipe:
    async def pipe(self, body, __tools__=None):
        return await __tools__["leave"]["callable"]()
`

describe.skipIf(pluginPython === null)('Stopping and leaving while code of a plugin runs', () => {
  let plugins: PluginServer
  beforeAll(async () => {
    plugins = await startPlugins({ LOG_LEVEL: 'silent' })
    await plugins.createFunction('waiting', WAITING)
    await plugins.createTool('asking', ASKING)
    await plugins.createFunction('calling', PIPE)
    await plugins.createFunction('button', BUTTON, { global: true })
  }, 60_000)
  afterAll(() => plugins.close())
  beforeEach(() => plugins.rounds([say('Hello.')]))

  const tasks = async () => ((await plugins.api('GET', '../tasks')) as { tasks: string[] }).tasks
  const running = async () =>
    ((await plugins.api('GET', 'plugins/state')) as PluginState).workers.flatMap(
      (worker) => worker.plugins,
    )

  test('a stop ends an answer whose filter keeps a piece of it, and the filter with it', async () => {
    await plugins.withGlobal('waiting', async () => {
      plugins.rounds([say('Hello. '), say('wait')])
      const { chat, taskId, socket } = await plugins.beginInChat('Hello')
      await socket.event('chat:message:delta')
      await plugins.api('POST', `../tasks/stop/${taskId}`)
      expect(await plugins.finished(chat)).toMatchObject({
        content: 'Hello. ',
        error: { code: 'stopped' },
      })
      await expect.poll(running, { timeout: 5000 }).toEqual([])
    })
  }, 20_000)

  test('a caller who leaves ends a filter that keeps a piece of the answer', async () => {
    await plugins.withGlobal('waiting', async () => {
      plugins.rounds([say('Hello. '), say('wait')])
      const leaving = new AbortController()
      const asked = { model: 'text', messages: [{ role: 'user', content: 'Hello' }], stream: true }
      const reply = await plugins.raw.complete(asked, { signal: leaving.signal })
      await reply.body!.getReader().read()
      expect(await running()).toEqual(['function:waiting'])
      leaving.abort()
      await expect.poll(running, { timeout: 5000 }).toEqual([])
    })
  }, 20_000)

  test('what filters do with a finished answer ends with a stop of the chat', async () => {
    await plugins.withGlobal('waiting', async () => {
      const { chat } = await plugins.beginInChat('linger', {
        background_tasks: { follow_up_generation: true },
      })
      expect(await plugins.finished(chat)).toMatchObject({ content: 'Hello.' })
      await expect.poll(running, { timeout: 5000 }).toEqual(['function:waiting'])
      const asked = plugins.raw.upstream.requests.length
      expect(await plugins.api('POST', `../tasks/chat/${chat.chat_id}/stop`)).toMatchObject({
        status: true,
      })
      await expect.poll(running, { timeout: 5000 }).toEqual([])
      await expect.poll(tasks).toEqual([])
      expect(plugins.raw.upstream.requests).toHaveLength(asked)
      expect(await plugins.readMessage(chat)).toMatchObject({ content: 'Hello.', done: true })
    })
  }, 20_000)

  test('what filters do with a conversation ends when its caller leaves', async () => {
    await plugins.withGlobal('waiting', async () => {
      const leaving = new AbortController()
      const body = { model: 'text', messages: [{ id: 'a', role: 'assistant', content: 'linger' }] }
      const asked = fetch(`${plugins.server.url}/api/chat/completed`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${plugins.token}` },
        body: JSON.stringify(body),
        signal: leaving.signal,
      })
      await expect.poll(running, { timeout: 5000 }).toEqual(['function:waiting'])
      leaving.abort()
      await expect(asked).rejects.toThrow(/abort/i)
      await expect.poll(running, { timeout: 5000 }).toEqual([])
    })
  }, 20_000)

  describe('An action', () => {
    const press = async (seconds: string) => {
      const { chat } = await plugins.askInChat('Hello')
      const leaving = new AbortController()
      const body = {
        model: 'text',
        messages: [{ id: chat.id, role: 'assistant', content: seconds }],
        chat_id: chat.chat_id,
        id: chat.id,
      }
      const asked = fetch(`${plugins.server.url}/api/chat/actions/button`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${plugins.token}` },
        body: JSON.stringify(body),
        signal: leaving.signal,
      })
      await expect.poll(running, { timeout: 5000 }).toEqual(['function:button'])
      return { chat, asked, leave: () => leaving.abort() }
    }

    test('goes on when its caller leaves, and what it came to is saved', async () => {
      const { chat, asked, leave } = await press('1')
      leave()
      await expect(asked).rejects.toThrow(/abort/i)
      await expect
        .poll(async () => (await plugins.readMessage(chat)).content, { timeout: 5000 })
        .toBe('written by the action')
      await expect.poll(tasks).toEqual([])
    }, 20_000)

    test('ends with a stop of its task', async () => {
      const { chat, asked } = await press('3600')
      const { task_ids: ids } = (await plugins.api('GET', `../tasks/chat/${chat.chat_id}`)) as {
        task_ids: string[]
      }
      expect(ids).toHaveLength(1)
      await plugins.api('POST', `../tasks/stop/${ids[0]}`)
      expect((await asked).status).toBe(503)
      await expect.poll(running, { timeout: 5000 }).toEqual([])
      expect(await plugins.readMessage(chat)).toMatchObject({ content: 'Hello.' })
    }, 20_000)
  })

  test('a stop of code that blocks ends no call of others that runs, and the plugin is there again at once', async () => {
    await plugins.createTool('blocking', BLOCKING)
    await plugins.createTool('lasting', LASTING)
    const state = async () => (await plugins.api('GET', 'plugins/state')) as PluginState
    const process = (await state()).workers.find(({ plugins: names }) => names.length === 0)!.id
    const run = (id: string, hook: string) =>
      plugins.api('POST', `plugins/tool/${id}/run`, { hook, arguments: {} })
    const lasting = run('lasting', 'last')
    plugins.rounds([callTool('block')], [say('I see.')])
    const { chat, taskId } = await plugins.beginInChat('Block', { tool_ids: ['blocking'] })
    await expect.poll(running, { timeout: 5000 }).toEqual(['tool:lasting', 'tool:blocking'])
    await plugins.api('POST', `../tasks/stop/${taskId}`)
    expect(await plugins.finished(chat)).toMatchObject({ error: { code: 'stopped' } })
    // Time until the gateway concludes that the code does not react.
    await sleep(2500)
    expect(await run('blocking', 'greet')).toMatchObject({ result: { text: 'hello' } })
    expect((await state()).workers.find(({ id }) => id === process)).toBeDefined()
    expect(await lasting).toMatchObject({ status: 'done', result: { text: 'lasted' } })
    await expect
      .poll(async () => (await state()).workers.some(({ id }) => id === process), { timeout: 5000 })
      .toBe(false)
  }, 40_000)

  test('a question goes away with the process of the plugin that asked it, and when the plugin waits no longer', async () => {
    for (const name of ['ask_briefly', 'ask_and_leave']) {
      plugins.rounds([callTool(name)], [say('I see.')])
      const { chat, socket } = await plugins.beginInChat('Ask', { tool_ids: ['asking'] })
      const message = await plugins.finished(chat)
      expect(message).toMatchObject({ content: expect.stringContaining('I see.'), done: true })
      const types = socket.frames.map(({ type }) => type).filter((type) => type.startsWith('call'))
      expect([name, types]).toEqual([name, ['call', 'call:cancel']])
    }
  }, 30_000)

  test('a stop takes back the question whether a pipe may call a tool, and nothing is called', async () => {
    const { settings } = plugins.server.context
    await settings.update({ TOOL_APPROVAL: 'always' })
    onTestFinished(() => settings.update({ TOOL_APPROVAL: null }))
    const { chat, taskId, socket } = await plugins.beginInChat('Leave', {
      model: 'calling',
      tool_ids: ['asking'],
    })
    await expect.poll(() => socket.frames.map(({ type }) => type)).toContain('call')
    await plugins.api('POST', `../tasks/stop/${taskId}`)
    expect(await plugins.finished(chat)).toMatchObject({ error: { code: 'stopped' } })
    await expect.poll(() => socket.frames.map(({ type }) => type)).toContain('call:cancel')
    expect(await plugins.api('GET', `plugins/traces?chat_id=${chat.chat_id}&store=tool`)).toEqual(
      [],
    )
  }, 20_000)

  test('what is switched or deleted while a changed source is loaded stays so', async () => {
    const content = `import time\ntime.sleep(1)\n\nclass Filter:\n    pass\n`
    await plugins.createFunction('changing', 'class Filter:\n    pass\n')
    const change = (mark: string) =>
      plugins.api('POST', 'functions/id/changing/update', {
        id: 'changing',
        name: 'changing',
        content: `${content}# ${mark}\n`,
        meta: {},
      })
    const changed = change('once')
    await expect.poll(running, { timeout: 5000 }).toContain('function:changing')
    await plugins.api('POST', 'functions/id/changing/toggle')
    expect(await changed).toMatchObject({ is_active: false })
    const refused = change('twice').catch(String)
    await expect.poll(running, { timeout: 5000 }).toContain('function:changing')
    await plugins.api('DELETE', 'functions/id/changing/delete')
    expect(await refused).toContain('404')
  }, 20_000)

  test('code that was deleted or switched off ends, and its background tasks with it', async () => {
    const task =
      'import asyncio\n\n\nasync def on():\n    await asyncio.sleep(3600)\n\n\ntask = asyncio.get_event_loop().create_task(on())\n\n\n'
    await plugins.createTool(
      'leaving',
      `${task}class Tools:\n    def work(self):\n        return 'done'\n`,
    )
    await plugins.createFunction('resting', `${task}class Filter:\n    pass\n`)
    await plugins.createTool('seeing', SEEING)
    const loops = async (): Promise<string> => {
      const trace = (await plugins.api('POST', 'plugins/tool/seeing/run', {
        hook: 'see',
        arguments: {},
      })) as { result: { text: string } }
      return trace.result.text
    }
    expect(await loops()).toBe('leaving resting')
    await plugins.api('DELETE', 'tools/id/leaving/delete')
    await expect.poll(loops, { timeout: 5000 }).toBe('resting')
    await plugins.api('POST', 'functions/id/resting/toggle')
    await expect.poll(loops, { timeout: 5000 }).toBe('')
    await plugins.api('POST', 'functions/id/resting/toggle')
    expect(await loops()).toBe('resting')
    await plugins.api('DELETE', 'functions/id/resting/delete')
  }, 20_000)

  test('a stop ends an answer whose filter is still being loaded', async () => {
    writeFileSync(slow, '')
    try {
      await plugins.api('POST', 'plugins/tool/asking/run', { hook: 'leave', arguments: {} })
      await plugins.withGlobal('waiting', async () => {
        const { chat, taskId } = await plugins.beginInChat('Hello')
        await expect.poll(running, { timeout: 5000 }).toEqual(['function:waiting'])
        await plugins.api('POST', `../tasks/stop/${taskId}`)
        expect(await plugins.finished(chat)).toMatchObject({
          content: '',
          error: { code: 'stopped' },
        })
      })
    } finally {
      rmSync(slow)
    }
  }, 30_000)
})
