import type { RateWindow } from '../lib/rate-window.ts'
import type { Live } from './live.ts'

/**
 * Lets all gateways count what each of them counts in a window of this name. Those that count at the same
 * moment may let through a few more together; while Redis is away each counts for itself.
 */
export function shareWindow(live: Live | null | undefined, name: string, window: RateWindow): void {
  if (!live) return
  const topic = `rate:${name}`
  window.onCount((subject) => live.line.tell(topic, subject))
  void live.line.hear(topic, (subject) => window.note(String(subject)))
}
