/** Speech that was made. */
export interface KeptSpeech {
  readonly type: string
  readonly pieces: readonly Buffer[]
  readonly size: number
}

/**
 * Speech of the last calls, in memory alone: what people have read aloud is nothing to leave on a
 * disk. The one not asked for longest goes first.
 */
export class SpeechCache {
  readonly #kept = new Map<string, KeptSpeech>()
  readonly #mostBytes: () => number
  #bytes = 0

  constructor(mostBytes: () => number) {
    this.#mostBytes = mostBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  get(key: string): KeptSpeech | null {
    const found = this.#kept.get(key)
    if (!found) return null
    this.#kept.delete(key)
    this.#kept.set(key, found)
    return found
  }

  /** Whether something of this size may still grow and be kept. */
  takes(size: number): boolean {
    return size <= this.#mostBytes() / LEAST_ENTRIES
  }

  set(key: string, speech: KeptSpeech): void {
    if (!this.takes(speech.size)) return
    this.#remove(key)
    this.#kept.set(key, speech)
    this.#bytes += speech.size
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#mostBytes()) return
      this.#remove(oldest)
    }
  }

  #remove(key: string): void {
    this.#bytes -= this.#kept.get(key)?.size ?? 0
    this.#kept.delete(key)
  }
}

/** One long text does not push out everything else. */
const LEAST_ENTRIES = 4
