import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../lib/errors.ts'
import { inOwnContext } from '../lib/timing/in-own-context.ts'
import { nowSeconds } from '../lib/ids.ts'
import type { Logger } from '../lib/logger.ts'
import type { Storage } from '../storage/index.ts'
import type { DeliveryAttempt } from './send.ts'
import { receiverOf, type DeliveryRow, type WebhookStore } from './store.ts'

/** Pauses after each failed attempt; the last attempt has none. */
const PAUSES_MILLISECONDS: readonly number[] = [5000, 30_000]
const MOST_AT_ONCE = 16
/** Interval for checking for deliveries of other gateways. */
const LOOK_MILLISECONDS = 1000
/** Pause between attempts while the database is unavailable. */
const AWAY_MILLISECONDS = 1000
/** A timer cannot wait longer than 24 days. */
const LONGEST_PAUSE_MILLISECONDS = 3_600_000

const isAway = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'database_unavailable'

interface OutboxOptions {
  readonly storage: Pick<Storage, 'transaction' | 'afterCommit'>
  readonly store: WebhookStore
  readonly log: Logger
  /**
   * Makes one attempt; resolves with null if there is no receiver or no longer anything to send.
   */
  readonly attempt: (row: DeliveryRow, signal: AbortSignal) => Promise<DeliveryAttempt | null>
  /**
   * Reports whether this gateway sends the deliveries, if several share a database; if absent, it
   * is the only one and does.
   */
  readonly isSender?: () => boolean
  /** Shortened in tests. */
  readonly pauses?: readonly number[]
}

/**
 * Sends waiting deliveries, and retries failed ones after a pause. Works independently of the
 * requests, and continues after a restart.
 */
export class Outbox {
  readonly #options: OutboxOptions
  readonly #pauses: readonly number[]
  readonly #running = new Map<string, Promise<void>>()
  /** Deliveries whose results could not be written; sending them again would only repeat them. */
  readonly #stuck = new Set<string>()
  readonly #closing = new AbortController()
  /** Deliveries that ended since the look in progress began, which may have read them before. */
  readonly #ended = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #timerAt = 0
  #isStarted = false
  #isLooking = false
  #isAskedAgain = false

  constructor(options: OutboxOptions) {
    this.#options = options
    this.#pauses = options.pauses ?? PAUSES_MILLISECONDS
  }

  /** Starts with the waiting deliveries; nothing is sent before this call. */
  async start(): Promise<void> {
    this.#isStarted = true
    // Deliveries that other gateways hold back must not be released here.
    if (!this.#options.isSender) await this.#options.store.releaseHeld(Date.now())
    this.wake()
  }

  /** Checks for deliveries, after the transaction in progress has been committed. */
  wake(): void {
    this.#options.storage.afterCommit(() => this.#wait(0))
  }

  /** Aborts the deliveries in progress, which are sent again after the next start. */
  async close(): Promise<void> {
    this.#closing.abort()
    clearTimeout(this.#timer)
    await Promise.all(this.#running.values())
  }

  /** Records the result of a delivery. */
  async settle(
    row: DeliveryRow,
    { status, problem }: DeliveryAttempt,
    attempts: number,
  ): Promise<void> {
    const { storage, store, log } = this.#options
    await storage.transaction(async () => {
      await store.update(row.id, {
        facts: '',
        state: problem === null ? 'delivered' : 'failed',
        attempts,
        status,
        problem,
        finished_at: nowSeconds(),
      })
      await store.removeOlder(receiverOf(row), row.id)
    })
    if (problem !== null)
      log.warn(
        { delivery: row.id, kind: row.kind, status, problem, attempts },
        'a webhook could not be delivered',
      )
  }

  /** An earlier look that is already planned stays. */
  #wait(milliseconds: number): void {
    if (!this.#isStarted || this.#closing.signal.aborted) return
    const at = performance.now() + milliseconds
    if (this.#timer && this.#timerAt <= at) return
    clearTimeout(this.#timer)
    this.#timerAt = at
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined
        void inOwnContext(() => this.#work())
      },
      Math.min(milliseconds, LONGEST_PAUSE_MILLISECONDS),
    ).unref()
  }

  async #work(): Promise<void> {
    this.#isAskedAgain = true
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      while (this.#isAskedAgain && !this.#closing.signal.aborted) {
        this.#isAskedAgain = false
        this.#ended.clear()
        await this.#sendDue()
      }
    } catch (error) {
      // Pending deliveries are in the database, and are looked up again when it is back.
      this.#options.log.debug({ error }, 'webhooks that wait could not be looked for')
      this.#wait(AWAY_MILLISECONDS)
    } finally {
      this.#isLooking = false
    }
  }

  async #sendDue(): Promise<void> {
    const { store, isSender } = this.#options
    if (isSender && !isSender()) return this.#wait(LOOK_MILLISECONDS)
    const now = Date.now()
    const rows = (await store.due(now, MOST_AT_ONCE * 4, [...this.#stuck])).filter(
      ({ id }) => !this.#running.has(id) && !this.#ended.has(id),
    )
    for (const row of rows.slice(0, MOST_AT_ONCE - this.#running.size)) {
      const work = this.#try(row).finally(() => {
        this.#running.delete(row.id)
        this.#ended.add(row.id)
        this.wake()
      })
      this.#running.set(row.id, work)
    }
    // Due deliveries that cannot start now start when another one ends.
    const next = await store.nextAt(now)
    if (next !== null || isSender)
      this.#wait(
        Math.min(next === null ? Infinity : next - now, isSender ? LOOK_MILLISECONDS : Infinity),
      )
  }

  async #try(row: DeliveryRow): Promise<void> {
    const { log, attempt } = this.#options
    try {
      const result = await attempt(row, this.#closing.signal)
      if (this.#closing.signal.aborted) return
      await this.#whenBack(() => this.#note(row, result))
    } catch (error) {
      // The delivery is still pending in the database.
      if (this.#closing.signal.aborted || isAway(error)) return
      this.#stuck.add(row.id)
      log.error(
        { error, delivery: row.id, kind: row.kind },
        'a webhook failed unexpectedly; it is retried at the next start',
      )
    }
  }

  async #note(row: DeliveryRow, result: DeliveryAttempt | null): Promise<void> {
    const { store } = this.#options
    if (result === null) return store.remove(row.id)
    const attempts = row.attempts + 1
    const pause = this.#pauses[row.attempts]
    if (result.problem === null || result.isFinal || pause === undefined)
      return this.settle(row, result, attempts)
    await store.update(row.id, { attempts, next_attempt_at: Date.now() + pause })
  }

  /**
   * Stores the result of an attempt; waits while the database is unavailable, since a delivered
   * webhook would otherwise be sent again.
   */
  async #whenBack(write: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await write()
      } catch (error) {
        if (!isAway(error)) throw error
      }
      await sleep(AWAY_MILLISECONDS, undefined, { signal: this.#closing.signal, ref: false })
    }
  }
}
