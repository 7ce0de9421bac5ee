import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PluginTrace } from '#contract/plugins.ts'
import { pluginPython } from '../testing/plugin-python.ts'
import { callTool, say, startPlugins, type PluginServer } from '../testing/start-plugins.ts'

const TOOL = `"""
title: Weather
author: somebody
version: 1.2
"""

from pydantic import BaseModel, Field


class Tools:
    class Valves(BaseModel):
        unit: str = Field(default="degrees", description="What is counted")
        key: str = Field(default="", json_schema_extra={"input": {"type": "password"}})

    class UserValves(BaseModel):
        greeting: str = "Hello"

    def __init__(self):
        self.valves = self.Valves()

    async def get_weather(self, city: str, days: int = 1, __user__=None, __event_emitter__=None, __metadata__=None) -> str:
        """
        Says how warm it is.
        :param city: Name of the city
        """
        await __event_emitter__({"type": "status", "data": {"description": f"Looking at {city}", "done": True}})
        await __event_emitter__({"type": "source", "data": {"source": {"name": "almanac"}, "document": ["warm"], "metadata": [{"source": "almanac"}]}})
        print("asked by", __user__["name"])
        return f"{__user__['valves'].greeting} {__user__['name']}: 12 {self.valves.unit} in {city} for {days + 1}, {__metadata__.get('mark')}"

    def broken(self):
        raise ValueError("the oven is cold")
`

const FILTER = `class Filter:
    def __init__(self):
        self.seen = []

    def inlet(self, body, __user__=None, __metadata__=None):
        __metadata__["mark"] = "marked"
        body["messages"][-1]["content"] += f" (asked by {__user__['name']})"
        body["temperature"] = 0.5
        if "forbidden" in body["messages"][-1]["content"]:
            raise Exception("This word is not allowed.")
        return body

    def stream(self, event):
        for choice in event["choices"]:
            content = choice["delta"].get("content")
            if content == "secret":
                return None
            if content:
                choice["delta"]["content"] = content.upper()
        return event

    async def outlet(self, body, __event_emitter__=None):
        await __event_emitter__({"type": "notification", "data": {"type": "info", "content": "looked at"}})
        body["messages"][-1]["content"] += " [seen]"
        return body
`

const PIPE = `from pydantic import BaseModel
import asyncio


class Pipe:
    class Valves(BaseModel):
        models: str = "first,second.with/dots"

    def __init__(self):
        self.valves = self.Valves()
        self.name = "Many: "

    def pipes(self):
        return [{"id": id, "name": id.title()} for id in self.valves.models.split(",")]

    async def pipe(self, body, __user__=None, __task__=None, __event_emitter__=None, __tools__=None):
        if "tools" in body["messages"][-1]["content"]:
            tool = __tools__["get_weather"]
            return await tool["callable"](city="Oslo")
        if "fail" in body["messages"][-1]["content"]:
            raise RuntimeError("no luck today")
        if "events" in body["messages"][-1]["content"]:
            await __event_emitter__({"type": "message", "data": {"content": "by event"}})
            return ""
        return self.write(body, __task__)

    async def write(self, body, task):
        yield f"{body['model']} "
        yield {"choices": [{"index": 0, "delta": {"content": f"{task} "}}]}
        yield 'data: {"choices": [{"index": 0, "delta": {"content": "raw "}}]}\\n\\n'
        if "endless" in body["messages"][-1]["content"]:
            while True:
                await asyncio.sleep(0.01)
                yield "on "
        yield "done"
`

const ACTION = `class Action:
    actions = [{"id": "ask", "name": "Ask"}, {"id": "page", "name": "Page"}]

    async def action(self, body, __id__=None, __event_call__=None, __user__=None):
        if __id__ == "page":
            from starlette.responses import HTMLResponse
            return HTMLResponse("<p>page</p>", headers={"Content-Disposition": "inline"})
        name = await __event_call__({"type": "input", "data": {"title": "Name?", "message": "", "placeholder": ""}})
        return {"messages": [{"id": body["id"], "content": f"Hello {name}"}]}
`

describe.skipIf(pluginPython === null)('Plugins of each kind over HTTP and the socket', () => {
  let plugins: PluginServer
  beforeAll(async () => {
    plugins = await startPlugins()
    await plugins.createTool('weather', TOOL)
    await plugins.createFunction('shout', FILTER, { global: false })
    await plugins.createFunction('many', PIPE)
    await plugins.createFunction('buttons', ACTION, { global: true })
  }, 60_000)
  afterAll(() => plugins.close())

  test('a tool is called with valves, user valves, mended arguments and what a filter left in the metadata', async () => {
    await plugins.api('POST', 'tools/id/weather/valves/update', {
      unit: 'kelvin',
      key: 'sk-very-secret',
    })
    await plugins.api('POST', 'tools/id/weather/valves/user/update', { greeting: 'Hi' })
    await plugins.withGlobal('shout', async () => {
      plugins.rounds(
        [callTool('get_weather', { city: 'Oslo', days: '2', made_up: 1 })],
        [say('fine')],
      )
      const { chat, message } = await plugins.askInChat('How warm?', {
        tool_ids: ['weather', 'no_such_tool'],
      })
      expect(plugins.toolTexts()).toEqual(['Hi Ada: 12 kelvin in Oslo for 3, marked'])
      expect(message).toMatchObject({ sources: [{ source: { name: 'almanac' } }], done: true })
      expect(message['statusHistory']).toContainEqual({
        description: 'Looking at Oslo',
        done: true,
      })
      expect(message.content).toContain('FINE')
      await expect
        .poll(async () => (await plugins.readMessage(chat)).content)
        .toContain('FINE [seen]')
      const traces = (await plugins.api(
        'GET',
        `plugins/traces?chat_id=${chat.chat_id}&store=tool`,
      )) as PluginTrace[]
      expect(traces).toMatchObject([
        { hook: 'get_weather', status: 'done', logs: [{ stream: 'stdout', line: 'asked by Ada' }] },
      ])
      expect(JSON.stringify(traces)).not.toContain('sk-very-secret')
    })
    const stored = await plugins.rawValves('weather')
    expect(stored).not.toContain('sk-very-secret')
  })

  test('what a tool throws is told to the model, and to the person with the line of the source', async () => {
    plugins.rounds([callTool('broken')], [say('I see.')])
    await plugins.askInChat('Try', { tool_ids: ['weather'] })
    expect(plugins.toolTexts()).toEqual(['the oven is cold'])
    const [trace] = (await plugins.api('GET', 'plugins/traces?store=tool')) as PluginTrace[]
    expect(trace).toMatchObject({
      status: 'failed',
      error: { type: 'ValueError', message: 'the oven is cold', line: 32 },
    })
    expect(trace!.error!.traceback).toContain('raise ValueError')
  })

  test('a filter changes the request, drops chunks and refuses with its own words', async () => {
    await plugins.withGlobal('shout', async () => {
      plugins.rounds([say('say'), say('secret'), say('it')])
      const reply = await plugins.complete({
        messages: [{ role: 'user', content: 'Hello' }],
        metadata: { mine: 'x' },
      })
      expect(reply.body).toMatchObject({ choices: [{ message: { content: 'SAYIT' } }] })
      expect(plugins.lastBody()).toMatchObject({ temperature: 0.5, metadata: { mine: 'x' } })
      expect(JSON.stringify(plugins.lastBody())).toContain('Hello (asked by Ada)')
      const refused = await plugins.complete({ messages: [{ role: 'user', content: 'forbidden' }] })
      expect(refused).toMatchObject({ status: 400, body: { detail: 'This word is not allowed.' } })
    })
    plugins.rounds([say('plain')])
    const after = await plugins.complete({ messages: [{ role: 'user', content: 'Hello' }] })
    expect(after.body).toMatchObject({ choices: [{ message: { content: 'plain' } }] })
  })

  test('a filter with a switch runs only where the request names it, and the model list shows it', async () => {
    const source = FILTER.replace('self.seen = []', 'self.toggle = True')
    await plugins.createFunction('switched', source, { global: true })
    plugins.rounds([say('a')])
    expect((await plugins.complete({})).body).toMatchObject({
      choices: [{ message: { content: 'a' } }],
    })
    expect((await plugins.complete({ filter_ids: ['switched'] })).body).toMatchObject({
      choices: [{ message: { content: 'A' } }],
    })
    const models = (await plugins.api('GET', '../models')) as {
      data: { id: string; filters: unknown[]; actions: unknown[] }[]
    }
    const text = models.data.find(({ id }) => id === 'text')!
    expect(text.filters).toMatchObject([{ id: 'switched' }])
    expect(text.actions).toMatchObject([{ id: 'buttons.ask' }, { id: 'buttons.page' }])
    await plugins.api('DELETE', 'functions/id/switched/delete')
  })

  test('a pipe offers its models and writes answers in every form', async () => {
    const models = (await plugins.api('GET', '../models?refresh=true')) as {
      data: { id: string; name: string; pipe?: unknown }[]
    }
    expect(models.data.filter(({ id }) => id.startsWith('many.'))).toMatchObject([
      { id: 'many.first', name: 'Many: First', pipe: { type: 'pipe' } },
      { id: 'many.second.with/dots' },
    ])
    const whole = await plugins.complete({ model: 'many.second.with/dots' })
    expect(whole.body).toMatchObject({
      choices: [
        { message: { content: 'many.second.with/dots None raw done' }, finish_reason: 'stop' },
      ],
    })
    const failed = await plugins.complete({
      model: 'many.first',
      messages: [{ role: 'user', content: 'fail' }],
    })
    expect(failed).toMatchObject({ status: 502, body: { detail: 'many: no luck today' } })
    const tools = await plugins.complete({
      model: 'many.first',
      messages: [{ role: 'user', content: 'tools' }],
      tool_ids: ['weather'],
    })
    expect(JSON.stringify(tools.body)).toContain('12 kelvin in Oslo')
    const { message } = await plugins.askInChat('events', { model: 'many.first' })
    expect(message).toMatchObject({ content: 'by event', done: true })
  })

  test('a pipe of a request without tools is given no tools, not None', async () => {
    await plugins.createFunction(
      'counting',
      `class Pipe:
    async def pipe(self, body, __tools__):
        return f"{len(__tools__.items())} tools"
`,
    )
    const { body } = await plugins.complete({ model: 'counting' })
    expect(body).toMatchObject({ choices: [{ message: { content: '0 tools' } }] })
  })

  test('stopping ends a pipe that would go on for ever', async () => {
    const { chat, taskId } = await plugins.beginInChat('endless', { model: 'many.first' })
    await expect
      .poll(async () => (await plugins.readMessage(chat)).content.length, { timeout: 10_000 })
      .toBeGreaterThan(20)
    await plugins.api('POST', `../tasks/stop/${taskId}`)
    expect(await plugins.finished(chat)).toMatchObject({ done: true, error: { code: 'stopped' } })
    await expect
      .poll(
        async () =>
          ((await plugins.api('GET', 'plugins/traces?plugin_id=many')) as PluginTrace[])[0]!.status,
        { timeout: 5000 },
      )
      .toBe('cancelled')
  })

  test('an action asks the window it came from, and what it changes is stored', async () => {
    plugins.rounds([say('before')])
    const { chat, socket } = await plugins.askInChat('Hello')
    socket.answerCalls(() => 'Bob')
    const body = {
      model: 'text',
      messages: [],
      chat_id: chat.chat_id,
      id: chat.id,
      session_id: socket.sessionId,
    }
    expect(await plugins.api('POST', '../chat/actions/buttons.ask', body)).toMatchObject({
      messages: [{ content: 'Hello Bob' }],
    })
    expect(await plugins.readMessage(chat)).toMatchObject({ content: 'Hello Bob' })
    await expect(plugins.api('POST', '../chat/actions/buttons.none', body)).rejects.toThrow('404')
  })

  test('code that does not load is refused with what Python said, and nothing is stored', async () => {
    await expect(
      plugins.createTool('wrong', 'class Tools:\n    def f(self:\n        pass\n'),
    ).rejects.toThrow(/400.*line 2/)
    await expect(
      plugins.createTool('wrong', 'import no_such_module\nclass Tools:\n    pass\n'),
    ).rejects.toThrow(/400.*no_such_module/)
    await expect(plugins.createTool('wrong', 'x = 1\n')).rejects.toThrow('400')
    await expect(plugins.createTool('weather', TOOL)).rejects.toThrow(/400.*taken/)
    await expect(plugins.api('GET', 'tools/id/wrong')).rejects.toThrow('404')
  })

  test('what an import would do is said without running it', async () => {
    const head =
      '"""\ntitle: X\nrequired_open_webui_version: 99.0.0\nrequirements: yfinance, -e evil, asyncio\n"""\n'
    const content = `${head}import json\nimport yfinance\nimport no_such_module\nraise SystemExit\nclass Filter:\n    pass\n`
    expect(
      await plugins.api('POST', 'plugins/inspect', { store: 'function', content }),
    ).toMatchObject({
      kind: 'filter',
      requirements: ['yfinance'],
      refused: [{ line: '-e evil' }],
      imports: [
        { module: 'json', found: 'yes' },
        { module: 'yfinance', found: 'requirement' },
        { module: 'no_such_module', found: 'no' },
      ],
      warnings: [expect.stringContaining('no_such_module'), expect.stringContaining('99.0.0')],
      problem: null,
    })
    const broken = await plugins.api('POST', 'plugins/inspect', {
      store: 'tool',
      content: 'class Tools\n',
    })
    expect(broken).toMatchObject({ problem: expect.stringContaining('line 1') })
  })

  test('settings that do not fit are refused with the reason', async () => {
    await expect(
      plugins.api('POST', 'tools/id/weather/valves/update', { unit: 7 }),
    ).rejects.toThrow(/400.*unit: Input should be a valid string/)
  })

  test('the console runs a function once and shows what happened', async () => {
    const trace = await plugins.api('POST', 'plugins/tool/weather/run', {
      hook: 'get_weather',
      arguments: { city: 'Rome' },
    })
    expect(trace).toMatchObject({
      status: 'done',
      result: { text: expect.stringContaining('Rome') },
      events: [{ type: 'status' }, { type: 'source' }],
    })
    const failed = await plugins.api('POST', 'plugins/tool/weather/run', { hook: 'broken' })
    expect(failed).toMatchObject({ status: 'failed', error: { message: 'the oven is cold' } })
  })
})
