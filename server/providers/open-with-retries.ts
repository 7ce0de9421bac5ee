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

/** How a try is made, and since when. */
interface Trying {
  readonly tryIt: (attempt: number) => Promise<OutgoingReply | Failure>
  /** When the first try began. */
  readonly started: number
  readonly clock: Clock
  readonly signal: AbortSignal
}

/**
 * Tries again until a reply begins, a failure is final, or another try would keep the caller too
 * long.
 */
export async function retry(
  failed: Failure,
  { tryIt, started, clock, signal }: Trying,
): Promise<OutgoingReply | Failure> {
  let failure = failed
  for (let attempt = 1; attempt <= RETRIES; attempt += 1) {
    const wait = failure.retryAfterMilliseconds
    if (signal.aborted || wait === null) return failure
    if (clock.now() - started + wait > RETRY_BUDGET_MILLISECONDS) return failure
    await clock.sleep(wait, signal)
    if (signal.aborted) return failure
    const result = await tryIt(attempt)
    if (!isFailure(result)) return result
    failure = result
  }
  return failure
}
