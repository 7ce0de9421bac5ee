import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import type { LocalRuntime } from '#contract/connections.ts'
import { startFakeCompatible } from '../../testing/fake-upstream/fake-compatible.ts'
import { startFakeRuntime } from '../../testing/fake-upstream/fake-runtime.ts'
import { startTestServer } from '../../testing/start-server.ts'
import { readRuntimePorts } from './local-runtimes.ts'

const opened: { close(): Promise<void> }[] = []
const keep = <Item extends { close(): Promise<void> }>(item: Item): Item => {
  opened.push(item)
  return item
}
afterEach(async () => {
  for (const item of opened.splice(0).toReversed()) await item.close()
})

const portOf = (url: string): number => Number(new URL(url).port)

it('finds the programs of this computer that serve models, until they are connected', async () => {
  const runtime = keep(await startFakeRuntime())
  const compatible = keep(await startFakeCompatible({ models: ['a', 'b'] }))
  const locked = keep(await startFakeCompatible({ models: ['c'], key: 'needs-a-key' }))
  const ports = [runtime, compatible, locked].map(({ url }) => portOf(url))
  const server = keep(
    await startTestServer({ environment: { LOCAL_RUNTIME_PORTS: ports.join(', ') } }),
  )
  const token = await server.signUp('Ada')
  const look = async (): Promise<LocalRuntime[]> => {
    const reply = await server.call('GET', '/api/v1/connections/local', { token })
    return (await reply.json()) as LocalRuntime[]
  }
  const before = compatible.requests.length
  await server.call('GET', '/api/v1/connections', { token })
  expect(compatible.requests.length).toBe(before)
  const found = await look()
  expect(found).toMatchObject([
    { kind: 'runtime', name: `Port ${ports[0]}`, url: `http://127.0.0.1:${ports[0]}` },
    { kind: 'compatible', url: `http://127.0.0.1:${ports[1]}/v1`, model_count: 2 },
  ])
  const { kind, name, url } = found[1]!
  await server.call('POST', '/api/v1/connections', { token, body: { kind, name, url } })
  expect((await look()).map(({ kind: each }) => each)).toEqual(['runtime'])
})

it('leaves out what is closed, and what takes connections and says nothing', async () => {
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  keep({
    close: async () => {
      silent.closeAllConnections()
      silent.close()
    },
  })
  const server = keep(await startTestServer({ environment: { LOCAL_RUNTIME_PORTS: `1;${port}` } }))
  const token = await server.signUp('Ada')
  const reply = await server.call('GET', '/api/v1/connections/local', { token })
  expect([reply.status, await reply.json()]).toEqual([200, []])
})

it('looks at the usual ports, at those named, or nowhere', () => {
  expect(readRuntimePorts({})).toContain(11_434)
  expect(readRuntimePorts({ LOCAL_RUNTIME_PORTS: '' })).toEqual([])
  expect(readRuntimePorts({ LOCAL_RUNTIME_PORTS: '8080, 9 nonsense;70000;8080' })).toEqual([
    8080, 9,
  ])
})
