import { expect, onTestFinished, vi } from 'vitest'
import { startFakeCompatible } from './fake-upstream/fake-compatible.ts'
import { call, type Frame } from './start-replicas.ts'
import type { GatewayProcess } from './start-process.ts'
import type { GatewaysInTest } from './sign-in-across-gateways.ts'

/** Time after which a change must have arrived everywhere. */
const SEEN = { timeout: 2000, interval: 25 }

async function send(
  gateway: GatewayProcess,
  token: string,
  request: readonly [string, string, unknown?],
): Promise<Frame> {
  const reply = await call(gateway, token, request)
  expect([request[1], reply.status, reply.body]).toEqual([request[1], 200, reply.body])
  return reply.body
}

/** Changes a connection on one gateway, and asks the others for its models. */
export async function changeConnection({ three, admin }: GatewaysInTest): Promise<void> {
  const [first, ...others] = three.gateways as [GatewayProcess, ...GatewayProcess[]]
  const upstream = await startFakeCompatible({ models: ['far-1'] })
  onTestFinished(() => upstream.close())
  const modelsOf = async (gateway: GatewayProcess): Promise<string[]> =>
    (await send(gateway, admin, ['GET', '/api/models'])).data.map(({ id }: Frame) => id)
  const everywhere = (check: (models: string[]) => void) =>
    vi.waitFor(async () => {
      for (const each of others) check(await modelsOf(each))
    }, SEEN)
  const body = { kind: 'compatible', name: 'Far', url: upstream.url, key: 'first-key' }
  for (const each of others) expect(await modelsOf(each)).not.toContain('far-1')

  const { id } = await send(first, admin, ['POST', '/api/v1/connections', body])
  await everywhere((models) => expect(models).toContain('far-1'))

  const place = `/api/v1/connections/${id}`
  const change = (changes: object) =>
    send(first, admin, ['POST', place, { ...body, key: 'second-key', ...changes }])
  await change({})
  const messages = [{ role: 'user', content: 'Hello' }]
  const keyOf = async (gateway: GatewayProcess): Promise<string | undefined> => {
    await send(gateway, admin, ['POST', '/api/chat/completions', { model: 'far-1', messages }])
    return upstream.requests.findLast(({ path }) => path.endsWith('/chat/completions'))!.headers
      .authorization
  }
  await vi.waitFor(async () => {
    for (const each of others) expect(await keyOf(each)).toBe('Bearer second-key')
  }, SEEN)

  await change({ prefix_id: 'far' })
  await everywhere((models) => expect(models).toContain('far.far-1'))
  await change({ enabled: false })
  await everywhere((models) => expect(models).not.toContain('far.far-1'))
  await change({})
  await everywhere((models) => expect(models).toContain('far-1'))
  await send(first, admin, ['DELETE', place])
  await everywhere((models) => expect(models).not.toContain('far-1'))
}

const writeTool = (word: string): string => `from pydantic import BaseModel


class Tools:
    class Valves(BaseModel):
        shared: str = "unset"

    class UserValves(BaseModel):
        own: str = "unset"

    def __init__(self):
        self.valves = self.Valves()

    def tell(self, text: str, __user__: dict) -> str:
        """Tells how it is set."""
        return f"${word} {self.valves.shared} {__user__['valves'].own}"
`

/** Changes the code and the settings of a tool on one gateway, and uses it on the others. */
export async function changePlugin({ three, admin }: GatewaysInTest): Promise<void> {
  const [first, ...others] = three.gateways as [GatewayProcess, ...GatewayProcess[]]
  const tool = { id: 'teller', name: 'Teller', meta: { description: 'Tells' } }
  const messages = [{ role: 'user', content: 'Use tell' }]
  const body = { model: 'cloud-1', messages, tool_ids: [tool.id] }
  const tellOn = async (gateway: GatewayProcess): Promise<string> => {
    await send(gateway, admin, ['POST', '/api/chat/completions', body])
    const sent = three.world.model.requests.at(-1)!.json!['messages'] as Frame[]
    return sent.find(({ role }) => role === 'tool')?.content as string
  }
  const everywhere = (text: string) =>
    vi.waitFor(async () => {
      for (const each of others) expect(await tellOn(each)).toBe(text)
    }, SEEN)
  const place = `/api/v1/tools/id/${tool.id}`
  const made = { ...tool, content: writeTool('one') }
  await send(first, admin, ['POST', '/api/v1/tools/create', made])
  // A gateway starts the process of a plugin at its first use.
  for (const each of others)
    await vi.waitFor(async () => expect(await tellOn(each)).toBe('one unset unset'), 30_000)

  await send(first, admin, ['POST', `${place}/valves/update`, { shared: 'high' }])
  await everywhere('one high unset')
  await send(first, admin, ['POST', `${place}/valves/user/update`, { own: 'mine' }])
  await everywhere('one high mine')
  await send(first, admin, ['POST', `${place}/update`, { ...made, content: writeTool('two') }])
  await everywhere('two high mine')
  await send(first, admin, ['DELETE', `${place}/delete`])
  await vi.waitFor(async () => {
    for (const each of others) expect(await tellOn(each)).toBeUndefined()
  }, SEEN)
}
