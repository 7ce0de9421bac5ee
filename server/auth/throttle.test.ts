import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ServiceError } from '../lib/errors.ts'
import { createLogger } from '../lib/logger.ts'
import type { Storage } from '../storage/index.ts'
import { createTestStorage } from '../testing/create-test-storage.ts'
import { createSignInLimits } from './sign-in-limits.ts'
import { createThrottleStore } from './store.ts'
import { createThrottle, type Throttle } from './throttle.ts'

const RULE = { name: 'test', tries: 3, seconds: 60 }
const log = createLogger('silent')

let storage: Storage
let throttle: Throttle
const restart = (): Throttle => createThrottle({ store: createThrottleStore(storage), log })

beforeEach(() => {
  vi.useFakeTimers()
  storage = createTestStorage()
  throttle = restart()
})
afterEach(() => {
  vi.useRealTimers()
  storage.close()
})
const countTimes = (times: number, subject = 'somebody'): void => {
  for (let index = 0; index < times; index += 1) throttle.count(RULE, subject)
}

describe('the throttle', () => {
  it('lets so many tries pass in the window, for each subject on its own', () => {
    countTimes(2)
    expect(throttle.wait(RULE, 'somebody')).toBe(0)
    countTimes(1)
    expect(throttle.wait(RULE, 'somebody')).toBe(60)
    expect(throttle.wait(RULE, 'somebody else')).toBe(0)
    vi.advanceTimersByTime(45_000)
    expect(throttle.wait(RULE, 'somebody')).toBe(15)
    vi.advanceTimersByTime(15_000)
    expect(throttle.wait(RULE, 'somebody')).toBe(0)
    expect(throttle.used(RULE, 'somebody')).toBe(0)
  })

  it('survives a restart', () => {
    countTimes(3)
    vi.advanceTimersByTime(1000)
    throttle = restart()
    expect(throttle.wait(RULE, 'somebody')).toBe(59)
    vi.advanceTimersByTime(59_000)
    expect(restart().used(RULE, 'somebody')).toBe(0)
  })

  it('does not lock anybody out for longer when the clock is set back', () => {
    countTimes(3)
    vi.advanceTimersByTime(1000)
    vi.setSystemTime(Date.now() - 86_400_000)
    expect(throttle.wait(RULE, 'somebody')).toBe(0)
    throttle = restart()
    expect(throttle.wait(RULE, 'somebody')).toBe(0)
    countTimes(3)
    expect(throttle.wait(RULE, 'somebody')).toBe(60)
  })

  it('removes windows that are over from the database', () => {
    countTimes(1)
    vi.advanceTimersByTime(61_000)
    countTimes(1, 'another')
    vi.advanceTimersByTime(1000)
    const rows = storage.all(storage.builder.selectFrom('throttle').select('subject'))
    expect(rows).toEqual([{ subject: 'test:another' }])
  })

  it('goes on counting when the database cannot be written', () => {
    storage.sqlite.pragma('query_only = ON')
    countTimes(3)
    expect(() => vi.advanceTimersByTime(1000)).not.toThrow()
    expect(throttle.wait(RULE, 'somebody')).toBeGreaterThan(0)
  })
})

describe('the limits of signing in', () => {
  const fail = () => Promise.resolve(null)

  /** How many of so many parallel tries were evaluated. */
  async function tryTimes(
    times: number,
    email: string,
    address: string | ((index: number) => string),
    evaluate: () => Promise<string | null> = fail,
  ): Promise<number> {
    const limits = createSignInLimits(throttle)
    let evaluated = 0
    const tries = Array.from({ length: times }, (_, index) =>
      limits.run({ email, address: typeof address === 'string' ? address : address(index) }, () => {
        evaluated += 1
        return evaluate()
      }),
    )
    const outcomes = await Promise.allSettled(tries)
    const refusals = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => (reason as ServiceError).status)
    expect(refusals.filter((status) => status !== 429)).toEqual([])
    return evaluated
  }

  it('evaluate at most 15 failing tries of one address in 180 s, for whatever accounts', async () => {
    expect((await tryTimes(10, 'a@example.org', '192.0.2.1')) + (await tryTimes(10_000, 'b@example.org', '192.0.2.1'))).toBe(15)
    expect(await tryTimes(1, 'a@example.org', '192.0.2.2')).toBe(1)
    vi.advanceTimersByTime(180_000)
    expect(await tryTimes(1, 'b@example.org', '192.0.2.1')).toBe(1)
  })

  it('slow down guesses from many addresses without locking the owner out', async () => {
    expect(await tryTimes(1000, 'a@example.org', (index) => `192.0.${index >> 8}.${index & 255}`)).toBe(30)
    expect(await tryTimes(1, 'a@example.org', '198.51.100.1')).toBe(0)
    vi.advanceTimersByTime(15_000)
    expect(await tryTimes(1, 'a@example.org', '198.51.100.1')).toBe(1)
    expect(await tryTimes(1, 'a@example.org', '192.0.0.1')).toBe(0)
  })

  it('do not hold back tries that turn out well, however many come at once', async () => {
    expect(await tryTimes(100, 'a@example.org', '192.0.2.1', () => Promise.resolve('somebody'))).toBe(100)
    expect(await tryTimes(20, 'a@example.org', '192.0.2.1')).toBe(15)
  })

  it('do not count a try that could not be evaluated', async () => {
    const limits = createSignInLimits(throttle)
    const broken = () => Promise.reject(new Error('queue is full'))
    for (let index = 0; index < 30; index += 1) {
      await expect(limits.run({ email: 'a@example.org', address: '192.0.2.1' }, broken)).rejects.toThrow('queue is full')
    }
  })

  it('keep no e-mail address on disk', async () => {
    await tryTimes(1, 'a@example.org', '192.0.2.1')
    vi.advanceTimersByTime(1000)
    expect(storage.sqlite.serialize().includes('a@example.org')).toBe(false)
    expect(storage.all(storage.builder.selectFrom('throttle').select('subject'))).toHaveLength(2)
  })
})
