import { createDeferredWrites } from './deferred-writes.ts'
import { nowSeconds } from '../ids.ts'
import type { Logger } from '../logger.ts'

const EVERY_SECONDS = 60
const DELAY_MS = 2000

/**
 * Records when items (accounts, keys) were last used: at most once a minute each, written together
 * with a delay.
 */
export function createTouch(options: {
  readonly log: Logger
  readonly write: (times: ReadonlyMap<string, number>) => Promise<void>
}): (id: string) => void {
  const touchedAt = new Map<string, number>()
  const writes = createDeferredWrites<number>({
    delayMs: DELAY_MS,
    log: options.log,
    write: options.write,
  })
  return (id) => {
    const now = nowSeconds()
    if (now - (touchedAt.get(id) ?? 0) < EVERY_SECONDS) return
    touchedAt.set(id, now)
    writes.put(id, now)
  }
}
