import { inOwnContext } from './in-own-context.ts'
import type { Logger } from '../logger.ts'

/** Values that are written with a delay, many at once, and may be lost without harm. */
export interface DeferredWrites<Value> {
  put(key: string, value: Value): void
  /** Writes the waiting values now, for example before the database closes. */
  flush(): Promise<void>
}

/**
 * Defers unimportant writes (times of last use, counters) so that they do not delay a request. A
 * failing write, such as one on a full disk, only causes a warning, because persistence of these
 * values is not guaranteed.
 */
export function createDeferredWrites<Value>(options: {
  readonly delayMs: number
  readonly log: Logger
  readonly write: (entries: ReadonlyMap<string, Value>) => Promise<void>
}): DeferredWrites<Value> {
  let waiting = new Map<string, Value>()
  let timer: NodeJS.Timeout | undefined

  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    if (waiting.size === 0) return
    const entries = waiting
    waiting = new Map()
    try {
      await options.write(entries)
    } catch (error) {
      options.log.warn(
        { error, count: entries.size },
        'times of last use and counters could not be stored',
      )
    }
  }

  return {
    put: (key, value) => {
      waiting.set(key, value)
      timer ??= setTimeout(() => void inOwnContext(flush), options.delayMs).unref()
    },
    flush,
  }
}
