import { once } from 'node:events'
import { request as openRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Script } from '../../testing/fake-upstream/script.ts'
import { startRelay, toRelayedBody, type Relay } from '../../testing/start-relay.ts'

let gateway: Relay
const start = async (script?: Script) => (gateway = await startRelay(script))
afterEach(() => gateway.close())

describe('readers of the relay', () => {
  it('row R22: closes the upstream within a second for each of 1,000 callers who leave', async () => {
    await start()
    const body = toRelayedBody('/slow', true)
    const leaveAfter = async (milliseconds: number) => {
      const request = openRequest({
        host: '127.0.0.1',
        port: gateway.port,
        method: 'POST',
        agent: false,
      })
      request.on('error', () => null)
      request.end(body)
      await once(request, 'response')
      await new Promise((resolve) => setTimeout(resolve, milliseconds))
      request.destroy()
    }
    for (let wave = 0; wave < 5; wave += 1) {
      await Promise.all(Array.from({ length: 200 }, (_, index) => leaveAfter(index % 40)))
      await expect.poll(() => gateway.fake.openStreams(), { timeout: 1000 }).toBe(0)
    }
    expect(gateway.fake.aborts()).toBe(1000)
  })

  /** Requests a long stream and reads nothing yet; resolves when the upstream has stalled. */
  async function callWithoutReading(): Promise<{ socket: Socket; written: number }> {
    const bytes = Buffer.from(
      `data: ${JSON.stringify({ choices: [], text: 'x'.repeat(60_000) })}\n\n`,
    )
    await start(async () => ({
      steps: Array.from({ length: 1000 }, () => ({ kind: 'raw', bytes })),
    }))
    const socket = connect(gateway.port, '127.0.0.1')
    const body = toRelayedBody('x', true)
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
    await once(socket, 'readable')
    let written = -1
    const stands = (): boolean => {
      const before = written
      written = gateway.fake.bytesWritten()
      return written === before
    }
    await expect.poll(stands, { interval: 200, timeout: 5000 }).toBe(true)
    return { socket, written }
  }

  it('row R24: a slow reader holds the upstream back instead of filling the memory', async () => {
    const { socket, written } = await callWithoutReading()
    expect(written).toBeLessThan(24 * 1024 * 1024)
    let size = 0
    socket.on('data', (chunk: Buffer) => (size += chunk.length))
    await expect.poll(() => size > 59_000_000, { timeout: 15_000 }).toBe(true)
    socket.destroy()
  })

  it('row R24: a reader who takes nothing for a minute is dropped, and the upstream is closed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    const { socket } = await callWithoutReading()
    expect(gateway.fake.openStreams()).toBe(1)
    vi.advanceTimersByTime(60_000)
    vi.useRealTimers()
    await expect.poll(() => gateway.fake.openStreams(), { timeout: 2000 }).toBe(0)
    socket.destroy()
  })
})
