export type Heard = 'began' | 'ended' | null

/** Duration of silence after which speech has ended. */
const SILENCE_MILLISECONDS = 900
/** Minimum duration of speech. */
const LEAST_MILLISECONDS = 180
const LEAST_LEVEL = 0.012
/** Loudness of speech as a multiple of the background noise. */
const ABOVE_ROOM = 3
/**
 * Additional factor during output, since the device's own speakers are louder than the background
 * noise, too.
 */
const ABOVE_OWN_VOICE = 2

/**
 * Detects the start and end of speech from loudness alone. Adapts to the background noise while
 * there is no speech.
 */
export class SpeechDetector {
  #room = 0.004
  #loudSince: number | null = null
  #quietSince: number | null = null
  #isSpeaking = false

  /** Processes one loudness sample; `now` in milliseconds. */
  hear(level: number, now: number, isAnswering = false): Heard {
    const usual = Math.max(LEAST_LEVEL, this.#room * ABOVE_ROOM)
    const isLoud = level > (isAnswering ? usual * ABOVE_OWN_VOICE : usual)
    if (isLoud) {
      this.#quietSince = null
      this.#loudSince ??= now
      if (this.#isSpeaking || now - this.#loudSince < LEAST_MILLISECONDS) return null
      this.#isSpeaking = true
      return 'began'
    }
    this.#quietSince ??= now
    // A gap between two words does not end the speech.
    if (now - this.#quietSince >= LEAST_MILLISECONDS) this.#loudSince = null
    if (!this.#isSpeaking) {
      this.#room += (Math.min(level, 0.05) - this.#room) * 0.05
      return null
    }
    if (now - this.#quietSince < SILENCE_MILLISECONDS) return null
    this.#isSpeaking = false
    return 'ended'
  }

  /** True if the current sound may become speech. */
  get isRising(): boolean {
    return this.#loudSince !== null
  }

  reset(): void {
    this.#isSpeaking = false
    this.#loudSince = null
    this.#quietSince = null
  }
}
