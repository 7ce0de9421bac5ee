import { SpeechFault } from '../fault.ts'

/** Samples per second that speech models expect, on one channel. */
export const RATE = 16_000
/**
 * Maximum length; longer recordings would fill the memory and keep the computer busy for the rest
 * of the day.
 */
const LONGEST_HOURS = 2
const MOST_SAMPLES = LONGEST_HOURS * 3600 * RATE
/** Minimum length; the engine rejects shorter recordings. */
const LEAST_SAMPLES = 1.25 * RATE
const FULL = 32_767

export const tooLong = (): SpeechFault =>
  new SpeechFault(
    413,
    `The recording is longer than ${LONGEST_HOURS} hours, which is more than is taken. Cut it into parts.`,
  )

/** Reports whether a duration exceeds the maximum length. */
export const isTooLong = (seconds: number): boolean => seconds * RATE > MOST_SAMPLES

/**
 * Collects samples of any rate as 16-bit numbers at 16 kHz, up to the maximum length of a
 * recording.
 */
export class Samples {
  #parts: Int16Array[] = []
  #count = 0
  readonly #step: number
  /** Input samples not yet converted. */
  #rest: Float32Array = new Float32Array(0)
  /** Position of the next output sample, in input samples after the start of the rest. */
  #at = 0

  constructor(rate: number) {
    this.#step = rate / RATE
  }

  /** Adds samples of the recording, between -1 and 1. */
  push(samples: Float32Array): void {
    if (this.#step === 1) return this.#keep(toNumbers(samples))
    const all = new Float32Array(this.#rest.length + samples.length)
    all.set(this.#rest)
    all.set(samples, this.#rest.length)
    const width = Math.max(1, this.#step)
    const count = Math.max(0, Math.floor((all.length - 1 - width - this.#at) / this.#step) + 1)
    const made = new Int16Array(count)
    for (let index = 0; index < count; index += 1) {
      made[index] = toNumber(meanOf(all, this.#at, width))
      this.#at += this.#step
    }
    const used = Math.floor(this.#at)
    this.#rest = all.subarray(used)
    this.#at -= used
    this.#keep(made)
  }

  /** Returns all samples, padded with silence to the engine's minimum length. */
  take(): Int16Array {
    if (this.#count === 0) throw new SpeechFault(400, 'There is no sound in the recording.')
    const all = new Int16Array(Math.max(this.#count, LEAST_SAMPLES))
    let at = 0
    for (const part of this.#parts) {
      all.set(part, at)
      at += part.length
    }
    this.#parts = []
    return all
  }

  #keep(part: Int16Array): void {
    this.#count += part.length
    if (this.#count > MOST_SAMPLES) throw tooLong()
    this.#parts.push(part)
  }
}

const toNumber = (value: number): number =>
  Math.round(Math.min(1, Math.max(-1, Number.isFinite(value) ? value : 0)) * FULL)

function toNumbers(samples: Float32Array): Int16Array {
  const numbers = new Int16Array(samples.length)
  for (let index = 0; index < samples.length; index += 1) numbers[index] = toNumber(samples[index]!)
  return numbers
}

/**
 * Returns the mean of `width` samples from a position; interpolates between two samples if the
 * width is 1.
 */
function meanOf(all: Float32Array, from: number, width: number): number {
  const first = Math.floor(from)
  if (width === 1) return all[first]! + (all[first + 1]! - all[first]!) * (from - first)
  const last = Math.floor(from + width)
  let sum = all[first]! * (first + 1 - from) + all[last]! * (from + width - last)
  for (let index = first + 1; index < last; index += 1) sum += all[index]!
  return sum / width
}

/** Mixes several channels into one. */
export function mix(channels: readonly Float32Array[]): Float32Array {
  if (channels.length === 1) return channels[0]!
  const mixed = new Float32Array(channels[0]?.length ?? 0)
  for (const channel of channels)
    for (let index = 0; index < mixed.length; index += 1)
      mixed[index]! += channel[index]! / channels.length
  return mixed
}
