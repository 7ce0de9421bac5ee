import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../lib/errors.ts'
import { inOwnContext } from '../lib/in-own-context.ts'
import { nowSeconds } from '../lib/ids.ts'
import type { Logger } from '../lib/logger.ts'
import type { Storage } from '../storage/index.ts'
import type { Attempt } from './send.ts'
import { receiverOf, type DeliveryRow, type WebhookStore } from './store.ts'

/** How long the pause after each failed try is; the last try has none. */
const PAUSES_MILLISECONDS: readonly number[] = [5000, 30_000]
const MOST_AT_ONCE = 16
/** What other gateways have to send is looked for. */
const LOOK_MILLISECONDS = 1000
/** Between tries while the database does not answer. */
const AWAY_MILLISECONDS = 1000
/** A timer cannot wait longer than 24 days. */
const LONGEST_PAUSE_MILLISECONDS = 3_600_000

const isAway = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'database_unavailable'

interface OutboxOptions {
  readonly storage: Pick<Storage, 'transaction' | 'afterCommit'>
  readonly store: WebhookStore
  readonly log: Logger
  /** Tries once; null when there is no receiver or nothing to send any more. */
  readonly attempt: (row: DeliveryRow, signal: AbortSignal) => Promise<Attempt | null>
  /** Whether this gateway is the one that sends, of several on a database; alone it is, when absent. */
  readonly isSender?: (() => boolean) | undefined
  /** Tests shorten them. */
  readonly pauses?: readonly number[] | undefined
}

/**
 * Tries what waits, again after a pause where that failed. Works beside the requests, and goes on
 * after a restart.
 */
export class Outbox {
  readonly #options: OutboxOptions
  readonly #pauses: readonly number[]
  readonly #running = new Map<string, Promise<void>>()
  /** Their results could not be written; trying them again would only repeat them. */
  readonly #stuck = new Set<string>()
  readonly #closing = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #isStarted = false

  constructor(options: OutboxOptions) {
    this.#options = options
    this.#pauses = options.pauses ?? PAUSES_MILLISECONDS
  }

  /** Begins with what waits; without it nothing is sent. */
  async start(): Promise<void> {
    this.#isStarted = true
    // What others hold back is theirs.
    if (!this.#options.isSender) await this.#options.store.releaseHeld(Date.now())
    this.wake()
  }

  /** Looks for work, after the work that is under way has been committed. */
  wake(): void {
    this.#options.storage.afterCommit(() => this.#wait(0))
  }

  /** Breaks off what is under way, which is sent again after the next start. */
  async close(): Promise<void> {
    this.#closing.abort()
    clearTimeout(this.#timer)
    await Promise.all(this.#running.values())
  }

  /** Notes how a delivery ended. */
  async settle(row: DeliveryRow, { status, problem }: Attempt, attempts: number): Promise<void> {
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
        { delivery: row.id, kind: row.kind, status, attempts },
        'a webhook could not be delivered',
      )
  }

  #wait(milliseconds: number): void {
    if (!this.#isStarted || this.#closing.signal.aborted) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(
      () => void inOwnContext(() => this.#work()),
      Math.min(milliseconds, LONGEST_PAUSE_MILLISECONDS),
    ).unref()
  }

  async #work(): Promise<void> {
    try {
      await this.#sendDue()
    } catch (error) {
      // What waits is in the database, and is looked for again when it is back.
      this.#options.log.debug({ error }, 'webhooks that wait could not be looked for')
      this.#wait(AWAY_MILLISECONDS)
    }
  }

  async #sendDue(): Promise<void> {
    const { store, isSender } = this.#options
    if (isSender && !isSender()) return this.#wait(LOOK_MILLISECONDS)
    const now = Date.now()
    const rows = (await store.due(now, MOST_AT_ONCE * 4, [...this.#stuck])).filter(
      ({ id }) => !this.#running.has(id),
    )
    for (const row of rows.slice(0, MOST_AT_ONCE - this.#running.size)) {
      const work = this.#try(row).finally(() => {
        this.#running.delete(row.id)
        this.wake()
      })
      this.#running.set(row.id, work)
    }
    // Due deliveries that cannot begin now begin when another one ends.
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
      // It still waits in the database.
      if (this.#closing.signal.aborted || isAway(error)) return
      this.#stuck.add(row.id)
      log.error(
        { error, delivery: row.id, kind: row.kind },
        'a webhook failed unexpectedly and waits for the next start',
      )
    }
  }

  async #note(row: DeliveryRow, result: Attempt | null): Promise<void> {
    const { store } = this.#options
    if (result === null) return store.remove(row.id)
    const attempts = row.attempts + 1
    const pause = this.#pauses[row.attempts]
    if (result.problem === null || result.isFinal || pause === undefined)
      return this.settle(row, result, attempts)
    await store.update(row.id, { attempts, next_attempt_at: Date.now() + pause })
  }

  /**
   * Writes down how a try ended, and waits for a database that is away, as what was delivered would
   * else be sent again.
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
