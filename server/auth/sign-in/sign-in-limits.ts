import { createHash } from 'node:crypto'
import { tooManyRequests } from '../../lib/errors.ts'
import type { Settings } from '../../settings/index.ts'
import type { KnownPlace } from './known-places.ts'
import type { Throttle, ThrottleRule } from './throttle.ts'

const SECONDS = 180

/**
 * Account and origin of a password try; `known` if the account was signed in to from there before.
 */
export interface SignInTry {
  /** Name of the account as typed. */
  readonly name: string
  readonly address: string
  readonly known: { readonly account: string; readonly place: KnownPlace } | null
}

/** A window of tries that a try counts in. */
interface Counter {
  readonly rule: ThrottleRule
  readonly subject: string
}

/** Tries in progress; a try beyond the limit waits until one of them ends. */
class TriesUnderWay {
  readonly #entries = new Map<string, { count: number; ended: PromiseWithResolvers<void> }>()

  count({ rule, subject }: Counter): number {
    return this.#entries.get(`${rule.name}:${subject}`)?.count ?? 0
  }

  nextEnd({ rule, subject }: Counter): Promise<void> | undefined {
    return this.#entries.get(`${rule.name}:${subject}`)?.ended.promise
  }

  begin({ rule, subject }: Counter): void {
    const entry = this.#entries.get(`${rule.name}:${subject}`)
    if (entry) entry.count += 1
    else
      this.#entries.set(`${rule.name}:${subject}`, {
        count: 1,
        ended: Promise.withResolvers<void>(),
      })
  }

  end({ rule, subject }: Counter): void {
    const key = `${rule.name}:${subject}`
    const { count, ended } = this.#entries.get(key)!
    if (count === 1) this.#entries.delete(key)
    else this.#entries.set(key, { count: count - 1, ended: Promise.withResolvers() })
    ended.resolve()
  }
}

/**
 * Decides whether a password may be tried: after SIGNIN_TRIES failed tries in 180 s of an account
 * or of an IP address, further ones are refused.
 *
 * @NOTE Either limit alone would let any client lock out any user: from many addresses, or from the
 *   address of an office. So neither applies to places where the account was signed in to before.
 *   Each such browser and address has its own tries, which cannot be used up from elsewhere and which
 *   allow no further guesses from elsewhere.
 */
export class SignInLimits {
  readonly #throttle: Throttle
  readonly #settings: Settings<'SIGNIN_TRIES' | 'SIGNUP_TRIES_PER_ADDRESS'>
  readonly #underWay = new TriesUnderWay()

  constructor({
    throttle,
    settings,
  }: {
    readonly throttle: Throttle
    readonly settings: Settings<'SIGNIN_TRIES' | 'SIGNUP_TRIES_PER_ADDRESS'>
  }) {
    this.#throttle = throttle
    this.#settings = settings
  }

  /**
   * Runs a try, where a null result means that it failed; throws 429 with the time to wait if no
   * further one is allowed.
   */
  async run<Result>(
    attempt: SignInTry,
    evaluate: () => Promise<Result | null>,
  ): Promise<Result | null> {
    const counters = toCounters(attempt, this.#settings.get('SIGNIN_TRIES'))
    await this.#enter(counters)
    try {
      return await (this.#throttle.isShared
        ? this.#runShared(counters, evaluate)
        : this.#runHere(counters, evaluate))
    } finally {
      for (const counter of counters) this.#underWay.end(counter)
    }
  }

  async #runHere<Result>(
    counters: readonly Counter[],
    evaluate: () => Promise<Result | null>,
  ): Promise<Result | null> {
    const result = await evaluate()
    if (result === null)
      for (const { rule, subject } of counters) this.#throttle.count(rule, subject)
    return result
  }

  /**
   * Concurrent tries on several gateways share one limit; one that does not fail is not counted.
   */
  async #runShared<Result>(
    counters: readonly Counter[],
    evaluate: () => Promise<Result | null>,
  ): Promise<Result | null> {
    const taken: Counter[] = []
    let hasFailed = false
    try {
      for (const counter of counters) {
        const seconds = await this.#throttle.takeShared(counter.rule, counter.subject)
        if (seconds > 0) throw tooManySignIns(counter.rule, seconds)
        taken.push(counter)
      }
      const result = await this.#runHere(counters, evaluate)
      hasFailed = result === null
      return result
    } finally {
      if (!hasFailed)
        for (const { rule, subject } of taken) await this.#throttle.giveBackShared(rule, subject)
    }
  }

  /** Counts a sign-up, whatever its result; throws 429 if the IP address has used up its limit. */
  countSignUp(address: string): void {
    const tries = this.#settings.get('SIGNUP_TRIES_PER_ADDRESS')
    const rule = { name: 'sign-up address', tries, seconds: SECONDS }
    const seconds = this.#throttle.wait(rule, address)
    if (seconds > 0)
      throw tooManyRequests(
        `Too many sign-ups from your address. ${tries} in ${SECONDS} seconds are allowed (SIGNUP_TRIES_PER_ADDRESS). ` +
          `Try again in ${Math.ceil(seconds)} seconds.`,
        seconds,
      )
    this.#throttle.count(rule, address)
  }

  /**
   * Pending tries may still fail, so they count; waiting prevents parallel guesses from exceeding
   * the limit.
   */
  async #enter(counters: readonly Counter[]): Promise<void> {
    for (;;) {
      for (const counter of counters) this.#check(counter)
      const full = counters.find(
        ({ rule, subject }) =>
          this.#throttle.used(rule, subject) + this.#underWay.count({ rule, subject }) >=
          rule.tries,
      )
      if (!full) break
      await this.#underWay.nextEnd(full)
    }
    for (const counter of counters) this.#underWay.begin(counter)
  }

  #check({ rule, subject }: Counter): void {
    const seconds = this.#throttle.wait(rule, subject)
    if (seconds > 0) throw tooManySignIns(rule, seconds)
  }
}

const tooManySignIns = ({ tries }: ThrottleRule, seconds: number) =>
  tooManyRequests(
    `Too many sign-in attempts. ${tries} failed ones in ${SECONDS} seconds are allowed for an account and for an address ` +
      `(SIGNIN_TRIES). Try again in ${Math.ceil(seconds)} seconds.`,
    seconds,
  )

function toCounters({ name, address, known }: SignInTry, tries: number): readonly Counter[] {
  const toRule = (of: string): ThrottleRule => ({ name: `sign-in ${of}`, tries, seconds: SECONDS })
  if (known)
    return [
      {
        rule: toRule('known place'),
        subject: `${known.account}:${known.place.kind}:${known.place.place}`,
      },
    ]
  // Hashed, because the text may be a password typed into the wrong field, and the counters are
  // stored on disk.
  const account = createHash('sha256').update(name).digest('base64url')
  return [
    { rule: toRule('address'), subject: address },
    { rule: toRule('account'), subject: account },
  ]
}
