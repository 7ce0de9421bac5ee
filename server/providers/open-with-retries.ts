import type { ServiceError } from '../lib/errors.ts'
import type { OutgoingReply } from '../lib/outgoing.ts'

/** Time as an upstream sees it, replaced in tests. */
export interface Clock {
  readonly now: () => number
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<unknown>
}

/**
 * A failed try: what to tell the caller, and how long to wait before another (null: do not try
 * again).
 */
export interface Failure {
  readonly fault: ServiceError
  /** Of the answer, where one came. */
  readonly status?: number
  readonly retryAfterMilliseconds: number | null
}

/**
 * Clients try several times themselves, so each further try here multiplies what reaches a busy
 * upstream.
 */
const RETRIES = 1
/** A try that took longer before it failed is not repeated. */
const RETRY_BUDGET_MILLISECONDS = 5000

/** Between half and all of 250 ms, so that callers do not come back together. */
export const backoff = (): number => 250 * (0.5 + Math.random() / 2)

export const isFailure = (result: OutgoingReply | Failure): result is Failure => 'fault' in result

/**
 * Tries until a reply begins, a failure is final, or another try would keep the caller too long.
 */
export async function openWithRetries(
  tryOnce: (attempt: number) => Promise<OutgoingReply | Failure>,
  clock: Clock,
  signal: AbortSignal,
): Promise<OutgoingReply | Failure> {
  const start = clock.now()
  for (let attempt = 0; ; attempt += 1) {
    const result = await tryOnce(attempt)
    if (!isFailure(result)) return result
    const wait = result.retryAfterMilliseconds
    if (signal.aborted || wait === null || attempt === RETRIES) return result
    if (clock.now() - start + wait > RETRY_BUDGET_MILLISECONDS) return result
    await clock.sleep(wait, signal)
    if (signal.aborted) return result
  }
}
