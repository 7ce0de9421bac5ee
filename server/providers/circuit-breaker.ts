import { unavailable } from '../lib/errors.ts'

const FAILURES_TO_OPEN = 5
const OPEN_MILLISECONDS = 30_000

/** Spares an upstream that failed several times in a row, and its callers the wait: one probe every 30 seconds. */
export interface CircuitBreaker {
  /** Throws 503 while the circuit is open, except for the one call that probes. */
  enter(): void
  succeed(): void
  fail(): void
  /** The call ended without showing anything, such as when its caller left. */
  leave(): void
}

export function createCircuitBreaker(name: string, now: () => number): CircuitBreaker {
  let failures = 0
  let openUntil = 0
  let isProbing = false

  function refuse(): never {
    const seconds = Math.max(1, Math.ceil((openUntil - now()) / 1000))
    throw unavailable(`The connection "${name}" failed several times in a row and is left alone for ${seconds} more seconds.`, {
      code: 'upstream_circuit_open',
      headers: { 'Retry-After': String(seconds) },
    })
  }

  return {
    enter() {
      if (failures < FAILURES_TO_OPEN) return
      if (now() < openUntil || isProbing) refuse()
      isProbing = true
    },
    succeed() {
      failures = 0
      isProbing = false
    },
    fail() {
      failures += 1
      isProbing = false
      if (failures >= FAILURES_TO_OPEN) openUntil = now() + OPEN_MILLISECONDS
    },
    leave() {
      isProbing = false
    },
  }
}
