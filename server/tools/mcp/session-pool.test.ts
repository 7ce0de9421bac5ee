import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SessionPool, type SessionKey } from './session-pool.ts'
import { LostSession, type McpSession } from './session.ts'

interface Opened {
  readonly key: SessionKey
  readonly session: McpSession
  readonly lose: () => void
  isClosed: boolean
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function build({
  mostSessions = 10,
  fail = () => false,
}: { mostSessions?: number; fail?: () => boolean } = {}) {
  const opened: Opened[] = []
  const pool = new SessionPool({
    mostSessions,
    idleMilliseconds: 1_000,
    open: async (key) => {
      await Promise.resolve()
      if (fail()) throw new Error('refused')
      const listeners: (() => void)[] = []
      const lose = () => listeners.forEach((listener) => listener())
      const session = {
        onClosed: (listener: () => void) => void listeners.push(listener),
        close: () => {
          entry.isClosed = true
          return Promise.resolve(lose())
        },
      } as unknown as McpSession
      const entry: Opened = { key, session, lose, isClosed: false }
      opened.push(entry)
      return session
    },
  })
  return { pool, opened }
}

const ada = { userId: 'ada', serverId: 'files' }
const bob = { userId: 'bob', serverId: 'files' }

test('callers at the same time share one greeting, people never share a session', async () => {
  const { pool, opened } = build()
  const [first, second, other] = await Promise.all([pool.use(ada), pool.use(ada), pool.use(bob)])
  expect(first).toBe(second)
  expect(other).not.toBe(first)
  expect(opened.map(({ key }) => key.userId)).toEqual(['ada', 'bob'])
})

test('a session that was lost is opened anew', async () => {
  const { pool, opened } = build()
  await pool.use(ada)
  opened[0]!.lose()
  expect(await pool.use(ada)).toBe(opened[1]!.session)
})

test('a failure is not kept', async () => {
  let failures = 1
  const { pool } = build({ fail: () => failures-- > 0 })
  await expect(pool.use(ada)).rejects.toThrow('refused')
  await expect(pool.use(ada)).resolves.toBeDefined()
})

test('an unused session ends, a used one stays', async () => {
  const { pool, opened } = build()
  await pool.use(ada)
  await pool.use(bob)
  await vi.advanceTimersByTimeAsync(600)
  await pool.use(bob)
  await vi.advanceTimersByTimeAsync(600)
  expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, false])
})

test('beyond the limit the one unused for longest ends', async () => {
  const { pool, opened } = build({ mostSessions: 2 })
  await pool.use(ada)
  await pool.use(bob)
  await pool.use(ada)
  await pool.use({ userId: 'cid', serverId: 'files' })
  await vi.advanceTimersByTimeAsync(0)
  expect(opened.filter(({ isClosed }) => isClosed).map(({ key }) => key.userId)).toEqual(['bob'])
})

test('callers who wait for a session that is ended meanwhile may ask for another one', async () => {
  const pool = new SessionPool({
    mostSessions: 10,
    idleMilliseconds: 1_000,
    open: (_key, signal) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      ),
  })
  const waiting = pool.use(ada)
  const dropped = pool.drop({ serverId: 'files' })
  await expect(waiting).rejects.toThrow(LostSession)
  await dropped
})

test('sessions of one server or one person are ended together', async () => {
  const { pool, opened } = build()
  await Promise.all([ada, bob, { userId: 'ada', serverId: 'memory' }].map((key) => pool.use(key)))
  await pool.drop({ serverId: 'files' })
  expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, true, false])
  await pool.drop({ userId: 'ada' })
  expect(opened.every(({ isClosed }) => isClosed)).toBe(true)
  expect(pool.openWith('files')).toEqual([])
})

test('what is still being opened when it is dropped is closed as soon as it is open', async () => {
  const { pool, opened } = build()
  const wanted = pool.use(ada)
  await pool.close()
  await wanted
  expect(opened[0]!.isClosed).toBe(true)
})
