import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pluginEnvironment, pluginPython } from '../testing/plugin-python.ts'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'

const TOOL = `"""
title: Weather
version: 1.2
"""

from pydantic import BaseModel


class Tools:
    class Valves(BaseModel):
        unit: str = "degrees"

    def __init__(self):
        self.valves = self.Valves()

    async def get_weather(self, city: str, __user__=None, __event_emitter__=None) -> str:
        """
        Says how warm it is.
        :param city: Name of the city
        """
        await __event_emitter__({"type": "status", "data": {"description": f"Looking at {city}", "done": True}})
        print("asked by", __user__["name"])
        return f"12 {self.valves.unit} in {city}"
`

const FILTER = `class Filter:
    def inlet(self, body, __user__=None):
        body["messages"][-1]["content"] += f" (asked by {__user__['name']})"
        return body

    def stream(self, event):
        for choice in event["choices"]:
            if choice["delta"].get("content"):
                choice["delta"]["content"] = choice["delta"]["content"].upper()
        return event

    def outlet(self, body):
        body["messages"][-1]["content"] += " [seen]"
        return body
`

describe.skipIf(pluginPython === null)('A tool and a filter', () => {
  let conversation: Conversation
  const bodies = (): Record<string, unknown>[] =>
    conversation.upstream.requests
      .map(({ json }) => json ?? {})
      .filter((body) => 'messages' in body)
  beforeAll(async () => {
    conversation = await startConversation({ environment: pluginEnvironment })
  })
  afterAll(() => conversation.close())

  test('are made over the API and take part in a chat', async () => {
    const { server, token } = conversation
    const created = await server.call('POST', '/api/v1/tools/create', {
      token,
      body: { id: 'Weather', name: 'Weather', content: TOOL },
    })
    expect(await created.json()).toMatchObject({
      id: 'weather',
      specs: [{ name: 'get_weather' }],
      meta: { manifest: { title: 'Weather' } },
    })
    const filter = await server.call('POST', '/api/v1/functions/create', {
      token,
      body: { id: 'shout', name: 'Shout', content: FILTER },
    })
    expect(await filter.json()).toMatchObject({ id: 'shout', type: 'filter', is_active: false })
    await server.call('POST', '/api/v1/functions/id/shout/toggle', { token })
    await server.call('POST', '/api/v1/functions/id/shout/toggle/global', { token })
    const reply = await conversation.complete({
      model: 'text',
      messages: [{ role: 'user', content: 'Hello' }],
      tool_ids: ['weather'],
      stream: false,
    })
    const answer = (await reply.json()) as { choices: { message: { content: string } }[] }
    expect(answer.choices[0]!.message.content).toMatch(/^[^a-z]+$/)
    expect(JSON.stringify(bodies().at(-1))).toContain('Hello (asked by Ada)')
    expect(JSON.stringify(bodies().at(-1))).toContain('get_weather')
    const traces = await (await server.call('GET', '/api/v1/plugins/traces', { token })).json()
    expect(traces).toMatchObject([{ hook: 'stream' }, { hook: 'inlet', status: 'done' }])
  }, 60_000)
})
