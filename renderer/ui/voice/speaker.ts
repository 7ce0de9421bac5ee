import { createStore, type StoreApi } from 'zustand/vanilla'
import { toSentence } from '../../api/api-error.ts'
import type { ReadySentence, Voice } from './voices.ts'

export interface SpeakerState {
  readonly status: 'idle' | 'preparing' | 'speaking'
  /** The sentence being spoken. */
  readonly caption: string
  /** Reason speaking ended early; null otherwise. */
  readonly problem: string | null
}

/** Number of sentences prepared while another is spoken. */
const AHEAD = 2

interface Waiting {
  readonly text: string
  ready: Promise<ReadySentence> | null
}

/** Speaks sentences in order, preparing the next ones while one is spoken. */
export class Speaker {
  readonly store: StoreApi<SpeakerState>
  readonly #voice: Voice
  readonly #ending = new AbortController()
  readonly #queue: Waiting[] = []
  #isRunning = false
  #isComplete = false
  readonly #done = Promise.withResolvers<void>()

  constructor(voice: Voice) {
    this.#voice = voice
    this.store = createStore<SpeakerState>(() => ({
      status: 'idle',
      caption: '',
      problem: null,
    }))
  }

  /** Resolves when everything was spoken or speaking was stopped. */
  get done(): Promise<void> {
    return this.#done.promise
  }

  say(pieces: readonly string[]): void {
    if (this.#ending.signal.aborted || pieces.length === 0) return
    this.#queue.push(...pieces.map((text) => ({ text, ready: null })))
    this.#prepare()
    void this.#run()
  }

  /** Marks the end of the input. */
  complete(): void {
    this.#isComplete = true
    void this.#run()
  }

  /** Stops speaking immediately. */
  stop(): void {
    if (this.#ending.signal.aborted) return
    this.#ending.abort()
    this.#finish(null)
  }

  #prepare(): void {
    for (const waiting of this.#queue.slice(0, AHEAD)) {
      waiting.ready ??= this.#voice(waiting.text, this.#ending.signal)
      // The error is reported when its turn comes.
      waiting.ready.catch(() => undefined)
    }
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    try {
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
        next.ready ??= this.#voice(next.text, this.#ending.signal)
        this.store.setState({ status: 'preparing' })
        const ready = await next.ready
        this.#prepare()
        if (this.#ending.signal.aborted) return ready.discard()
        this.store.setState({ status: 'speaking', caption: next.text })
        await ready.play(this.#ending.signal).finally(() => ready.discard())
        if (this.#ending.signal.aborted) return
      }
      this.store.setState({ status: this.#isComplete ? 'idle' : 'preparing' })
      if (this.#isComplete) this.#finish(null)
    } catch (thrown) {
      if (!this.#ending.signal.aborted) this.#fail(thrown)
    } finally {
      this.#isRunning = false
    }
  }

  #fail(thrown: unknown): void {
    this.#ending.abort()
    this.#finish(toSentence(thrown))
  }

  #finish(problem: string | null): void {
    for (const { ready } of this.#queue.splice(0)) {
      ready?.then(
        (sentence) => sentence.discard(),
        () => undefined,
      )
    }
    this.store.setState({ status: 'idle', problem })
    this.#done.resolve()
  }
}
