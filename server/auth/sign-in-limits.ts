import { createHash } from 'node:crypto'
import { tooManyRequests } from '../lib/errors.ts'
import type { Throttle, ThrottleRule } from './throttle.ts'

const ADDRESS: ThrottleRule = { name: 'sign-in address', tries: 15, seconds: 180 }
const ACCOUNT: ThrottleRule = { name: 'sign-in account', tries: 15, seconds: 180 }
const NEWCOMER: ThrottleRule = { name: 'sign-in newcomer', tries: 15, seconds: 15 }

/** One try that was let through. */
export interface SignInAttempt {
  /** The password was right, so the try is not held against anybody. */
  succeeded(): void
}

/**
 * Decides whether a password may be tried; 429 with the time to wait otherwise. A try counts before it is evaluated, so
 * parallel guesses cannot slip through.
 *
 * @NOTE Both limits of decisions §3 hold: 15 tries in 180 s per address and per account. A limit per account alone would
 * let anybody lock out anybody, so a used-up account still takes tries from addresses that have not failed yet, at most
 * one a second on average: the owner gets in from elsewhere, and guessing from many addresses stays slow.
 */
export interface SignInLimits {
  begin(email: string, address: string): SignInAttempt
  /** 429 when the address has used up its tries. */
  checkAddress(address: string): void
  /** Counts a try that is no password, such as asking whether an e-mail address is taken. */
  countAddress(address: string): void
}

export function createSignInLimits(throttle: Throttle): SignInLimits {
  const refuse = (seconds: number): never => {
    throw tooManyRequests(`Too many sign-in attempts. Try again in ${Math.ceil(seconds)} seconds.`, seconds)
  }
  const check = (rule: ThrottleRule, subject: string): void => {
    const seconds = throttle.wait(rule, subject)
    if (seconds > 0) refuse(seconds)
  }
  const checkAccount = (account: string, address: string): void => {
    const seconds = throttle.wait(ACCOUNT, account)
    if (seconds === 0) return
    if (throttle.used(ADDRESS, address) > 0) refuse(seconds)
    check(NEWCOMER, account)
    throttle.count(NEWCOMER, account)
  }
  return {
    begin: (email, address) => {
      // Hashed, because the text may be a password typed into the wrong field, and the counters are kept on disk.
      const account = createHash('sha256').update(email).digest('base64url')
      check(ADDRESS, address)
      checkAccount(account, address)
      throttle.count(ADDRESS, address)
      throttle.count(ACCOUNT, account)
      return {
        succeeded: () => {
          throttle.forgive(ADDRESS, address)
          throttle.forgive(ACCOUNT, account)
        },
      }
    },
    checkAddress: (address) => check(ADDRESS, address),
    countAddress: (address) => throttle.count(ADDRESS, address),
  }
}
