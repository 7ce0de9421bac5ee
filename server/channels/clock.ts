/**
 * Unix microseconds that only grow, whatever the clock of the machine does: they order the messages
 * of a channel.
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
 * On the wire times are nanoseconds: a whole microsecond, to the next 256 that a double can hold.
 */
export const toNanoseconds = (microseconds: number): number => microseconds * 1000

export const toNanosecondsOrNull = (microseconds: number | null): number | null =>
  microseconds === null ? null : toNanoseconds(microseconds)
