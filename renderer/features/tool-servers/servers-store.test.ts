import { afterEach, expect, it, vi } from 'vitest'
import type { ToolServerInput } from '#contract/tool-servers.ts'
import { fakeGateway, refusal, type SeenCall } from '../../testing/fake-gateway.ts'
import { NEW_SERVER, toInput } from './server-draft.ts'
import {
  changeServers,
  createServersStore,
  putServer,
  toggleServer,
  withoutServer,
} from './servers-store.ts'

afterEach(() => vi.unstubAllGlobals())

const LIST = 'POST /api/v1/configs/tool_servers'
const server = (id: string): ToolServerInput =>
  toInput({ ...NEW_SERVER, id, name: id, url: `https://${id}.example` })
const stored = (ids: readonly string[]) =>
  ids.map((id) => ({ ...server(id), config: { ...server(id).config, enable: true } }))

function setUp(...ids: string[]) {
  const store = createServersStore()
  store.setState({ items: stored(ids) as never, status: 'ready' })
  const gateway = fakeGateway({
    [LIST]: ({ body }: SeenCall) => body,
    'GET /api/v1/tool_servers': [],
  })
  const shown = () => store.getState().items.map(({ info, config }) => [info.id, config.enable])
  return { store, gateway, shown }
}

it('two switches that are pressed one right after the other are both kept', async () => {
  const { store, shown } = setUp('a', 'b')
  await Promise.all([
    changeServers(store, toggleServer('a')),
    changeServers(store, toggleServer('b')),
  ])
  expect(shown()).toEqual([
    ['a', false],
    ['b', false],
  ])
})

it('a server is saved into its own place though one before it is just being removed', async () => {
  const { store, shown } = setUp('a', 'b', 'c')
  await Promise.all([
    changeServers(store, withoutServer('a')),
    changeServers(store, putServer('b', server('renamed'))),
  ])
  expect(shown().map(([id]) => id)).toEqual(['renamed', 'c'])
})

it('a change that is refused does not hold up the next one', async () => {
  const { store, gateway, shown } = setUp('a')
  gateway.answers[LIST] = refusal(422, 'No.')
  await expect(changeServers(store, withoutServer('a'))).rejects.toThrow('No.')
  gateway.answers[LIST] = ({ body }: SeenCall) => body
  await changeServers(store, putServer(null, server('b')))
  expect(shown().map(([id]) => id)).toEqual(['a', 'b'])
})
