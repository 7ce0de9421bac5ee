import { startEngine, type EngineProcess } from '../../engine/index.ts'
import { ServiceError, unavailable, upstreamFailed } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import type { SpeechOrder, SpeechReport } from './program/protocol.ts'

type SpeechProcess = EngineProcess<SpeechOrder, SpeechReport>

const MOST_CRASHES = 5
const CRASH_WINDOW_MILLISECONDS = 10 * 60_000
/** A model that nobody needed for so long leaves the memory. */
const IDLE_MILLISECONDS = 5 * 60_000

const ended = (): ServiceError =>
  upstreamFailed(
    'The engine that turns speech into text ended in the middle of the recording. Try a smaller model or a shorter recording.',
    { code: 'speech_engine_ended' },
  )

/**
 * Has one recording after the other turned into text by a process of its own. It is started with
 * the first one, and ended when a caller leaves in the middle of theirs, as the engine itself only
 * stops when it likes.
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

  /** The process id while it runs; for tests. */
  get pid(): number | undefined {
    return this.#process?.pid
  }

  get isRunning(): boolean {
    return this.#process !== null
  }

  /** Whether a recording is being listened to. */
  get isBusy(): boolean {
    return this.#answer !== null
  }

  /** The words of a recording, once those asked for before are done. */
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

  /** Frees the memory, such as for a file that is to be deleted. */
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
    // Drivers of graphics processors are to blame for most ends.
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
    this.#log.warn('the engine that turns speech into text ended by itself')
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
