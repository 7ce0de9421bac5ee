import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pluginPython } from '../../testing/plugin-python.ts'
import { startPlugins, type PluginServer } from '../../testing/start-plugins.ts'

/** Relays the lines of an upstream; the question selects the form and the last item. */
const PIPE = `import json
from starlette.responses import StreamingResponse

TEXT = 'data: {"choices": [{"index": 0, "delta": {"content": "Partial"}, "finish_reason": null}]}'
FINISH = 'data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "length"}]}'
LAST = {
    "nothing": [TEXT],
    "finish": [TEXT, FINISH],
    "mark": [TEXT, "data: [DONE]"],
    "half": [TEXT, 'data: {"choices": [{"index": 0, "delta": {"content": "lost'],
    "plain": ["Some text ", "of its own"],
    "dicts": [json.loads(TEXT[6:])],
    "raise": [TEXT],
    "named": [TEXT, "event: error", 'data: {"message": "overloaded"}'],
}


class Pipe:
    async def pipe(self, body):
        form, last = body["messages"][-1]["content"].split()
        if form == "response":
            return StreamingResponse(self.write(last, "\\n\\n"), media_type="text/event-stream")
        return self.write(last, "") if form == "generator" else self.write_at_once(last)

    async def write(self, last, end):
        for line in LAST[last]:
            yield line + end if end else line
        if last == "raise":
            raise RuntimeError("the other side broke off")

    def write_at_once(self, last):
        yield from LAST[last]
        if last == "raise":
            raise RuntimeError("the other side broke off")
`

describe.skipIf(pluginPython === null)('A pipe that hands on the answer of another side', () => {
  let plugins: PluginServer
  beforeAll(async () => {
    plugins = await startPlugins()
    await plugins.createFunction('relaying', PIPE)
  }, 60_000)
  afterAll(() => plugins.close())

  const ask = async (form: string, last: string) => {
    const { message } = await plugins.askInChat(`${form} ${last}`, { model: 'relaying' })
    return message
  }

  // The contract: after the items of a generator the host writes the finish reason and the end
  // mark.
  test.each(['generator', 'iterator'])(
    'has ended when its %s has, whatever that gave out last',
    async (form) => {
      for (const last of ['nothing', 'finish', 'mark', 'dicts']) {
        expect(await ask(form, last), last).toMatchObject({ content: 'Partial', done: true })
        expect(await ask(form, last), last).not.toHaveProperty('error')
      }
      expect(await ask(form, 'plain')).toMatchObject({
        content: 'Some text of its own',
        done: true,
      })
    },
  )

  // The contract: the body of a response is passed unchanged, so it has to contain its own end.
  test('has ended when the body of its response says so', async () => {
    for (const last of ['finish', 'mark']) {
      const message = await ask('response', last)
      expect(message, last).toMatchObject({ content: 'Partial', done: true })
      expect(message, last).not.toHaveProperty('error')
    }
    expect(await ask('response', 'nothing')).toMatchObject({
      content: 'Partial',
      done: true,
      error: { code: 'upstream_incomplete' },
    })
  })

  test.each(['generator', 'iterator', 'response'])(
    'tells a break of its %s and gives on no half event',
    async (form) => {
      const broken = await ask(form, 'raise')
      expect(broken).toMatchObject({ content: 'Partial', error: { code: 'pipe_failed' } })
      expect(JSON.stringify(broken)).toContain('the other side broke off')
      expect(await ask(form, 'half')).toMatchObject({
        content: 'Partial',
        error: { code: 'upstream_incomplete' },
      })
    },
  )

  test.each(['generator', 'iterator'])(
    'tells an error whose name its %s gives out as a line of its own',
    async (form) => {
      const told = await ask(form, 'named')
      expect(told).toMatchObject({ content: 'Partial', error: { code: 'pipe_failed' } })
      expect(JSON.stringify(told)).toContain('overloaded')
    },
  )

  test('says so to a caller without a chat', async () => {
    const messages = [{ role: 'user', content: 'response nothing' }]
    const whole = await plugins.complete({ model: 'relaying', messages })
    expect(whole).toMatchObject({ status: 502, body: { error: { code: 'upstream_incomplete' } } })
    expect(
      await plugins.complete({
        model: 'relaying',
        messages: [{ role: 'user', content: 'generator nothing' }],
      }),
    ).toMatchObject({
      status: 200,
      body: { choices: [{ message: { content: 'Partial' }, finish_reason: 'stop' }] },
    })
  })
})
