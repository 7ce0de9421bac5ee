import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendError } from '../lib/http.ts'
import type { Logger } from '../lib/logger.ts'
import type { ServiceError } from '../lib/errors.ts'
import { dialectOf } from '../lib/serving/to-error.ts'

/** Reply with its index in the list of open ones. */
interface OpenReply {
  readonly response: ServerResponse
  place: number
}

/**
 * Replies that are not complete yet, so that a stop can wait for them and end none without a
 * message.
 *
 * @NOTE A list instead of a set: V8 creates a new table for a set whose members change, and each
 *   old table references the next. Once one of them is old, every reply that was in a later one
 *   survives all collections of young objects, with everything it references.
 */
export class OpenReplies {
  readonly #open: OpenReply[] = []
  #onEmpty: (() => void) | null = null

  add(response: ServerResponse): void {
    const reply = { response, place: this.#open.length }
    this.#open.push(reply)
    response.on('close', () => this.#remove(reply))
  }

  /** The last reply takes the place of the removed one. */
  #remove({ place }: OpenReply): void {
    const last = this.#open.pop()!
    if (last.place !== place) {
      this.#open[place] = last
      last.place = place
    }
    if (this.#open.length === 0) this.#onEmpty?.()
  }

  all(): ServerResponse[] {
    return this.#open.map(({ response }) => response)
  }

  /** Returns how many of them answer requests of a kind. */
  count(isMeant: (request: IncomingMessage) => boolean): number {
    return this.#open.filter(({ response }) => isMeant(response.req)).length
  }

  /** Makes connections end with their current reply, unless its headers were already sent. */
  closeConnections(): void {
    for (const { response } of this.#open) response.shouldKeepAlive = false
  }

  /** Resolves when every reply is complete, at the latest after the given time. */
  async settle(milliseconds: number): Promise<void> {
    if (this.#open.length === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onEmpty = resolve
    await Promise.race([promise, sleep(milliseconds, null, { ref: false })])
    this.#onEmpty = null
  }

  /** Answers replies that have not started with an error; started ones can only be cut off. */
  endAll(error: ServiceError, log: Logger): void {
    for (const { response } of this.#open)
      sendError(response, error, { log, dialect: dialectOf(response.req.url ?? '') })
  }
}
