import { unavailable } from '../lib/errors.ts'

const FAILURES_TO_OPEN = 5
/** The circuit stays open this long at first, and twice as long after each probe that failed. */
const FIRST_PAUSE_MILLISECONDS = 1000
const LONGEST_PAUSE_MILLISECONDS = 30_000

/**
 * One call that was let through. Exactly one of the methods is to be called when its outcome is
 * known.
 */
export interface Passage {
  /** The other side answered, whatever it said. */
  reached(): void
  /** No connection came about. */
  unreached(): void
  /** The call ended without showing anything, such as when its caller left. */
  leave(): void
}

/**
 * Spares callers the wait for an upstream that could not be reached several times in a row. An
 * answer of any status shows that the other side lives, so neither one failing model nor one bad
 * request keeps callers from the other models.
 */
export interface CircuitBreaker {
  /** Throws 503 while the circuit is open, except for the one call that probes. */
  enter(): Passage
  /** Something else showed that the other side can be reached. */
  reached(): void
}

/** What a breaker is built with. `probeMilliseconds` is the longest time to a connection. */
interface BreakerOptions {
  readonly name: string
  readonly now: () => number
  readonly probeMilliseconds: number
}

export function createCircuitBreaker({
  name,
  now,
  probeMilliseconds,
}: BreakerOptions): CircuitBreaker {
  let failures = 0
  let pause = FIRST_PAUSE_MILLISECONDS
  let openUntil = 0
  /**
   * A probe that runs longer than this has a connection and waits for its answer, which holds
   * nobody else back.
   */
  let probingUntil = 0

  function refuse(until: number): never {
    const seconds = Math.max(1, Math.ceil(Math.round(until - now()) / 1000))
    throw unavailable(
      `The connection "${name}" could not be reached several times in a row. Try again in ${seconds} seconds.`,
      {
        code: 'upstream_circuit_open',
        headers: { 'Retry-After': String(seconds) },
      },
    )
  }

  const isOpen = (): boolean => failures >= FAILURES_TO_OPEN

  function reached(): void {
    failures = 0
    pause = FIRST_PAUSE_MILLISECONDS
    probingUntil = 0
  }

  /**
   * Calls that began before the circuit opened show nothing new, so their failures do not keep it
   * open.
   */
  function unreached(isProbe: boolean): void {
    if (isOpen() && !isProbe) return
    failures += 1
    probingUntil = 0
    if (!isOpen()) return
    openUntil = now() + pause
    pause = Math.min(pause * 2, LONGEST_PAUSE_MILLISECONDS)
  }

  /** Of all calls but the one that probes. */
  const ordinary: Passage = {
    reached,
    unreached: () => unreached(false),
    leave: () => undefined,
  }
  const probe: Passage = {
    reached,
    unreached: () => unreached(true),
    leave() {
      probingUntil = 0
    },
  }

  return {
    reached,
    enter() {
      if (!isOpen()) return ordinary
      if (now() < openUntil) refuse(openUntil)
      if (now() < probingUntil) refuse(now())
      probingUntil = now() + probeMilliseconds
      return probe
    },
  }
}
