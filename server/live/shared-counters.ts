import { within } from '../lib/timing/within.ts'
import type { Redis } from './connect-redis.ts'

const LONGEST_WAIT_MILLISECONDS = 1000

/**
 * Increments a counter unless that exceeds the limit; returns the seconds until the window ends in
 * that case, otherwise 0.
 */
const TAKE = `
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
if count <= tonumber(ARGV[1]) then return 0 end
redis.call('DECR', KEYS[1])
return math.max(1, redis.call('TTL', KEYS[1]))`

/** Decrements a counter while its window lasts. */
const GIVE_BACK = `
if redis.call('EXISTS', KEYS[1]) == 1 and tonumber(redis.call('GET', KEYS[1])) > 0 then
  redis.call('DECR', KEYS[1])
end
return 0`

/** Maximum count within the given number of seconds from the first one. */
export interface CounterLimit {
  readonly most: number
  readonly seconds: number
}

/**
 * Counters shared by all gateways, which each of them checks before an action: of many simultaneous
 * checks no more pass than the limit allows. Redis deletes them at the end of their window.
 */
export class SharedCounters {
  readonly #redis: Redis
  readonly #prefix: string

  constructor(redis: Redis, prefix: string) {
    this.#redis = redis
    this.#prefix = `${prefix}count:`
  }

  /**
   * Counts one; resolves with 0, or the seconds to wait if the limit is reached. Null while Redis
   * is unavailable; each gateway then counts for itself.
   */
  async take(name: string, { most, seconds }: CounterLimit): Promise<number | null> {
    return this.#run(TAKE, name, [String(most), String(seconds)])
  }

  async giveBack(name: string): Promise<void> {
    await this.#run(GIVE_BACK, name, [])
  }

  async #run(script: string, name: string, values: string[]): Promise<number | null> {
    if (!this.#redis.isReady) return null
    try {
      const keys = [this.#prefix + name]
      const answer = this.#redis.eval(script, { keys, arguments: values })
      return Number(await within(answer, LONGEST_WAIT_MILLISECONDS))
    } catch {
      return null
    }
  }
}
