import { createStore, type StoreApi } from 'zustand/vanilla'
import { isAborted, toSentence } from '../../api/api-error.ts'
import { formatLocale, translate } from '../../lib/i18n.ts'
import { announce } from '../layout/live-region.tsx'
import { Microphone, MicrophoneError } from './microphone.ts'
import { dictate, hasRecognition, type Dictation } from './recognition.ts'
import { transcribe } from './transcribe.ts'
import type { VoiceRights } from './voice-rights.ts'

export interface DictatingState {
  readonly phase: 'off' | 'opening' | 'recording' | 'transcribing'
  /** Reason there is no text, until dismissed. */
  readonly problem: string | null
  /** Interim result, if the browser does the recognition. */
  readonly caption: string
  /** Time in ms at which listening started. */
  readonly startedAt: number
}

/** Speech recogniser: the gateway's engine or the browser itself. */
export type ListeningWay = 'gateway' | 'browser'

/** Returns the recogniser that is used; null if none is available. */
export function listeningWay(rights: VoiceRights, listens: ListeningWay): ListeningWay | null {
  if (rights.engineListens && (listens === 'gateway' || !hasRecognition())) return 'gateway'
  return hasRecognition() ? 'browser' : null
}

interface Attempt {
  readonly ending: AbortController
  microphone: Microphone | null
  dictation: Dictation | null
}

const OFF = { phase: 'off', caption: '', startedAt: 0 } as const

const describe = (thrown: unknown): string =>
  thrown instanceof MicrophoneError
    ? translate(`voice.problem.${thrown.fault}`)
    : toSentence(thrown)

/** Dictation for one text box, from the button press to the text, one at a time. */
export class Dictating {
  readonly state: StoreApi<DictatingState>
  #onWords: (words: string) => void = () => undefined
  #attempt: Attempt | null = null

  constructor() {
    this.state = createStore<DictatingState>(() => ({ ...OFF, problem: null }))
  }

  readonly level = (): number => this.#attempt?.microphone?.level() ?? 0

  /** Sets the callback that receives the text; the last one set applies. */
  connect(onWords: (words: string) => void): void {
    this.#onWords = onWords
  }

  start(way: ListeningWay): void {
    if (this.#attempt) return
    const attempt: Attempt = { ending: new AbortController(), microphone: null, dictation: null }
    this.#attempt = attempt
    this.state.setState({ phase: 'opening', problem: null })
    if (way === 'gateway') this.#record(attempt).catch((thrown: unknown) => this.#fail(thrown))
    else this.#recognise(attempt)
  }

  /** Stops listening; the text follows. */
  finish(): void {
    const attempt = this.#attempt
    if (!attempt || this.state.getState().phase !== 'recording') return
    if (attempt.dictation) attempt.dictation.stop()
    else void this.#transcribe(attempt)
  }

  cancel(): void {
    this.close()
    announce(translate('voice.cancelled'))
  }

  dismiss(): void {
    this.state.setState({ problem: null })
  }

  /** Releases all resources; nothing is recorded any more. */
  close(): void {
    const attempt = this.#attempt
    this.#attempt = null
    attempt?.ending.abort()
    attempt?.microphone?.close()
    attempt?.dictation?.cancel()
    this.state.setState(OFF)
  }

  async #record(attempt: Attempt): Promise<void> {
    const microphone = await Microphone.open()
    if (attempt.ending.signal.aborted) return microphone.close()
    attempt.microphone = microphone
    microphone.record()
    this.#begun()
  }

  #recognise(attempt: Attempt): void {
    attempt.dictation = dictate(formatLocale(), (caption) => this.state.setState({ caption }))
    attempt.dictation.words.then(
      (words) => this.#attempt === attempt && this.#give(words),
      () =>
        this.#attempt === attempt && this.#fail(new Error(translate('voice.problem.recognition'))),
    )
    this.#begun()
  }

  #begun(): void {
    this.state.setState({ phase: 'recording', startedAt: Date.now() })
    announce(translate('voice.listening'))
  }

  async #transcribe(attempt: Attempt): Promise<void> {
    this.state.setState({ phase: 'transcribing' })
    try {
      const recording = await attempt.microphone!.take()
      attempt.microphone?.close()
      const words = await transcribe(recording, attempt.ending.signal)
      if (this.#attempt === attempt) this.#give(words)
    } catch (thrown) {
      if (this.#attempt === attempt) this.#fail(thrown)
    }
  }

  #give(words: string): void {
    this.close()
    if (words === '') return this.state.setState({ problem: translate('voice.nothingHeard') })
    this.#onWords(words)
  }

  #fail(thrown: unknown): void {
    this.close()
    if (!isAborted(thrown)) this.state.setState({ problem: describe(thrown) })
  }
}
