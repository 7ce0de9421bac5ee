// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SOCKET_CLOSE, type ServerFrame } from '#contract/events.ts'
import { createSocket, reconnectDelay, type GatewaySocket } from './socket.ts'

/** The browser side of a connection, controlled by the test. */
class FakeLine extends EventTarget {
  readonly sent: string[] = []
  send(text: string): void {
    this.sent.push(text)
  }
  close(): void {
    this.drop(1000)
  }
  drop(code: number): void {
    this.dispatchEvent(Object.assign(new Event('close'), { code }))
  }
  receive(frame: ServerFrame): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(frame) }))
  }
  greet(sessionId: string): void {
    this.receive({
      type: 'ready',
      session_id: sessionId,
      user: { id: 'u', name: 'Ada', role: 'user' },
    })
  }
}

const lines: FakeLine[] = []
let socket: GatewaySocket

beforeEach(() => {
  vi.useFakeTimers()
  lines.length = 0
  socket = createSocket(() => {
    const line = new FakeLine()
    lines.push(line)
    return line as unknown as WebSocket
  })
  socket.open()
})
afterEach(() => {
  socket.close()
  vi.useRealTimers()
})

describe('the live line', () => {
  test('has a session id only between greeting and loss', () => {
    expect(socket.sessionId()).toBeNull()
    lines[0]?.greet('s1')
    expect(socket.sessionId()).toBe('s1')
    expect(socket.status.getState().status).toBe('open')
    lines[0]?.drop(1006)
    expect(socket.sessionId()).toBeNull()
    expect(socket.status.getState().status).toBe('offline')
  })

  test('comes back by itself and says so, since something may have been missed', () => {
    const returned = vi.fn()
    socket.onReconnected(returned)
    lines[0]?.greet('s1')
    expect(returned).not.toHaveBeenCalled()
    lines[0]?.drop(1006)
    vi.advanceTimersByTime(400)
    lines[1]?.greet('s2')
    expect(returned).toHaveBeenCalledTimes(1)
    expect(socket.sessionId()).toBe('s2')
  })

  test('begins with the half of the session this page keeps, where it keeps one', () => {
    lines[0]?.dispatchEvent(new Event('open'))
    expect(lines[0]?.sent).toEqual([])
    localStorage.setItem('session-key', 'session-1')
    lines[0]?.drop(1006)
    vi.advanceTimersByTime(400)
    lines[1]?.dispatchEvent(new Event('open'))
    localStorage.removeItem('session-key')
    expect(lines[1]?.sent).toEqual([JSON.stringify({ type: 'auth', key: 'session-1' })])
  })

  test('returns at once when the network does', () => {
    lines[0]?.drop(1006)
    window.dispatchEvent(new Event('online'))
    expect(lines).toHaveLength(2)
  })

  test('stops and tells when the gateway refuses the session', () => {
    const refused = vi.fn()
    socket.onRefused(refused)
    lines[0]?.greet('s1')
    lines[0]?.drop(SOCKET_CLOSE.revoked)
    vi.advanceTimersByTime(60_000)
    expect(refused).toHaveBeenCalledTimes(1)
    expect(lines).toHaveLength(1)
  })

  test('that fell silent is given up after a ping without any answer', () => {
    lines[0]?.greet('s1')
    vi.advanceTimersByTime(20_000)
    expect(lines[0]?.sent).toEqual([JSON.stringify({ type: 'ping' })])
    vi.advanceTimersByTime(11_000)
    expect(lines).toHaveLength(2)
  })

  test('hands every frame to its listeners until they leave', () => {
    const heard: ServerFrame[] = []
    const stop = socket.onFrame((frame) => heard.push(frame))
    lines[0]?.greet('s1')
    stop()
    lines[0]?.receive({ type: 'pong' })
    expect(heard.map((frame) => frame.type)).toEqual(['ready'])
  })
})

test('waits double with each failure, at most fifteen seconds, spread by half', () => {
  expect(reconnectDelay(0, () => 0)).toBe(200)
  expect(reconnectDelay(0, () => 1)).toBe(400)
  expect(reconnectDelay(3, () => 1)).toBe(3200)
  expect(reconnectDelay(50, () => 1)).toBe(15_000)
})
