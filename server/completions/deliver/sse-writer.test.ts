import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { createSseWriter, type SseWriter } from './sse-writer.ts'

afterEach(() => vi.useRealTimers())

test('A keep-alive is no part of an event that a lagging reader has still to read, and comes once it has caught up', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let writer: SseWriter | null = null
  const server = createServer((_, response) => {
    writer = createSseWriter(response, () => ': still here\n\n')
    expect(writer.send(`data: ${'x'.repeat(16_000_000)}`)).toBe(false)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await vi.waitUntil(() => writer !== null)
  vi.advanceTimersByTime(40_000)
  let text = ''
  socket.on('data', (piece: Buffer) => (text += piece.toString('latin1')))
  socket.resume()
  await vi.waitUntil(() => text.length > 16_000_000, { timeout: 5000 })
  writer!.send('\n\n')
  vi.advanceTimersByTime(15_000)
  await vi.waitUntil(() => text.includes('still here'))
  expect(text.indexOf('still here')).toBeGreaterThan(16_000_000)
  socket.destroy()
  server.close()
})
