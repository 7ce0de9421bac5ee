import type { ServiceError } from '../../lib/errors.ts'
import type { OutgoingReply } from '../../lib/outgoing/outgoing.ts'

/** Clock of an upstream, replaced in tests. */
export interface Clock {
  readonly now: () => number
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<unknown>
}

/** Failed attempt: the error for the caller, and the delay before a retry (null: do not retry). */
export interface Failure {
  readonly fault: ServiceError
  /** Status of the response, if there was one. */
  readonly status?: number
  readonly retryAfterMilliseconds: number | null
}

/**
 * Number of retries. Clients retry several times themselves, so each retry here multiplies the load
 * on a busy upstream.
 */
const RETRIES = 1
/** Maximum duration of a failed attempt that is retried. */
const RETRY_BUDGET_MILLISECONDS = 5000

/** Returns between half and all of 250 ms, so that callers do not retry simultaneously. */
export const backoff = (): number => 250 * (0.5 + Math.random() / 2)

export const isFailure = (result: OutgoingReply | Failure): result is Failure => 'fault' in result

/** Function that makes an attempt, with its timing. */
interface Trying {
  readonly tryIt: (attempt: number) => Promise<OutgoingReply | Failure>
  /** Start time of the first attempt. */
  readonly started: number
  readonly clock: Clock
  readonly signal: AbortSignal
}

/**
 * Retries until a reply begins, a failure is final, or another attempt would delay the caller too
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
