import { availableParallelism } from 'node:os'
import { tooManyRequests } from '../lib/errors.ts'

/**
 * Who waits for a hash: people known here, whoever tries to sign in, and whoever makes an account.
 * Each has a line of its own, so that a rush of strangers holds up neither the people known here
 * nor each other.
 */
export type HashLine = 'known' | 'sign-in' | 'sign-up'

/**
 * Runs expensive jobs a few at a time and refuses more than a bounded number of waiting ones in
 * each line.
 */
export interface HashQueue {
  run<Result>(job: () => Promise<Result>, line?: HashLine): Promise<Result>
}

/**
 * One core is left to the event loop, so that a rush of sign-ins does not slow down everything
 * else.
 */
const DEFAULT_WIDTH = Math.max(1, availableParallelism() - 1)
const DEFAULT_WAITING = 100
const LINES: readonly HashLine[] = ['known', 'sign-in', 'sign-up']

export function createHashQueue(options: { width?: number; waiting?: number } = {}): HashQueue {
  const width = options.width ?? DEFAULT_WIDTH
  const longestLine = options.waiting ?? DEFAULT_WAITING
  const lines: Readonly<Record<HashLine, (() => void)[]>> = {
    known: [],
    'sign-in': [],
    'sign-up': [],
  }
  let running = 0
  let turn = 0

  const enter = (line: HashLine): Promise<void> | undefined => {
    if (running < width) {
      running += 1
      return undefined
    }
    if (lines[line].length >= longestLine) {
      const doing = line === 'sign-up' ? 'making an account' : 'signing in'
      throw tooManyRequests(
        `Too many people are ${doing} at this moment: ${longestLine} may wait, which is a fixed number. Try again in a few seconds.`,
        5,
      )
    }
    return new Promise((resolve) => lines[line].push(resolve))
  }
  /** The lines take turns, and an empty one gives its turn away. */
  const takeNext = (): (() => void) | undefined => {
    for (let step = 0; step < LINES.length; step += 1) {
      const next = lines[LINES[turn]!].shift()
      turn = (turn + 1) % LINES.length
      if (next) return next
    }
    return undefined
  }
  const leave = (): void => {
    const next = takeNext()
    if (next) next()
    else running -= 1
  }

  return {
    run: async (job, line = 'known') => {
      await enter(line)
      try {
        return await job()
      } finally {
        leave()
      }
    },
  }
}
