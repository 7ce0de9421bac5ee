import { badRequest, timedOut, tooManyRequests } from '../lib/errors.ts'
import type { AudioSettings } from './audio-settings.ts'

const RETRY_SECONDS = 5

/** How many calls each person has under way, and how long one may take. */
export class CallBounds {
  readonly #running = new Map<string, number>()
  readonly #settings: AudioSettings

  constructor(settings: AudioSettings) {
    this.#settings = settings
  }

  /** Runs a call within its bounds; the signal it gets ends with its time and with the caller. */
  async run<Value>(
    { userId, signal }: { readonly userId: string; readonly signal: AbortSignal },
    work: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> {
    const count = this.#running.get(userId) ?? 0
    if (count >= this.#settings.get('AUDIO_MAX_CALLS'))
      throw tooManyRequests(
        'You have too many recordings or sentences under way already. Wait for one of them.',
        RETRY_SECONDS,
      )
    const ending = new AbortController()
    const seconds = this.#settings.get('AUDIO_TIMEOUT')
    const timer = setTimeout(
      () => ending.abort(timedOut('The audio engine did not finish in time.')),
      seconds * 1000,
    )
    const onLeave = (): void => ending.abort(badRequest('The call was ended.', { code: 'stopped' }))
    if (signal.aborted) onLeave()
    signal.addEventListener('abort', onLeave)
    this.#running.set(userId, count + 1)
    try {
      ending.signal.throwIfAborted()
      return await work(ending.signal)
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onLeave)
      const left = (this.#running.get(userId) ?? 1) - 1
      if (left <= 0) this.#running.delete(userId)
      else this.#running.set(userId, left)
    }
  }
}
