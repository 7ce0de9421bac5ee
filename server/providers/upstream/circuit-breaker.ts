import { unavailable } from '../../lib/errors.ts'

const FAILURES_TO_OPEN = 5
/** Initial time the circuit stays open, doubled after each failed probe. */
const FIRST_PAUSE_MILLISECONDS = 1000
const LONGEST_PAUSE_MILLISECONDS = 30_000

/** Call that was let through; exactly one of the methods is called with its outcome. */
export interface Passage {
  /** The upstream answered, with any status. */
  reached(): void
  /** No connection could be established. */
  unreached(): void
  /** The call was inconclusive, for example because its client disconnected. */
  leave(): void
}

/**
 * Spares callers the wait for an upstream that could not be reached several times in a row. A
 * response with any status shows that the upstream is alive, so neither one failing model nor one
 * bad request blocks the other models.
 */
export class CircuitBreaker {
  readonly #name: string
  readonly #now: () => number
  readonly #probeMilliseconds: number
  #failures = 0
  #pause = FIRST_PAUSE_MILLISECONDS
  #openUntil = 0
  /**
   * End of the probe's exclusive time: a probe that runs longer is connected and waits for its
   * response, so other calls may proceed.
   */
  #probingUntil = 0
  /** Shared by all calls except the probe. */
  readonly #ordinary: Passage = {
    reached: () => this.reached(),
    unreached: () => this.#countFailure(false),
    leave: () => undefined,
  }
  readonly #probe: Passage = {
    reached: () => this.reached(),
    unreached: () => this.#countFailure(true),
    leave: () => {
      this.#probingUntil = 0
    },
  }

  /** `probeMilliseconds` is the longest time a connection may take to be established. */
  constructor({
    name,
    now,
    probeMilliseconds,
  }: {
    name: string
    now: () => number
    probeMilliseconds: number
  }) {
    this.#name = name
    this.#now = now
    this.#probeMilliseconds = probeMilliseconds
  }

  /** Throws 503 while the circuit is open, except for the one call that probes. */
  enter(): Passage {
    if (!this.#isOpen()) return this.#ordinary
    const now = this.#now()
    if (now < this.#openUntil) this.#refuse(this.#openUntil - now)
    if (now < this.#probingUntil) this.#refuse(0)
    this.#probingUntil = now + this.#probeMilliseconds
    return this.#probe
  }

  /** The upstream answered. */
  reached(): void {
    this.#failures = 0
    this.#pause = FIRST_PAUSE_MILLISECONDS
    this.#probingUntil = 0
  }

  #isOpen(): boolean {
    return this.#failures >= FAILURES_TO_OPEN
  }

  /**
   * Calls that started before the circuit opened provide no new information and do not keep it
   * open.
   */
  #countFailure(isProbe: boolean): void {
    if (this.#isOpen() && !isProbe) return
    this.#failures += 1
    this.#probingUntil = 0
    if (!this.#isOpen()) return
    this.#openUntil = this.#now() + this.#pause
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE_MILLISECONDS)
  }

  #refuse(milliseconds: number): never {
    const seconds = Math.max(1, Math.ceil(Math.round(milliseconds) / 1000))
    throw unavailable(
      `The connection "${this.#name}" could not be reached several times in a row. Try again in ${seconds} seconds.`,
      {
        code: 'upstream_circuit_open',
        headers: { 'Retry-After': String(seconds) },
        facts: {
          connection: this.#name,
          retry_after: seconds,
          retry_at: Math.round(Date.now() / 1000) + seconds,
        },
      },
    )
  }
}
