import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LiveConnection } from '../connections/live-connection.ts'
import { refreshModels } from './refresh-models.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A connection as seen by the refresh; `refresh` stays pending until `answer` is called. */
function createConnection(options: {
  age: number
  isAsking?: boolean
  status?: 'unknown' | 'ok' | 'failed'
  origin?: 'built-in' | 'stored'
}) {
  let status = options.status ?? 'unknown'
  let answer = (): void => {}
  const refresh = vi.fn<() => Promise<void>>(() => new Promise((resolve) => (answer = resolve)))
  const connection = {
    record: { origin: options.origin ?? 'stored' },
    age: () => options.age,
    isAsking: () => options.isAsking ?? false,
    state: () => ({ status, detail: null, model_count: 0, checked_at: null }),
    refresh,
  } as unknown as LiveConnection
  return {
    connection,
    refresh,
    answer() {
      status = 'ok'
      answer()
    },
  }
}

async function isDone(work: Promise<void>): Promise<boolean> {
  let done = false
  void work.then(() => (done = true))
  await vi.advanceTimersByTimeAsync(0)
  return done
}

describe('refreshing model lists', () => {
  it('waits for a connection that was never asked, but not longer than three seconds', async () => {
    const dead = createConnection({ age: Number.POSITIVE_INFINITY })
    const work = refreshModels([dead.connection], false)
    expect(await isDone(work)).toBe(false)
    await vi.advanceTimersByTimeAsync(3000)
    expect(await isDone(work)).toBe(true)
  })

  it('gives the others one more second after the first answer', async () => {
    const dead = createConnection({ age: Number.POSITIVE_INFINITY })
    const live = createConnection({ age: Number.POSITIVE_INFINITY })
    const work = refreshModels([dead.connection, live.connection], false)
    live.answer()
    await vi.advanceTimersByTimeAsync(900)
    expect(await isDone(work)).toBe(false)
    await vi.advanceTimersByTimeAsync(100)
    expect(await isDone(work)).toBe(true)
  })

  it('waits for the runtime that comes along however long it takes', async () => {
    const busy = createConnection({ age: 5000, isAsking: true, origin: 'built-in' })
    const work = refreshModels([busy.connection], true)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await isDone(work)).toBe(false)
    busy.answer()
    expect(await isDone(work)).toBe(true)
  })

  it('waits no second time for a connection that is still silent', async () => {
    const dead = createConnection({ age: 5000, isAsking: true })
    expect(await isDone(refreshModels([dead.connection], false))).toBe(true)
    expect(await isDone(refreshModels([dead.connection], true))).toBe(true)
  })

  it('renews old lists in the background without waiting', async () => {
    const old = createConnection({ age: 31_000, status: 'ok' })
    const young = createConnection({ age: 29_000, status: 'failed' })
    expect(await isDone(refreshModels([old.connection, young.connection], false))).toBe(true)
    expect(old.refresh).toHaveBeenCalledOnce()
    expect(young.refresh).not.toHaveBeenCalled()
  })

  it('asks everybody again when the newest list is wanted, except those asked just now', async () => {
    const old = createConnection({ age: 2000, status: 'failed' })
    const young = createConnection({ age: 500, status: 'ok' })
    const work = refreshModels([old.connection, young.connection], true)
    expect(old.refresh).toHaveBeenCalledOnce()
    expect(young.refresh).not.toHaveBeenCalled()
    old.answer()
    await vi.advanceTimersByTimeAsync(1000)
    expect(await isDone(work)).toBe(true)
  })
})
