import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ServiceError } from '../../lib/errors.ts'
import { createLogger } from '../../lib/logger.ts'
import type { Storage } from '../../storage/index.ts'
import { createTestStorage, isOnPostgres } from '../../testing/create-test-storage.ts'
import { SignInLimits, type SignInTry } from './sign-in-limits.ts'
import { ThrottleStore } from '../store.ts'
import { Throttle } from './throttle.ts'
import { settingsOf } from '../../testing/settings-of.ts'

let storage: Storage
let limits: SignInLimits
beforeEach(() => {
  vi.useFakeTimers()
  storage = createTestStorage()
  const throttle = new Throttle(new ThrottleStore(storage), createLogger('silent'))
  limits = new SignInLimits({
    throttle,
    settings: settingsOf({ SIGNIN_TRIES: 15, SIGNUP_TRIES_PER_ADDRESS: 3 }),
  })
})
afterEach(() => {
  vi.useRealTimers()
  storage.close()
})

const fail = () => Promise.resolve(null)
const stranger = (name: string, address: string): SignInTry => ({ name, address, known: null })
const manyAddresses = (name: string) => (index: number) =>
  stranger(name, `192.0.${index >> 8}.${index & 255}`)
const knownAt = (
  name: string,
  address: string,
  kind: 'device' | 'address' = 'address',
): SignInTry => ({
  name,
  address,
  known: { account: name, place: { kind, place: kind === 'device' ? 'a browser' : address } },
})

/** Returns how many of the parallel attempts were evaluated. */
async function tryTimes(
  times: number,
  attempt: SignInTry | ((index: number) => SignInTry),
  evaluate: () => Promise<string | null> = fail,
): Promise<number> {
  let evaluated = 0
  const tries = Array.from({ length: times }, (_, index) =>
    limits.run(typeof attempt === 'function' ? attempt(index) : attempt, () => {
      evaluated += 1
      return evaluate()
    }),
  )
  const outcomes = await Promise.allSettled(tries)
  const refusals = outcomes
    .filter((outcome) => outcome.status === 'rejected')
    .map(({ reason }) => (reason as ServiceError).status)
  expect(refusals.filter((status) => status !== 429)).toEqual([])
  return evaluated
}

describe('the limits of signing in', () => {
  it('evaluate at most 15 failing tries of one address in 180 s, for whatever accounts', async () => {
    expect(
      (await tryTimes(10, stranger('a', '192.0.2.1'))) +
        (await tryTimes(10_000, stranger('b', '192.0.2.1'))),
    ).toBe(15)
    expect(await tryTimes(1, stranger('a', '192.0.2.2'))).toBe(1)
    vi.advanceTimersByTime(180_000)
    expect(await tryTimes(1, stranger('b', '192.0.2.1'))).toBe(1)
  })

  it('evaluate at most 15 failing tries of one account in 180 s, from however many addresses', async () => {
    expect(await tryTimes(1000, manyAddresses('a'))).toBe(15)
    vi.advanceTimersByTime(179_000)
    expect(await tryTimes(1, stranger('a', '198.51.100.1'))).toBe(0)
    vi.advanceTimersByTime(1000)
    expect(await tryTimes(1000, manyAddresses('a'))).toBe(15)
  })

  it('let an account in where it was signed in to before, whatever strangers use up', async () => {
    await tryTimes(100, manyAddresses('a'))
    await tryTimes(100, stranger('b', '198.51.100.1'))
    const signIn = () => Promise.resolve('somebody')
    expect(await tryTimes(1, stranger('a', '198.51.100.1'), signIn)).toBe(0)
    expect(await tryTimes(1, knownAt('a', '198.51.100.1'), signIn)).toBe(1)
    expect(await tryTimes(1, knownAt('a', '198.51.100.1', 'device'), signIn)).toBe(1)
  })

  it('give a known address and a known browser tries of their own, which use up nobody else’s', async () => {
    expect(await tryTimes(100, knownAt('a', '192.0.2.1'))).toBe(15)
    expect(await tryTimes(100, knownAt('a', '192.0.2.1', 'device'))).toBe(15)
    expect(await tryTimes(100, knownAt('b', '192.0.2.1'))).toBe(15)
    expect(await tryTimes(100, stranger('c', '192.0.2.1'))).toBe(15)
  })

  it('do not hold back tries that turn out well, however many come at once', async () => {
    expect(await tryTimes(100, stranger('a', '192.0.2.1'), () => Promise.resolve('somebody'))).toBe(
      100,
    )
    expect(await tryTimes(20, stranger('a', '192.0.2.1'))).toBe(15)
  })

  it('do not count a try that could not be evaluated', async () => {
    const broken = () => Promise.reject(new Error('queue is full'))
    for (let index = 0; index < 30; index += 1) {
      await expect(limits.run(stranger('a', '192.0.2.1'), broken)).rejects.toThrow('queue is full')
    }
  })

  it('count every sign-up of an address and name the setting that allows more', () => {
    for (let index = 0; index < 3; index += 1) limits.countSignUp('192.0.2.1')
    expect(() => limits.countSignUp('192.0.2.1')).toThrow(
      /3 in 180 seconds.*SIGNUP_TRIES_PER_ADDRESS/,
    )
    expect(() => limits.countSignUp('192.0.2.2')).not.toThrow()
    vi.advanceTimersByTime(180_000)
    expect(() => limits.countSignUp('192.0.2.1')).not.toThrow()
  })

  it.skipIf(isOnPostgres)('keep no e-mail address on disk', async () => {
    await tryTimes(1, stranger('a@example.org', '192.0.2.1'))
    vi.advanceTimersByTime(1000)
    expect(storage.sqlite.serialize().includes('a@example.org')).toBe(false)
    expect(
      await storage.all(storage.builder.selectFrom('throttle').select('subject')),
    ).toHaveLength(2)
  })
})
