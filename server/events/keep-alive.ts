import { SOCKET_CLOSE } from '#contract/events.ts'
import type { Hub } from './hub.ts'

/**
 * Pings all sockets at an interval that runs only while there are any, so that an idle gateway
 * sleeps.
 */
export class KeepAlive {
  readonly #hub: Hub
  readonly #intervalMs: number
  #timer: NodeJS.Timeout | null = null

  constructor(hub: Hub, intervalMs: number) {
    this.#hub = hub
    this.#intervalMs = intervalMs
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.#sweep(), this.#intervalMs).unref()
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
  }

  async #sweep(): Promise<void> {
    if (this.#hub.size === 0) return this.stop()
    for (const connection of this.#hub.all()) {
      if (!(await connection.isValid()))
        connection.end(SOCKET_CLOSE.revoked, 'The sign-in is no longer valid.')
      else if (!connection.ping()) connection.terminate()
    }
  }
}
