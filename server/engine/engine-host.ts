import { randomBytes } from 'node:crypto'
import { unavailable } from '../lib/errors.ts'
import type { Logger } from '../lib/logger.ts'
import { createOutgoingTarget, type OutgoingTarget } from '../lib/outgoing/outgoing.ts'
import type { CallWait } from '../lib/outgoing/call-wait.ts'
import {
  FILE_HEADER,
  FORGET_PATH,
  type EngineOrder,
  type EngineReport,
} from './program/protocol.ts'
import { startEngine, type EngineProcess } from './start-engine.ts'

type ModelProcess = EngineProcess<EngineOrder, EngineReport>

const START_MILLISECONDS = 60_000
const CONNECT_MILLISECONDS = 5000
const FORGET_MILLISECONDS = 10_000
const FORGET_BYTES = 10_000
const MOST_CRASHES = 5
const CRASH_WINDOW_MILLISECONDS = 10 * 60_000

/** Target of a running engine and the token that authenticates calls to it. */
export interface RunningEngine {
  readonly target: OutgoingTarget
  readonly token: string
  /** Reports whether it was told to end, so that a call may have arrived too late. */
  isEnding(): boolean
  /** Abandons an engine that no longer accepts calls: the next call starts another one. */
  abandon(): void
  /** Has a listener told why the call with an id waits. */
  watch(call: string, onWait: (wait: CallWait) => void): void
  unwatch(call: string): void
}

interface Life {
  readonly process: ModelProcess
  readonly running: Promise<RunningEngine>
}

/**
 * Starts the engine with the first call and restarts it after it has ended, but not after repeated
 * crashes.
 */
export class EngineHost {
  readonly #log: Logger
  #life: Life | null = null
  #crashes: number[] = []
  readonly #ending = new Set<ModelProcess>()
  #isClosed = false
  readonly #cudaPackages: () => Readonly<Record<string, string>>
  #usesCuda: boolean | null = null

  /** `cudaPackages` returns the entry files of the packages for NVIDIA cards by their names. */
  constructor(log: Logger, cudaPackages: () => Readonly<Record<string, string>> = () => ({})) {
    this.#log = log
    this.#cudaPackages = cudaPackages
  }

  /** Whether the last engine with these packages uses them; null before its first model. */
  get usesCuda(): boolean | null {
    return this.#usesCuda
  }

  /** Process id while it runs; for tests and for display. */
  get pid(): number | undefined {
    return this.#life?.process.pid
  }

  get isRunning(): boolean {
    return this.#life !== null
  }

  /** Returns the engine and starts it if necessary; throws 503 if it has crashed too often. */
  async open(): Promise<RunningEngine> {
    if (this.#isClosed) throw unavailable('The gateway is stopping.')
    this.#life ??= this.#begin()
    return this.#life.running
  }

  /** Has a running engine unload a file that is about to be deleted or replaced. */
  async forget(file: string): Promise<void> {
    if (!this.isRunning || this.#isClosed) return
    try {
      const { target, token } = await this.open()
      const reply = await target.open(
        {
          method: 'POST',
          path: FORGET_PATH,
          headers: {
            authorization: `Bearer ${token}`,
            [FILE_HEADER]: encodeURIComponent(file),
          },
          body: null,
          firstByteMilliseconds: FORGET_MILLISECONDS,
          idleMilliseconds: FORGET_MILLISECONDS,
        },
        AbortSignal.timeout(FORGET_MILLISECONDS),
      )
      await reply.bytes(FORGET_BYTES)
    } catch (error) {
      // An engine that ends by itself frees the memory too.
      this.#log.warn({ error }, 'the engine did not unload a model')
    }
  }

  /** Ends the engine after its running answers; the next call starts another one. */
  restart(): void {
    this.#usesCuda = null
    if (this.#life) this.#end(this.#life.process)
  }

  close(): void {
    this.#isClosed = true
    this.#life?.process.kill()
    for (const process of this.#ending) process.kill()
  }

  #requireCalm(): void {
    const since = performance.now() - CRASH_WINDOW_MILLISECONDS
    this.#crashes = this.#crashes.filter((time) => time > since)
    if (this.#crashes.length >= MOST_CRASHES)
      throw unavailable(
        'The engine that runs models ended several times in a row. Choose a smaller model, and try again in ten minutes.',
        { code: 'engine_crashes' },
      )
  }

  #begin(): Life {
    this.#requireCalm()
    const process = startEngine<EngineOrder, EngineReport>('engine', this.#log)
    const token = randomBytes(32).toString('base64url')
    const ready = Promise.withResolvers<RunningEngine>()
    let isEnding = false
    const timer = setTimeout(() => process.kill(), START_MILLISECONDS)
    let target: OutgoingTarget | null = null
    const watchers = new Map<string, (wait: CallWait) => void>()
    const cudaPackages = this.#cudaPackages()
    const hasPackages = Object.keys(cudaPackages).length > 0
    process.onReport((report) => {
      if (report.type === 'opened') {
        if (hasPackages && this.#life?.process === process) this.#usesCuda = report.usesCuda
      } else if (report.type === 'ready') {
        clearTimeout(timer)
        target = createOutgoingTarget(`http://127.0.0.1:${report.port}`, {
          connectMilliseconds: CONNECT_MILLISECONDS,
        })
        ready.resolve({
          target,
          token,
          isEnding: () => isEnding,
          abandon: () => this.#abandon(process),
          watch: (call, onWait) => void watchers.set(call, onWait),
          unwatch: (call) => void watchers.delete(call),
        })
      } else if (report.type === 'waiting') {
        watchers.get(report.call)?.(report.wait)
      } else {
        isEnding = true
        this.#end(process)
      }
    })
    process.onEnd(() => {
      clearTimeout(timer)
      void target?.retire()
      ready.reject(
        unavailable('The engine that runs models did not start on the gateway’s computer.'),
      )
      const wasWanted = !this.#ending.delete(process)
      if (this.#life?.process === process) this.#life = null
      if (!wasWanted || this.#isClosed) return
      this.#crashes.push(performance.now())
      this.#log.warn('the model engine ended unexpectedly')
    })
    ready.promise.catch(() => undefined)
    process.send({
      type: 'start',
      token,
      usesGraphics: this.#crashes.length === 0,
      cudaPackages,
    })
    return { process, running: ready.promise }
  }

  #abandon(process: ModelProcess): void {
    if (this.#life?.process !== process) return
    this.#life = null
    process.kill()
  }

  /** Retires the engine: new calls start another one, running ones are still answered. */
  #end(process: ModelProcess): void {
    if (this.#life?.process === process) this.#life = null
    this.#ending.add(process)
    process.send({ type: 'stop' })
  }
}
