import { createStore, type StoreApi } from 'zustand/vanilla'
import { isAborted, toSentence } from '../../../api/api-error.ts'
import { translate } from '../../../lib/i18n.ts'
import { Microphone, MicrophoneError } from '../../../ui/voice/microphone.ts'
import { Speaker } from '../../../ui/voice/speaker.ts'
import { SpeechDetector } from '../../../ui/voice/speech-detector.ts'
import { transcribe } from '../../../ui/voice/transcribe.ts'
import { voiceChoice } from '../../../ui/voice/voice-choice.ts'
import type { VoiceRights } from '../../../ui/voice/voice-rights.ts'
import { chooseSpeaker } from '../../../ui/voice/voices.ts'
import { stopAnswer } from '../branches/change-branch.ts'
import { chatDeps } from '../chat-registry.ts'
import { type ChatStore, selectIsAnswering } from '../chat-store.ts'
import { readWith } from './reading.ts'

export type CallPhase =
  | 'opening'
  | 'listening'
  | 'hearing'
  | 'transcribing'
  | 'waiting'
  | 'speaking'
  | 'failed'

export interface CallState {
  readonly phase: CallPhase
  readonly isMuted: boolean
  /** The user's last utterance. */
  readonly said: string
  /** The sentence being spoken. */
  readonly caption: string
  readonly problem: string | null
}

interface CallParts {
  readonly store: ChatStore
  readonly rights: VoiceRights
  readonly onSend: (text: string) => void
}

const LOOK_MILLISECONDS = 40
/**
 * Interval in ms at which a recording restarts during silence, so that it grows neither with
 * silence nor with the device's own voice output.
 */
const SILENT_RECORDING_MILLISECONDS = 8000
const SPEAKING_RECORDING_MILLISECONDS = 1500

/**
 * A hands-free conversation: listens until the user has spoken, sends the text, reads the answer
 * aloud as it is streamed, and listens again. Speaking during the answer interrupts it.
 */
export class Call {
  readonly state: StoreApi<CallState>
  readonly #parts: CallParts
  readonly #ending = new AbortController()
  readonly #detector = new SpeechDetector()
  #microphone: Microphone | null = null
  #speaker: Speaker | null = null
  #timer: ReturnType<typeof setInterval> | null = null
  #recordingSince = 0
  /** Turn counter, used to discard the results of earlier turns. */
  #turn = 0

  constructor(parts: CallParts) {
    this.#parts = parts
    this.state = createStore<CallState>(() => ({
      phase: 'opening',
      isMuted: false,
      said: '',
      caption: '',
      problem: null,
    }))
  }

  async begin(): Promise<void> {
    try {
      const microphone = await Microphone.open()
      if (this.#ending.signal.aborted) return microphone.close()
      this.#microphone = microphone
      this.#listen()
      this.#timer = setInterval(() => this.#look(), LOOK_MILLISECONDS)
    } catch (thrown) {
      this.#fail(thrown)
    }
  }

  level(): number {
    return this.state.getState().isMuted ? 0 : (this.#microphone?.level() ?? 0)
  }

  mute(isMuted: boolean): void {
    this.#microphone?.mute(isMuted)
    this.#detector.reset()
    this.state.setState({ isMuted })
  }

  /** Stops the answer and listens. */
  interrupt(): void {
    this.#turn += 1
    this.#speaker?.stop()
    this.#speaker = null
    const { store } = this.#parts
    if (selectIsAnswering(store.getState()))
      stopAnswer(store, chatDeps).catch((thrown: unknown) => this.#fail(thrown))
    this.state.setState({ phase: 'listening', caption: '' })
  }

  end(): void {
    this.#turn += 1
    this.#ending.abort()
    this.#speaker?.stop()
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#microphone?.close()
    this.#microphone = null
  }

  #listen(): void {
    this.#detector.reset()
    this.#record()
    this.state.setState({ phase: 'listening', caption: '' })
  }

  #record(): void {
    this.#microphone?.record()
    this.#recordingSince = performance.now()
  }

  #look(): void {
    const { phase, isMuted } = this.state.getState()
    if (isMuted || phase === 'transcribing' || phase === 'failed' || !this.#microphone) return
    const now = performance.now()
    const isAnswering = phase === 'speaking'
    const heard = this.#detector.hear(this.#microphone.level(), now, isAnswering)
    if (heard === 'began') {
      if (phase !== 'listening') this.interrupt()
      this.state.setState({ phase: 'hearing' })
    } else if (heard === 'ended' && phase === 'hearing') {
      void this.#take()
    } else if (phase !== 'hearing' && !this.#detector.isRising) {
      const longest = isAnswering ? SPEAKING_RECORDING_MILLISECONDS : SILENT_RECORDING_MILLISECONDS
      if (now - this.#recordingSince > longest) this.#record()
    }
  }

  /** Sends the spoken text to the model. */
  async #take(): Promise<void> {
    const turn = (this.#turn += 1)
    this.state.setState({ phase: 'transcribing' })
    try {
      const words = await transcribe(await this.#microphone!.take(), this.#ending.signal)
      if (turn !== this.#turn) return
      if (words === '') return this.#listen()
      this.state.setState({ said: words, phase: 'waiting' })
      this.#detector.reset()
      this.#record()
      await this.#answer(words, turn)
    } catch (thrown) {
      if (turn === this.#turn) this.#fail(thrown)
    }
  }

  async #answer(words: string, turn: number): Promise<void> {
    const { store, onSend, rights } = this.#parts
    const answerId = await this.#ask(() => onSend(words), turn)
    const voice = chooseSpeaker(voiceChoice(), rights.engineSpeaks)
    if (answerId === null || turn !== this.#turn) return
    if (!voice) throw new Error(translate('voice.noVoice'))
    const speaker = new Speaker(voice)
    this.#speaker = speaker
    const leave = speaker.store.subscribe(({ status, caption }) => {
      if (turn === this.#turn && status === 'speaking')
        this.state.setState({ phase: 'speaking', caption })
    })
    await readWith(speaker, store, answerId, rights.splitOn)
    leave()
    if (turn !== this.#turn) return
    const { problem } = speaker.store.getState()
    if (problem !== null) throw new Error(problem)
    this.#listen()
  }

  /** Sends the message and resolves with the id of the new answer. */
  async #ask(send: () => void, turn: number): Promise<string | null> {
    const { store } = this.#parts
    const before = store.getState().liveTurn
    send()
    const { promise, resolve } = Promise.withResolvers<string | null>()
    const look = (): void => {
      const { liveTurn } = store.getState()
      if (turn !== this.#turn) resolve(null)
      else if (liveTurn !== null && liveTurn !== before) resolve(liveTurn)
    }
    const leave = store.subscribe(look)
    this.#ending.signal.addEventListener('abort', () => resolve(null), { once: true })
    look()
    return promise.finally(leave)
  }

  #fail(thrown: unknown): void {
    if (this.#ending.signal.aborted || isAborted(thrown)) return
    const problem =
      thrown instanceof MicrophoneError
        ? translate(`voice.problem.${thrown.fault}`)
        : toSentence(thrown)
    this.end()
    this.state.setState({ phase: 'failed', problem })
  }
}
