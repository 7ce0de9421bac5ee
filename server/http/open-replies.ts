import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendError } from '../lib/http.ts'
import type { Logger } from '../lib/logger.ts'
import type { ServiceError } from '../lib/errors.ts'
import { dialectOf } from '../lib/to-error.ts'

/** A reply and its place in the list of those that are open. */
interface OpenReply {
  readonly response: ServerResponse
  place: number
}

/**
 * The replies that are not complete yet, so that a stop can wait for them and leave none without a
 * word.
 *
 * @NOTE A list, and no set: V8 makes a new table for a set whose members come and go, and each old
 *   one leads to the next. Once one
 * of them is old, every reply that was in a later one outlives all collections of young objects,
 * with all that belongs to it.
 */
export class OpenReplies {
  readonly #open: OpenReply[] = []
  #onEmpty: (() => void) | null = null

  add(response: ServerResponse): void {
    const reply = { response, place: this.#open.length }
    this.#open.push(reply)
    response.on('close', () => this.#remove(reply))
  }

  /** The last one takes the place of the one that leaves. */
  #remove({ place }: OpenReply): void {
    const last = this.#open.pop()!
    if (last.place !== place) {
      this.#open[place] = last
      last.place = place
    }
    if (this.#open.length === 0) this.#onEmpty?.()
  }

  /** How many of them answer requests of a kind. */
  count(isMeant: (request: IncomingMessage) => boolean): number {
    return this.#open.filter(({ response }) => isMeant(response.req)).length
  }

  /**
   * Makes connections end with the reply they carry, where its head does not say otherwise already.
   */
  closeConnections(): void {
    for (const { response } of this.#open) response.shouldKeepAlive = false
  }

  /** Resolves when every reply is complete, at the latest after a time. */
  async settle(milliseconds: number): Promise<void> {
    if (this.#open.length === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onEmpty = resolve
    await Promise.race([promise, sleep(milliseconds, null, { ref: false })])
    this.#onEmpty = null
  }

  /** Answers those that have not begun with an error; those that have can only be cut. */
  endAll(error: ServiceError, log: Logger): void {
    for (const { response } of this.#open)
      sendError(response, error, { log, dialect: dialectOf(response.req.url ?? '') })
  }
}
