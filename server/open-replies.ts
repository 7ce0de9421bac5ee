import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendError } from './lib/http.ts'
import type { Logger } from './lib/logger.ts'
import type { ServiceError } from './lib/errors.ts'
import { dialectOf } from './lib/to-error.ts'

/** The replies that are not complete yet, so that a stop can wait for them and leave none without a word. */
export class OpenReplies {
  readonly #open = new Set<ServerResponse>()
  #onEmpty: (() => void) | null = null

  add(response: ServerResponse): void {
    this.#open.add(response)
    response.once('close', () => {
      this.#open.delete(response)
      if (this.#open.size === 0) this.#onEmpty?.()
    })
  }

  /** Makes connections end with the reply they carry, where its head does not say otherwise already. */
  closeConnections(): void {
    for (const response of this.#open) response.shouldKeepAlive = false
  }

  /** Resolves when every reply is complete, at the latest after a time. */
  async settle(milliseconds: number): Promise<void> {
    if (this.#open.size === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onEmpty = resolve
    await Promise.race([promise, sleep(milliseconds, null, { ref: false })])
    this.#onEmpty = null
  }

  /** Answers those that have not begun with an error; those that have can only be cut. */
  endAll(error: ServiceError, log: Logger): void {
    for (const response of this.#open) sendError(response, error, { log, dialect: dialectOf(response.req.url ?? '') })
  }
}
