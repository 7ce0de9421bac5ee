import { within } from '../lib/within.ts'
import type { Redis } from './connect-redis.ts'

const LONGEST_WAIT_MILLISECONDS = 1000

/** Counts one more unless that is one too many; answers the seconds until the window ends then, else 0. */
const TAKE = `
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
if count <= tonumber(ARGV[1]) then return 0 end
redis.call('DECR', KEYS[1])
return math.max(1, redis.call('TTL', KEYS[1]))`

/** Gives one back that was counted, as long as its window goes on. */
const GIVE_BACK = `
if redis.call('EXISTS', KEYS[1]) == 1 and tonumber(redis.call('GET', KEYS[1])) > 0 then
  redis.call('DECR', KEYS[1])
end
return 0`

/** So many within so many seconds of the first one. */
export interface CounterLimit {
  readonly most: number
  readonly seconds: number
}

/**
 * Counters of all gateways together, which each of them asks before it does something: of many that
 * ask at once no more get through than may. Redis forgets them with the end of their window.
 */
export class SharedCounters {
  readonly #redis: Redis
  readonly #prefix: string

  constructor(redis: Redis, prefix: string) {
    this.#redis = redis
    this.#prefix = `${prefix}count:`
  }

  /**
   * Counts one; answers 0, or the seconds to wait where there is no room. Null while Redis is away,
   * where each gateway counts for itself.
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
