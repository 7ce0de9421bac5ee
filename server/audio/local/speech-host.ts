import { startEngine, type EngineProcess } from '../../engine/index.ts'
import { ServiceError, unavailable, upstreamFailed } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import type { SpeechOrder, SpeechReport } from './program/protocol.ts'

type SpeechProcess = EngineProcess<SpeechOrder, SpeechReport>

const MOST_CRASHES = 5
const CRASH_WINDOW_MILLISECONDS = 10 * 60_000
/** Idle time after which the model is removed from memory. */
const IDLE_MILLISECONDS = 5 * 60_000

const ended = (): ServiceError =>
  upstreamFailed(
    'The engine that turns speech into text ended in the middle of the recording. Try a smaller model or a shorter recording.',
    { code: 'speech_engine_ended' },
  )

/**
 * Transcribes recordings one after the other in a separate process. The process is started with the
 * first recording, and terminated when a caller leaves during theirs, as the engine itself cannot
 * be relied on to stop.
 */
export class SpeechHost {
  readonly #log: Logger
  #process: SpeechProcess | null = null
  #answer: PromiseWithResolvers<string> | null = null
  #last: Promise<unknown> = Promise.resolve()
  #crashes: number[] = []
  #idle: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(log: Logger) {
    this.#log = log
  }

  /** Id of the running process; for tests. */
  get pid(): number | undefined {
    return this.#process?.pid
  }

  get isRunning(): boolean {
    return this.#process !== null
  }

  /** True while a recording is being transcribed. */
  get isBusy(): boolean {
    return this.#answer !== null
  }

  /** Resolves with the transcript of a recording, after the earlier requests are done. */
  async transcribe(order: Omit<SpeechOrder, 'usesGraphics'>, signal: AbortSignal): Promise<string> {
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = before.then(() => promise)
    try {
      await untilAborted(before, signal)
      return await this.#ask(order, signal)
    } finally {
      resolve()
    }
  }

  /** Ends the process to free its memory, for example before a model file is deleted. */
  rest(): void {
    clearTimeout(this.#idle)
    this.#process?.kill()
    this.#process = null
  }

  close(): void {
    this.#isClosed = true
    this.rest()
    this.#answer?.reject(unavailable('The gateway is stopping.'))
  }

  async #ask(order: Omit<SpeechOrder, 'usesGraphics'>, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted()
    if (this.#isClosed) throw unavailable('The gateway is stopping.')
    this.#requireCalm()
    clearTimeout(this.#idle)
    const process = (this.#process ??= this.#start())
    const answer = (this.#answer = Promise.withResolvers<string>())
    const leave = (): void => {
      this.#drop(process)
      answer.reject(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    // Graphics drivers cause most crashes, so the graphics processor is used only if there were
    // none recently.
    process.send({ ...order, usesGraphics: this.#crashes.length === 0 })
    try {
      return await answer.promise
    } finally {
      signal.removeEventListener('abort', leave)
      this.#answer = null
      this.#restLater()
    }
  }

  #start(): SpeechProcess {
    const process = startEngine<SpeechOrder, SpeechReport>('speech', this.#log)
    process.onReport((report) => {
      if (this.#process !== process) return
      if ('text' in report) this.#answer?.resolve(report.text)
      else this.#answer?.reject(toServiceFault(report))
    })
    process.onEnd(() => {
      if (this.#process !== process) return
      this.#noteCrash()
      this.#answer?.reject(ended())
    })
    return process
  }

  #drop(process: SpeechProcess): void {
    if (this.#process !== process) return
    this.#process = null
    process.kill()
  }

  #restLater(): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.rest(), IDLE_MILLISECONDS)
    this.#idle.unref()
  }

  #noteCrash(): void {
    this.#process = null
    this.#crashes.push(performance.now())
    this.#log.warn('the speech recognition process ended unexpectedly')
  }

  #requireCalm(): void {
    const since = performance.now() - CRASH_WINDOW_MILLISECONDS
    this.#crashes = this.#crashes.filter((time) => time > since)
    if (this.#crashes.length >= MOST_CRASHES)
      throw unavailable(
        'The engine that turns speech into text ended several times in a row. Choose a smaller model, and try again in ten minutes.',
        { code: 'speech_engine_ended' },
      )
  }
}

const toServiceFault = ({ status, problem }: { status: number; problem: string }): ServiceError =>
  status < 500
    ? new ServiceError(status, problem, { code: 'unreadable_recording' })
    : unavailable(problem, { code: 'speech_engine_failed' })

function untilAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const leave = (): void => reject(signal.reason as Error)
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave, { once: true })
  void work.then(() => {
    signal.removeEventListener('abort', leave)
    resolve()
  })
  return promise
}
