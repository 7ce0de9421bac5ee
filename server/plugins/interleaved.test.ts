import { afterAll, beforeAll, expect, describe, test } from 'vitest'
import { pluginPython } from '../testing/plugin-python.ts'
import { callTool, say, startPlugins, type PluginServer } from '../testing/start-plugins.ts'

/** Stores everything it receives on itself, as community plugins do. */
const TOOL = `import asyncio
from pydantic import BaseModel


class Tools:
    class UserValves(BaseModel):
        mark: str = ""

    async def whoami(self, number: int, __user__=None, __event_emitter__=None, __metadata__=None) -> str:
        self.__user__ = __user__
        self.emitter = __event_emitter__
        self.metadata = __metadata__
        seen = set()
        for _ in range(4):
            await asyncio.sleep(0.003)
            await self.emitter({"type": "status", "data": {"description": f"{self.__user__['name']} {number}", "done": True}})
            seen.add((self.__user__["name"], self.__user__["valves"].mark, self.metadata["user_id"]))
        (name, mark, user_id), = seen
        return f"{name} {mark} {user_id} {number}"
`

const FILTER = `class Filter:
    async def inlet(self, body, __user__=None):
        self.__user__ = __user__
        return body

    def stream(self, event):
        for choice in event["choices"]:
            if choice["delta"].get("content"):
                choice["delta"]["content"] += self.__user__["name"]
        return event
`

const CALLS = 50

describe.skipIf(pluginPython === null)('Fifty interleaved calls of two people', () => {
  let plugins: PluginServer
  beforeAll(async () => {
    plugins = await startPlugins()
    await plugins.createTool('who', TOOL)
    await plugins.createFunction('name', FILTER, { global: true })
  }, 60_000)
  afterAll(() => plugins.close())

  test('nobody ever sees anything of the other one', async () => {
    const { token } = plugins
    const bob = await plugins.addUser('Bob')
    await plugins.api('POST', 'tools/id/who/access/update', {
      access_grants: [{ principal_type: 'user', principal_id: '*', permission: 'read' }],
    })
    const people = [
      {
        name: 'Ada',
        token,
        mark: 'red',
        id: ((await plugins.api('GET', 'auths/')) as { id: string }).id,
      },
      {
        name: 'Bob',
        token: bob,
        mark: 'blue',
        id: ((await plugins.api('GET', 'auths/', undefined, bob)) as { id: string }).id,
      },
    ]
    for (const person of people)
      await plugins.api(
        'POST',
        'tools/id/who/valves/user/update',
        { mark: person.mark },
        person.token,
      )
    plugins.rounds([callTool('whoami', { number: 7 })], [say('by ')])
    const asked = Array.from({ length: CALLS }, async (_, index) => {
      const person = people[index % people.length]!
      const chat = await plugins.createChat('Who?', { token: person.token })
      const body = {
        model: 'text',
        messages: [{ role: 'user', content: 'Who?' }],
        tool_ids: ['who'],
        chat_id: chat.chat_id,
        id: chat.id,
      }
      const reply = await plugins.raw.complete(body, { token: person.token })
      expect(reply.status).toBe(200)
      await reply.text()
      return { person, message: await plugins.finished(chat, person.token) }
    })
    for (const { person, message } of await Promise.all(asked)) {
      const told = JSON.stringify(message['output'])
      expect(told).toContain(`${person.name} ${person.mark} ${person.id} 7`)
      expect(message.content).toMatch(new RegExp(`by ${person.name}$`))
      const statuses = (message['statusHistory'] as { description: string }[])
        .map(({ description }) => description)
        .filter((text) => text.endsWith(' 7'))
      expect(statuses).toEqual(Array.from({ length: 4 }, () => `${person.name} 7`))
    }
  }, 60_000)
})
