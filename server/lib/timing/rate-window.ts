import { tooManyRequests } from '../errors.ts'

/** Limits the memory used by many subjects; the oldest windows are removed first. */
const MOST_WINDOWS = 50_000

/** Limits calls within a number of seconds from the first one, for each subject; in memory. */
export class RateWindow {
  readonly #most: number
  readonly #milliseconds: number
  readonly #windows = new Map<string, { count: number; endsAt: number }>()

  #tell: ((subject: string) => void) | undefined

  constructor({ most, seconds }: { readonly most: number; readonly seconds: number }) {
    this.#most = most
    this.#milliseconds = seconds * 1000
  }

  /** Throws 429 with `sentence` if the window of a subject is full. Counts nothing. */
  require(subject: string, sentence: string): void {
    const window = this.#current(subject)
    if (window && window.count >= this.#most)
      throw tooManyRequests(sentence, (window.endsAt - performance.now()) / 1000)
  }

  count(subject: string): void {
    this.note(subject)
    this.#tell?.(subject)
  }

  /** Reports each count made here, so that others can record it too. */
  onCount(tell: (subject: string) => void): void {
    this.#tell = tell
  }

  /** Counts one without reporting it. */
  note(subject: string): void {
    const window = this.#current(subject)
    if (window) {
      window.count += 1
      return
    }
    if (this.#windows.size >= MOST_WINDOWS) this.#windows.delete(this.#windows.keys().next().value!)
    this.#windows.set(subject, { count: 1, endsAt: performance.now() + this.#milliseconds })
  }

  #current(subject: string): { count: number; endsAt: number } | null {
    const window = this.#windows.get(subject)
    if (!window) return null
    if (window.endsAt > performance.now()) return window
    this.#windows.delete(subject)
    return null
  }
}
