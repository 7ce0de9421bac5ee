import type { Session } from 'electron'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WindowTraffic, type WindowTrafficReport } from './window-traffic.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Listener = (details: object) => void

function open() {
  const reports: WindowTrafficReport[] = []
  const traffic = new WindowTraffic((report) => void reports.push(report))
  const listeners: Record<string, Listener> = {}
  const keep = (name: string) => (listener: Listener) => void (listeners[name] = listener)
  traffic.follow({
    webRequest: {
      onResponseStarted: keep('started'),
      onCompleted: keep('completed'),
      onErrorOccurred: keep('failed'),
    } as unknown as Session['webRequest'],
  })
  return { traffic, reports, tell: (name: string, details: object) => listeners[name]!(details) }
}

const url = 'https://files.example.org/a.js'
const place = { host: 'files.example.org', port: 443, purpose: 'window' }

test('the requests to one host are one entry until there is none for a while', () => {
  const { traffic, reports, tell } = open()
  for (const id of [1, 2]) {
    traffic.expect({ id, url, sent: 10 }, 'window')
    tell('started', { id, fromCache: false })
  }
  for (const id of [1, 2])
    tell('completed', { id, fromCache: false, responseHeaders: { 'Content-Length': ['70'] } })
  expect(reports.at(-1)).toEqual({ ...place, id: 1, sent: 20, received: 140, isOver: false })
  vi.advanceTimersByTime(5_000)
  expect(reports.at(-1)).toEqual({ ...place, id: 1, sent: 20, received: 140, isOver: true })
  traffic.expect({ id: 3, url, sent: 0 }, 'window')
  tell('started', { id: 3, fromCache: false })
  expect(reports.at(-1)).toEqual({ ...place, id: 2, sent: 0, received: 0, isOver: false })
})

test('requests that fail are entries, those that never left the app are none', () => {
  const { traffic, reports, tell } = open()
  for (const id of [1, 2, 3]) traffic.expect({ id, url, sent: 0 }, 'window')
  tell('completed', { id: 1, fromCache: true, responseHeaders: { 'content-length': ['70'] } })
  tell('failed', { id: 2, error: 'net::ERR_BLOCKED_BY_CSP' })
  tell('failed', { id: 4, error: 'net::ERR_FAILED' })
  expect(reports).toEqual([])
  tell('failed', { id: 3, error: 'net::ERR_CONNECTION_REFUSED' })
  vi.advanceTimersByTime(5_000)
  expect(reports.at(-1)).toEqual({ ...place, id: 1, sent: 0, received: 0, isOver: true })
})
