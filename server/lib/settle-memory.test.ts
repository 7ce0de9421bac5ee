import { constants, PerformanceObserver } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { keepFewParsers, settleMemory } from './settle-memory.ts'

/** Records the kinds of the garbage collections that were requested. */
function watchCollections(): number[] {
  const kinds: number[] = []
  const observer = new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries() as unknown as {
      detail: { kind: number; flags: number }
    }[]) {
      if ((detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0) kinds.push(detail.kind)
    }
  })
  observer.observe({ entryTypes: ['gc'] })
  onTestFinished(() => observer.disconnect())
  return kinds
}

it('young objects are collected a few times when it has become quiet, and never while nothing ever happened', async () => {
  const kinds = watchCollections()
  let activity = 0
  onTestFinished(settleMemory(() => activity, { milliseconds: 10, looks: 3 }))
  await sleep(100)
  expect(kinds).toEqual([])
  activity += 1
  await expect.poll(() => kinds).toHaveLength(3)
  await sleep(100)
  expect(kinds).toEqual([1, 1, 1].map(() => constants.NODE_PERFORMANCE_GC_MINOR))
})

it('a small heap is preferred only while it is quiet, and no longer than needed', async () => {
  const set = vi.spyOn(process.getBuiltinModule('node:v8'), 'setFlagsFromString')
  onTestFinished(() => set.mockRestore())
  const wishes = () =>
    set.mock.calls
      .map(([flag]) => flag)
      .filter((flag) => flag.endsWith('optimize-for-size'))
      .filter((flag, place, all) => flag !== all[place - 1])
  const [small, fast] = ['--optimize-for-size', '--no-optimize-for-size']
  let activity = 0
  onTestFinished(settleMemory(() => activity, { milliseconds: 20, looks: 50 }))
  activity += 1
  await expect.poll(wishes).toEqual([fast, small])
  activity += 1
  await expect.poll(wishes, { timeout: 10_000 }).toEqual([fast, small, fast, small, fast])
})

it('parsers of connections that are gone are kept for some of the next ones only', async () => {
  keepFewParsers()
  const waiting: ServerResponse[] = []
  const server = createServer((_request, response) => void waiting.push(response)).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const sockets = Array.from({ length: 60 }, () => connect(port, '127.0.0.1'))
  for (const socket of sockets)
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  await expect.poll(() => waiting.length).toBe(60)
  const { parsers } = process.getBuiltinModule('_http_common') as unknown as {
    parsers: { list: unknown[] }
  }
  for (const response of waiting) response.end('ok')
  await Promise.all(sockets.map((socket) => once(socket.resume(), 'close')))
  await expect.poll(() => parsers.list.length).toBe(32)
})
