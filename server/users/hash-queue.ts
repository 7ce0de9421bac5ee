import { availableParallelism } from 'node:os'
import { tooManyRequests } from '../lib/errors.ts'

/** Runs expensive jobs a few at a time and refuses more than a bounded number of waiting ones. */
export interface HashQueue {
  run<Result>(job: () => Promise<Result>): Promise<Result>
}

/** One core is left to the event loop, so that a rush of sign-ins does not slow down everything else. */
const DEFAULT_WIDTH = Math.max(1, availableParallelism() - 1)
const DEFAULT_WAITING = 100

export function createHashQueue(options: { width?: number; waiting?: number } = {}): HashQueue {
  const width = options.width ?? DEFAULT_WIDTH
  const longestLine = options.waiting ?? DEFAULT_WAITING
  const line: (() => void)[] = []
  let running = 0

  const enter = (): Promise<void> | undefined => {
    if (running < width) {
      running += 1
      return undefined
    }
    if (line.length >= longestLine) throw tooManyRequests('Too many people are signing in at this moment. Try again in a few seconds.', 5)
    return new Promise((resolve) => line.push(resolve))
  }
  const leave = (): void => {
    const next = line.shift()
    if (next) next()
    else running -= 1
  }

  return {
    run: async (job) => {
      await enter()
      try {
        return await job()
      } finally {
        leave()
      }
    },
  }
}
