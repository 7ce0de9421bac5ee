import { createHash } from 'node:crypto'
import { tooManyRequests } from '../lib/errors.ts'
import type { Throttle, ThrottleRule } from './throttle.ts'

const ADDRESS: ThrottleRule = { name: 'sign-in address', tries: 15, seconds: 180 }
const ACCOUNT: ThrottleRule = { name: 'sign-in account', tries: 15, seconds: 180 }
const NEWCOMER: ThrottleRule = { name: 'sign-in newcomer', tries: 15, seconds: 15 }

/**
 * Decides whether a password may be tried.
 *
 * @NOTE Both limits of decisions §3 hold: 15 failed tries in 180 s per address and per account. A limit per account alone
 * would let anybody lock out anybody, so a used-up account still takes tries from addresses that have not failed yet, at
 * most one a second on average: the owner gets in from elsewhere, and guessing from many addresses stays slow.
 */
export interface SignInLimits {
  /** Evaluates a try, null meaning that it failed; 429 with the time to wait when no further one is allowed. */
  run<Result>(who: { email: string; address: string }, evaluate: () => Promise<Result | null>): Promise<Result | null>
  /** 429 when the address has used up its tries. */
  checkAddress(address: string): void
  /** Counts a try that is no password, such as asking whether an e-mail address is taken. */
  countAddress(address: string): void
}

/** Tries under way; whoever finds no room for another one waits until one of them ends. */
function createInFlight() {
  const entries = new Map<string, { count: number; ended: PromiseWithResolvers<void> }>()
  return {
    count: (key: string): number => entries.get(key)?.count ?? 0,
    nextEnd: (key: string): Promise<void> | undefined => entries.get(key)?.ended.promise,
    begin: (key: string): void => {
      const entry = entries.get(key) ?? { count: 0, ended: Promise.withResolvers<void>() }
      entries.set(key, { ...entry, count: entry.count + 1 })
    },
    end: (key: string): void => {
      const { count, ended } = entries.get(key)!
      if (count === 1) entries.delete(key)
      else entries.set(key, { count: count - 1, ended: Promise.withResolvers() })
      ended.resolve()
    },
  }
}

export function createSignInLimits(throttle: Throttle): SignInLimits {
  const inFlight = createInFlight()

  const check = (rule: ThrottleRule, subject: string, seconds = throttle.wait(rule, subject)): void => {
    if (seconds > 0) throw tooManyRequests(`Too many sign-in attempts. Try again in ${Math.ceil(seconds)} seconds.`, seconds)
  }
  const isFull = (rule: ThrottleRule, subject: string): boolean => throttle.used(rule, subject) + inFlight.count(subject) >= rule.tries

  /** Tries under way may still fail, so they take up room; waiting keeps parallel guesses from slipping through. */
  const enter = async (account: string, address: string): Promise<void> => {
    for (;;) {
      check(ADDRESS, address)
      const secondsUsedUp = throttle.wait(ACCOUNT, account)
      if (secondsUsedUp > 0) {
        if (throttle.used(ADDRESS, address) > 0) check(ACCOUNT, account, secondsUsedUp)
        check(NEWCOMER, account)
      }
      const busy = isFull(ADDRESS, address) ? address : secondsUsedUp === 0 && isFull(ACCOUNT, account) ? account : null
      if (busy === null) {
        if (secondsUsedUp > 0) throttle.count(NEWCOMER, account)
        inFlight.begin(account)
        inFlight.begin(address)
        return
      }
      await inFlight.nextEnd(busy)
    }
  }

  return {
    run: async ({ email, address }, evaluate) => {
      // Hashed, because the text may be a password typed into the wrong field, and the counters are kept on disk.
      const account = createHash('sha256').update(email).digest('base64url')
      await enter(account, address)
      try {
        const result = await evaluate()
        if (result === null) {
          throttle.count(ADDRESS, address)
          throttle.count(ACCOUNT, account)
        }
        return result
      } finally {
        inFlight.end(account)
        inFlight.end(address)
      }
    },
    checkAddress: (address) => check(ADDRESS, address),
    countAddress: (address) => throttle.count(ADDRESS, address),
  }
}
