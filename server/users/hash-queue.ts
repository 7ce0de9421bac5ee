import { availableParallelism } from 'node:os'
import { tooManyRequests } from '../lib/errors.ts'

/**
 * Queues for hashing: known users, sign-ins and sign-ups. Each is separate, so that a rush of
 * strangers delays neither known users nor the other queue.
 */
export type HashLine = 'known' | 'sign-in' | 'sign-up'

/**
 * One core is reserved for the event loop, so that a rush of sign-ins does not slow down everything
 * else.
 */
const DEFAULT_WIDTH = Math.max(1, availableParallelism() - 1)
const DEFAULT_WAITING = 100
const LINES: readonly HashLine[] = ['known', 'sign-in', 'sign-up']

/**
 * Runs a limited number of expensive jobs at a time and refuses jobs beyond the limit of each
 * queue.
 */
export class HashQueue {
  readonly #width: number
  readonly #longestLine: number
  readonly #lines: Readonly<Record<HashLine, (() => void)[]>> = {
    known: [],
    'sign-in': [],
    'sign-up': [],
  }
  #running = 0
  #turn = 0

  constructor({ width = DEFAULT_WIDTH, waiting = DEFAULT_WAITING } = {}) {
    this.#width = width
    this.#longestLine = waiting
  }

  async run<Result>(job: () => Promise<Result>, line: HashLine = 'known'): Promise<Result> {
    await this.#enter(line)
    try {
      return await job()
    } finally {
      this.#leave()
    }
  }

  #enter(line: HashLine): Promise<void> | undefined {
    if (this.#running < this.#width) {
      this.#running += 1
      return undefined
    }
    if (this.#lines[line].length >= this.#longestLine) {
      const doing = line === 'sign-up' ? 'making an account' : 'signing in'
      throw tooManyRequests(
        `Too many people are ${doing} at this moment: ${this.#longestLine} may wait, which is a fixed number. Try again in a few seconds.`,
        5,
      )
    }
    return new Promise((resolve) => this.#lines[line].push(resolve))
  }

  /** The queues alternate; empty ones are skipped. */
  #takeNext(): (() => void) | undefined {
    for (let step = 0; step < LINES.length; step += 1) {
      const next = this.#lines[LINES[this.#turn]!].shift()
      this.#turn = (this.#turn + 1) % LINES.length
      if (next) return next
    }
    return undefined
  }

  #leave(): void {
    const next = this.#takeNext()
    if (next) next()
    else this.#running -= 1
  }
}
