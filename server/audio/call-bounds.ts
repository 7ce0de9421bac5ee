import { badRequest, timedOut, tooManyRequests } from '../lib/errors.ts'
import type { AudioSettings } from './audio-settings.ts'

const RETRY_SECONDS = 5

/** Limits the number of concurrent calls per user and the duration of a call. */
export class CallBounds {
  readonly #running = new Map<string, number>()
  readonly #settings: AudioSettings

  constructor(settings: AudioSettings) {
    this.#settings = settings
  }

  /**
   * Runs a call within both limits; the signal it receives aborts at the time limit or when the
   * caller aborts.
   */
  run<Value>(
    { userId, signal }: { readonly userId: string; readonly signal: AbortSignal },
    work: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> {
    return this.count(userId, () => this.limitTime(signal, work))
  }

  /** Runs a call that counts among those of its user; throws 429 if there are too many. */
  async count<Value>(userId: string, work: () => Promise<Value>): Promise<Value> {
    const count = this.#running.get(userId) ?? 0
    if (count >= this.#settings.get('AUDIO_MAX_CALLS'))
      throw tooManyRequests(
        'You have too many recordings or sentences under way already. Wait for one of them.',
        RETRY_SECONDS,
      )
    this.#running.set(userId, count + 1)
    try {
      return await work()
    } finally {
      const left = (this.#running.get(userId) ?? 1) - 1
      if (left <= 0) this.#running.delete(userId)
      else this.#running.set(userId, left)
    }
  }

  /** Runs a call within its time limit alone, for one that is counted already. */
  async limitTime<Value>(
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> {
    const ending = new AbortController()
    const seconds = this.#settings.get('AUDIO_TIMEOUT')
    const timer = setTimeout(
      () => ending.abort(timedOut('The audio engine did not finish in time.')),
      seconds * 1000,
    )
    const onLeave = (): void => ending.abort(badRequest('The call was ended.', { code: 'stopped' }))
    if (signal.aborted) onLeave()
    signal.addEventListener('abort', onLeave)
    try {
      ending.signal.throwIfAborted()
      return await work(ending.signal)
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onLeave)
    }
  }
}
