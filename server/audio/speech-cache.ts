/** Cached speech. */
export interface KeptSpeech {
  readonly type: string
  readonly pieces: readonly Buffer[]
  readonly size: number
}

/**
 * Cache for the speech of recent calls, in memory only: text that users have read aloud must not be
 * left on a disk. The least recently used entry is evicted first.
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

  /** Reports whether speech of this size may still be cached. */
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

/** One long text must not evict everything else. */
const LEAST_ENTRIES = 4
