import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pluginPython } from '../../testing/plugin-python.ts'
import { callTool, say, startPlugins, type PluginServer } from '../../testing/start-plugins.ts'

/** Adds its name in every hook, so that the order is visible. */
const NAMING = (name: string, priority: number) => `
from pydantic import BaseModel


class Filter:
    class Valves(BaseModel):
        priority: int = ${priority}

    def __init__(self):
        self.valves = self.Valves()

    def inlet(self, body):
        body["messages"][-1]["content"] += " ${name}"
        return body

    def stream(self, event):
        for choice in event.get("choices", []):
            if choice["delta"].get("content"):
                choice["delta"]["content"] += " ${name}"
        return event

    def outlet(self, body):
        if "fail" in body["messages"][-1]["content"]:
            raise ValueError("too late")
        body["messages"][-1]["content"] += " (${name})"
        return body
`

const PIPES = `
from starlette.responses import StreamingResponse


class Pipe:
    async def pipe(self, body, __metadata__=None):
        asked = body["messages"][-1]
        if asked["role"] == "tool":
            return f"The tool said {asked['content']}"
        wish = asked["content"]
        if wish == "call":
            return self.calls()
        if wish == "break":
            return self.breaks()
        if wish == "nothing":
            return None
        if wish in ("lines", "response"):
            lines = [b'data: {"choices": [{"delta": {"content": "a "}}]}', b"", b'data: {"choices": [{"delta": {"content": "b"}}]}', b"data: [DONE]"]
            return iter(lines) if wish == "lines" else StreamingResponse(iter(lines), media_type="text/event-stream")
        return [name for name in body if name == "metadata"] and "metadata" or body["model"]

    async def calls(self):
        call = {"index": 0, "id": "c1", "type": "function", "function": {"name": "double", "arguments": '{"number": 4}'}}
        yield {"choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": None}]}
        yield {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}

    def breaks(self):
        yield "a beginning"
        raise RuntimeError("the line went dead")
`

const DOUBLE = `
class Tools:
    def double(self, number: int) -> int:
        return number * 2
`

const BROKEN_LIST = `
class Pipe:
    def pipes(self):
        raise OSError("offline")

    def pipe(self, body):
        return "never"
`

const BUTTON = `"""
title: Button
icon_url: https://icons.example/of-the-manifest.svg
"""
from starlette.responses import HTMLResponse


class Action:
    icon = "https://icons.example/of-the-class.svg"

    async def action(self, body, __user__=None):
        kind = (body.get("event") or {}).get("id", "click")
        if kind == "fail":
            raise ValueError("no paper left")
        if kind == "page":
            return HTMLResponse("<p>printed</p>", headers={"Content-Disposition": "inline"})
        if kind == "paper":
            return HTMLResponse("<p>printed</p>", headers={"Content-Disposition": "inline"}), {"sheets": 2}
        if kind == "jam":
            return HTMLResponse("no paper", status_code=500, headers={"Content-Disposition": "inline"})
        if kind == "text":
            return "printed"
        if kind == "nothing":
            return None
        return {"seen": kind, "message": body["messages"][-1]["id"], "user": type(__user__).__name__}
`

const SPEAKER = `
import json


class Tools:
    async def emit(self, events: str, __event_emitter__=None) -> str:
        for event in json.loads(events):
            await __event_emitter__(event)
        return "sent"
`

type Fields = Record<string, unknown>

describe.skipIf(pluginPython === null)('The contract with plugins', { timeout: 60_000 }, () => {
  let plugins: PluginServer
  beforeAll(async () => {
    plugins = await startPlugins({ LOG_LEVEL: 'silent' })
    await plugins.createTool('doubler', DOUBLE)
    await plugins.createTool('speaker', SPEAKER)
  }, 60_000)
  afterAll(() => plugins.close())

  const contentOf = ({ body }: { body: Fields }): string =>
    (body['choices'] as { message: { content: string } }[])[0]!.message.content
  const asked = (): string =>
    (plugins.lastBody()['messages'] as { content: string }[]).at(-1)!.content

  test('filters run where they are global or the model names them, by priority and then by id', async () => {
    await plugins.createFunction('b_last', NAMING('last', 9))
    await plugins.createFunction('c_first', NAMING('first', -1))
    await plugins.createFunction('a_second', NAMING('second', 3))
    await plugins.createFunction('z_third', NAMING('third', 0))
    await plugins.api('POST', 'functions/id/z_third/valves/update', { priority: 3 })
    const meta = { filterIds: ['b_last', 'a_second', 'z_third', 'unknown'] }
    await plugins.api('POST', 'models/create', {
      id: 'filtered',
      name: 'Filtered',
      base_model_id: 'text',
      meta,
      params: {},
    })
    plugins.rounds([say('Yes')])
    await plugins.withGlobal('c_first', async () => {
      expect(contentOf(await plugins.complete({ model: 'filtered' }))).toBe(
        'Yes first second third last',
      )
      expect(asked()).toBe('Hello first second third last')
      expect(contentOf(await plugins.complete({}))).toBe('Yes first')
      await plugins.api('POST', 'functions/id/a_second/toggle')
      expect(contentOf(await plugins.complete({ model: 'filtered' }))).toBe('Yes first third last')
    })
    for (const id of ['b_last', 'c_first', 'a_second', 'z_third'])
      await plugins.api('DELETE', `functions/id/${id}/delete`)
    await plugins.api('DELETE', 'models/model/delete?id=filtered')
  })

  test('stream hooks see every round of calls, small tasks run no filters, and outlets that fail spoil nothing', async () => {
    await plugins.createFunction('third', NAMING('third', 0))
    await plugins.withGlobal('third', async () => {
      const before = plugins.raw.upstream.requests.length
      plugins.rounds([say('Wait'), callTool('double', { number: 1 })], [say('Two')])
      const { message, chat } = await plugins.askInChat('Double 1', {
        tool_ids: ['doubler'],
        background_tasks: { title_generation: true },
      })
      expect(message.content).toMatch(/^Wait third[\s\S]*Two third/)
      await expect
        .poll(async () => (await plugins.readMessage(chat)).content)
        .toMatch(/ \(third\)$/)
      const tasks = () =>
        plugins.raw.upstream.requests
          .slice(before)
          .filter(({ json }) => json && 'messages' in json && json['stream'] !== true)
      await expect.poll(() => tasks().length).toBeGreaterThan(0)
      for (const { json } of tasks())
        expect((json!['messages'] as { content: string }[]).at(-1)!.content).not.toMatch(/ third$/)

      plugins.rounds([say('It will fail')])
      const failed = await plugins.askInChat('Go')
      await new Promise((resolve) => setTimeout(resolve, 300))
      expect(await plugins.readMessage(failed.chat)).toMatchObject({
        content: 'It will fail third',
        done: true,
      })
      const body = {
        model: 'text',
        messages: [{ id: 'm', role: 'assistant', content: 'fail' }],
        id: 'm',
      }
      await expect(plugins.api('POST', '../chat/completed', body)).rejects.toThrow(
        /400.*Error: too late/,
      )
      const fine = { ...body, messages: [{ id: 'm', role: 'assistant', content: 'Good' }] }
      expect(await plugins.api('POST', '../chat/completed', fine)).toMatchObject({
        messages: [{ content: 'Good (third)' }],
      })
    })
  })

  test('pipes have their tools run, fail in the middle of an answer, and may answer nothing', async () => {
    await plugins.createFunction('works', PIPES)
    await plugins.createFunction('broken_list', BROKEN_LIST)
    const models = (await plugins.api('GET', '../models?refresh=true')) as {
      data: { id: string }[]
    }
    expect(models.data.map(({ id }) => id)).toContain('works')
    expect(models.data.filter(({ id }) => id.startsWith('broken_list'))).toEqual([])
    expect(contentOf(await plugins.complete({ model: 'works' }))).toBe('works')

    const { message } = await plugins.askInChat('call', { model: 'works', tool_ids: ['doubler'] })
    expect(message.content).toMatch(/The tool said 8$/)
    for (const wish of ['lines', 'response'])
      expect((await plugins.askInChat(wish, { model: 'works' })).message).toMatchObject({
        content: 'a b',
        done: true,
      })
    const broken = await plugins.askInChat('break', { model: 'works' })
    expect(broken.message).toMatchObject({
      content: 'a beginning',
      error: { content: expect.stringContaining('the line went dead') },
    })
    const nothing = await plugins.askInChat('nothing', { model: 'works' })
    expect(nothing.message).toMatchObject({ content: '', done: true })
    expect(nothing.message).not.toHaveProperty('error')

    const stream = async (wish: string): Promise<string> => {
      const messages = [{ role: 'user', content: wish }]
      return (await plugins.raw.complete({ model: 'works', messages, stream: true })).text()
    }
    expect(await stream('break')).toMatch(
      /"content":"a beginning"[\s\S]*"error":[\s\S]*the line went dead/,
    )
    expect(await stream('nothing')).toMatch(/"finish_reason":"stop"[\s\S]*data: \[DONE\]/)
  })

  test('actions learn which event they are for, show pages, and say why they failed', async () => {
    await plugins.createFunction('button', BUTTON, { global: true })
    plugins.rounds([say('Printed?')])
    const { chat, socket } = await plugins.askInChat('Hello')
    const body = {
      model: 'text',
      messages: [{ id: chat.id, role: 'assistant' }],
      chat_id: chat.chat_id,
      id: chat.id,
      session_id: socket.sessionId,
    }
    const press = (event?: string, token?: string) =>
      plugins.api(
        'POST',
        '../chat/actions/button',
        { ...body, ...(event && { event: { id: event } }) },
        token,
      )
    expect(await press()).toEqual({ seen: 'click', message: chat.id, user: 'dict' })
    expect(await press('regenerate-response')).toMatchObject({ seen: 'regenerate-response' })
    await expect(press('fail')).rejects.toThrow(/400.*no paper left/)
    expect(await press('page')).toEqual({
      status: 'success',
      code: 'ui_component',
      message: expect.stringMatching(/^[A-Z].*\.$/),
    })
    expect(await press('jam')).toEqual({ status: 'error', code: 500, message: 'no paper' })
    expect(await press('paper')).toEqual({ sheets: 2 })
    expect(await press('text')).toBe('printed')
    expect(await press('nothing')).toBeNull()
    expect(await plugins.readMessage(chat)).toMatchObject({
      embeds: ['<p>printed</p>', '<p>printed</p>'],
    })
    const models = (await plugins.api('GET', '../models')) as {
      data: { id: string; actions: { icon: string }[] }[]
    }
    expect(models.data.find(({ id }) => id === 'text')!.actions).toMatchObject([
      { icon: 'https://icons.example/of-the-manifest.svg' },
    ])
    await expect(press('click', await plugins.addUser('Bob'))).rejects.toThrow(/40[34]/)
    await plugins.api('POST', 'functions/id/button/toggle')
    await expect(press()).rejects.toThrow('404')
  })

  test('events append, and replace where they say so; those of the host go to the window only', async () => {
    const emit = async (...events: Fields[]) => {
      plugins.rounds([callTool('emit', { events: JSON.stringify(events) })], [say('end')])
      return plugins.askInChat('Go', { tool_ids: ['speaker'] })
    }
    const embeds = (list: string[], more: Fields = {}) => ({
      type: 'embeds',
      data: { embeds: list, ...more },
    })
    const file = (url: string) => ({ type: 'files', data: { files: [{ type: 'image', url }] } })
    const { message } = await emit(
      embeds(['<p>a</p>']),
      embeds(['<p>b</p>']),
      file('/a.png'),
      file('/b.png'),
    )
    expect(message).toMatchObject({
      embeds: ['<p>a</p>', '<p>b</p>'],
      files: [{ url: '/a.png' }, { url: '/b.png' }],
    })
    expect(
      (await emit(embeds(['<p>a</p>']), embeds(['<p>b</p>'], { replace: true }))).message['embeds'],
    ).toEqual(['<p>b</p>'])
    expect(
      (await emit(embeds(['<p>a</p>']), embeds([], { replace: true }))).message['embeds'] ?? [],
    ).toEqual([])

    const run = (code: string) => ({
      type: 'source',
      data: { type: 'code_execution', id: 'run', name: 'run', code },
    })
    const executed = await emit(run('1'), run('2'))
    expect(executed.message).toMatchObject({ code_executions: [{ id: 'run', code: '2' }] })
    expect(executed.message['sources'] ?? []).toEqual([])

    const error = { type: 'chat:message:error', data: { error: { content: 'only shown' } } }
    const followUps = { type: 'chat:message:follow_ups', data: { follow_ups: ['only shown?'] } }
    const shown = await emit(error, followUps)
    const types = shown.socket.frames.map(({ data }) => data?.type)
    expect(types).toEqual(expect.arrayContaining(['chat:message:error', 'chat:message:follow_ups']))
    const { output: _output, content: _content, ...stored } = shown.message as unknown as Fields
    expect(JSON.stringify(stored)).not.toContain('only shown')
  })
})
