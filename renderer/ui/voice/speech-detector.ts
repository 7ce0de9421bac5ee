export type Heard = 'began' | 'ended' | null

interface DetectorOptions {
  /** Silence after which somebody is done. */
  readonly silenceMilliseconds?: number
  /** Sound shorter than this is no speech. */
  readonly leastMilliseconds?: number
}

const LEAST_LEVEL = 0.012
/** How much louder than the room speech is. */
const ABOVE_ROOM = 3
/** What comes back from the own speakers is louder than the room, too. */
const ABOVE_OWN_VOICE = 2

/**
 * Tells from the loudness alone when somebody begins and stops speaking. The loudness of the room is
 * followed while nobody does.
 */
export class SpeechDetector {
  readonly #silence: number
  readonly #least: number
  #room = 0.004
  #loudSince: number | null = null
  #quietSince: number | null = null
  #isSpeaking = false

  constructor({ silenceMilliseconds = 900, leastMilliseconds = 180 }: DetectorOptions = {}) {
    this.#silence = silenceMilliseconds
    this.#least = leastMilliseconds
  }

  /** One look at the loudness; `now` in milliseconds. */
  hear(level: number, now: number, isAnswering = false): Heard {
    const usual = Math.max(LEAST_LEVEL, this.#room * ABOVE_ROOM)
    const isLoud = level > (isAnswering ? usual * ABOVE_OWN_VOICE : usual)
    if (isLoud) {
      this.#quietSince = null
      this.#loudSince ??= now
      if (this.#isSpeaking || now - this.#loudSince < this.#least) return null
      this.#isSpeaking = true
      return 'began'
    }
    this.#quietSince ??= now
    // Between two words nobody has stopped.
    if (now - this.#quietSince >= this.#least) this.#loudSince = null
    if (!this.#isSpeaking) {
      this.#room += (Math.min(level, 0.05) - this.#room) * 0.05
      return null
    }
    if (now - this.#quietSince < this.#silence) return null
    this.#isSpeaking = false
    return 'ended'
  }

  /** Whether what is heard now may become speech. */
  get isRising(): boolean {
    return this.#loudSince !== null
  }

  reset(): void {
    this.#isSpeaking = false
    this.#loudSince = null
    this.#quietSince = null
  }
}
