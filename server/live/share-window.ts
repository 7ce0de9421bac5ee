import type { RateWindow } from '../lib/timing/rate-window.ts'
import type { Live } from './live.ts'

/**
 * Shares the counts of a window of this name between all gateways. Simultaneous calls may let a few
 * more through; while Redis is unavailable, each gateway counts for itself.
 */
export function shareWindow(live: Live | null | undefined, name: string, window: RateWindow): void {
  if (!live) return
  const topic = `rate:${name}`
  window.onCount((subject) => live.line.tell(topic, subject))
  void live.line.hear(topic, (subject) => window.note(String(subject)))
}
