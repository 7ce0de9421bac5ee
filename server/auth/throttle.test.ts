import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
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
  const tryTimes = (times: number, email: string, address: string): number => {
    const limits = createSignInLimits(throttle)
    let evaluated = 0
    for (let index = 0; index < times; index += 1) {
      try {
        limits.begin(email, address)
        evaluated += 1
      } catch (error) {
        expect(error).toMatchObject({ status: 429 })
      }
    }
    return evaluated
  }

  it('evaluate at most 15 tries of one address in 180 s, for whatever accounts', () => {
    expect(tryTimes(10, 'a@example.org', '192.0.2.1') + tryTimes(10_000, 'b@example.org', '192.0.2.1')).toBe(15)
    expect(tryTimes(1, 'a@example.org', '192.0.2.2')).toBe(1)
    vi.advanceTimersByTime(180_000)
    expect(tryTimes(1, 'b@example.org', '192.0.2.1')).toBe(1)
  })

  it('slow down guesses from many addresses without locking the owner out', () => {
    let evaluated = 0
    for (let address = 0; address < 1000; address += 1) evaluated += tryTimes(1, 'a@example.org', `192.0.2.${address}`)
    expect(evaluated).toBe(30)
    expect(tryTimes(1, 'a@example.org', '198.51.100.1')).toBe(0)
    vi.advanceTimersByTime(15_000)
    expect(tryTimes(1, 'a@example.org', '198.51.100.1')).toBe(1)
    expect(tryTimes(1, 'a@example.org', '192.0.2.1')).toBe(0)
  })

  it('do not count a try that turned out well', () => {
    const limits = createSignInLimits(throttle)
    for (let index = 0; index < 100; index += 1) limits.begin('a@example.org', '192.0.2.1').succeeded()
    expect(tryTimes(20, 'a@example.org', '192.0.2.1')).toBe(15)
  })

  it('keep no e-mail address on disk', () => {
    tryTimes(1, 'a@example.org', '192.0.2.1')
    vi.advanceTimersByTime(1000)
    expect(storage.sqlite.serialize().includes('a@example.org')).toBe(false)
  })
})
