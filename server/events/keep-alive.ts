import { SOCKET_CLOSE } from '#contract/events.ts'
import type { Hub } from './hub.ts'

/**
 * Pings all sockets at an interval that runs only while there are any, so that an idle gateway
 * sleeps.
 */
export interface KeepAlive {
  start(): void
  stop(): void
}

export function createKeepAlive(hub: Hub, intervalMs: number): KeepAlive {
  let timer: NodeJS.Timeout | null = null

  function stop(): void {
    if (timer) clearInterval(timer)
    timer = null
  }

  function sweep(): void {
    if (hub.size === 0) return stop()
    for (const connection of hub.all()) {
      if (!connection.isValid())
        connection.end(SOCKET_CLOSE.revoked, 'The sign-in is no longer valid.')
      else if (!connection.ping()) connection.terminate()
    }
  }

  return {
    start() {
      timer ??= setInterval(sweep, intervalMs).unref()
    },
    stop,
  }
}
