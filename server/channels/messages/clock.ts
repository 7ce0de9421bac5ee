/**
 * Returns strictly increasing Unix microseconds, regardless of changes of the system clock: they
 * order the messages of a channel.
 */
export class Clock {
  #last: number

  constructor(last: number) {
    this.#last = last
  }

  now(): number {
    return (this.#last = Math.max(Date.now() * 1000, this.#last + 1))
  }
}

/**
 * Times in the API are in nanoseconds: a whole microsecond, rounded to the next 256 that a double
 * can represent.
 */
export const toNanoseconds = (microseconds: number): number => microseconds * 1000

export const toNanosecondsOrNull = (microseconds: number | null): number | null =>
  microseconds === null ? null : toNanoseconds(microseconds)
