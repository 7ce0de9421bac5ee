import { inOwnContext } from '../../lib/timing/in-own-context.ts'
import type { Logger } from '../../lib/logger.ts'
import type { ApiKeyStore, SettledCall } from './api-key-store.ts'

const RETRY_MS = 2000

/**
 * Replaces the reservations of ended calls by the tokens they used: at once, because the next call
 * may go to another gateway. Those the database did not take are written again later, because a
 * reservation that stays would block its key.
 */
export class SettledTokens {
  readonly #store: ApiKeyStore
  readonly #log: Logger
  #waiting: SettledCall[] = []
  #writing: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  constructor(store: ApiKeyStore, log: Logger) {
    this.#store = store
    this.#log = log
  }

  add(call: SettledCall): void {
    this.#waiting.push(call)
    void this.#flush()
  }

  /** Writes the waiting calls and stops. */
  async close(): Promise<void> {
    await this.#flush()
    clearTimeout(this.#timer)
  }

  #flush(): Promise<void> {
    clearTimeout(this.#timer)
    // Calls that end during a write are written together by the next one.
    this.#writing = this.#writing.then(() => inOwnContext(() => this.#write()))
    return this.#writing
  }

  async #write(): Promise<void> {
    const calls = this.#waiting
    this.#waiting = []
    if (calls.length === 0) return
    try {
      await this.#store.settle(calls)
    } catch (error) {
      this.#log.warn({ error, count: calls.length }, 'used tokens of keys could not be stored yet')
      this.#waiting = [...calls, ...this.#waiting]
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => void this.#flush(), RETRY_MS).unref()
    }
  }
}
