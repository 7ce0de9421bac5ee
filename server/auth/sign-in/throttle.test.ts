import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLogger } from '../../lib/logger.ts'
import type { Storage } from '../../storage/index.ts'
import { createTestStorage, isOnPostgres } from '../../testing/create-test-storage.ts'
import { ThrottleStore } from '../store.ts'
import { Throttle } from './throttle.ts'

const RULE = { name: 'test', tries: 3, seconds: 60 }
const log = createLogger('silent')

let storage: Storage
let throttle: Throttle
const restart = async (): Promise<Throttle> => {
  const restarted = new Throttle(new ThrottleStore(storage), log)
  await restarted.load()
  return restarted
}

beforeEach(async () => {
  vi.useFakeTimers()
  storage = createTestStorage()
  throttle = await restart()
})
afterEach(() => {
  vi.useRealTimers()
  storage.close()
})
const countTimes = (times: number, subject = 'somebody'): void => {
  for (let index = 0; index < times; index += 1) throttle.count(RULE, subject)
}

/** Returns the subjects of the windows in the database. */
const subjects = async (): Promise<string[]> =>
  (await storage.all(storage.builder.selectFrom('throttle').select('subject'))).map(
    ({ subject }) => subject,
  )

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

  it('survives a restart', async () => {
    countTimes(3)
    await vi.advanceTimersByTimeAsync(1000)
    // Looks for the rows move the clock too.
    await vi.waitFor(async () => expect(await subjects()).toEqual(['test:somebody']))
    throttle = await restart()
    expect(throttle.wait(RULE, 'somebody')).toBeGreaterThan(50)
    vi.advanceTimersByTime(59_000)
    expect((await restart()).used(RULE, 'somebody')).toBe(0)
  })

  it('does not lock anybody out for longer when the clock is set back', async () => {
    countTimes(3)
    await vi.advanceTimersByTimeAsync(1000)
    vi.setSystemTime(Date.now() - 86_400_000)
    expect(throttle.wait(RULE, 'somebody')).toBe(0)
    throttle = await restart()
    expect(throttle.wait(RULE, 'somebody')).toBe(0)
    countTimes(3)
    expect(throttle.wait(RULE, 'somebody')).toBe(60)
  })

  it('removes windows that are over from the database', async () => {
    countTimes(1)
    await vi.advanceTimersByTimeAsync(61_000)
    countTimes(1, 'another')
    await vi.advanceTimersByTimeAsync(1000)
    await vi.waitFor(async () => expect(await subjects()).toEqual(['test:another']))
  })

  it.skipIf(isOnPostgres)('goes on counting when the database cannot be written', async () => {
    storage.sqlite.pragma('query_only = ON')
    countTimes(3)
    await expect(vi.advanceTimersByTimeAsync(1000)).resolves.toBeDefined()
    expect(throttle.wait(RULE, 'somebody')).toBeGreaterThan(0)
  })
})
