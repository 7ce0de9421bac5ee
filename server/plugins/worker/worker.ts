import type { Logger } from '../../lib/logger.ts'
import { OpenRequests, type AnswerRequest } from './answer-requests.ts'
import { CallBook, ITEM_CREDIT, type CallListeners, type CallResult } from './call-book.ts'
import { watchDescendants } from './descendants.ts'
import { workerFailure } from './faults.ts'
import type { Message } from './frames.ts'
import { openChunks, type ChunkOptions, type ChunkSession } from './open-chunks.ts'
import type { MessageBounds } from './message-bounds.ts'
import { readFrames } from './read-frames.ts'
import { createReader } from './read-messages.ts'
import { Refusals } from './refuse-messages.ts'
import type { WorkerProcess } from './start-process.ts'
import { FrameWriter } from './write-frames.ts'
import type { WorkerState, WorkerEvents } from './worker-state.ts'

export type { CallListeners, CallResult, ChunkSession }

export interface WorkerOptions {
  readonly id: string
  readonly process: WorkerProcess
  /** Number of processes below it that are not the plugins'. */
  readonly ownProcesses: number
  /**
   * Maximum number of processes plugins may start below it, if the system provides the count; 0 for
   * no limit.
   */
  readonly mostProcesses: number
  /** Maximum number of threads for concurrent synchronous functions of one plugin. */
  readonly mostThreads: number
  /** Returns the limits of its messages, from the current settings. */
  readonly bounds: () => MessageBounds
  readonly events: WorkerEvents
  readonly log: Logger
}

export const PROTOCOL_VERSION = 1
const CANCEL_GRACE_MILLISECONDS = 2_000
/**
 * Time that calls of other plugins may continue beside one that does not stop, and the interval of
 * the check.
 */
const LAST_GRACE_MILLISECONDS = 300_000
const LOOK_MILLISECONDS = 250
const STOP_GRACE_MILLISECONDS = 1_000
/**
 * Time without a heartbeat after which C code is assumed to hold the interpreter and to block the
 * worker.
 */
const SILENCE_MILLISECONDS = 30_000
const WATCH_MILLISECONDS = 5_000
const START_MILLISECONDS = 60_000
const TAIL_CHARACTERS = 4_000
const UNWRITABLE = 'What the plugin is to be given is nested too deeply.'

/** One worker process and the calls that run in it. */
export class Worker {
  readonly id: string
  readonly pid: number | undefined
  readonly state: WorkerState
  readonly #options: WorkerOptions
  readonly #book: CallBook
  readonly #writer: FrameWriter
  readonly #requests: OpenRequests
  readonly #gone = Promise.withResolvers<void>()
  #printed = ''
  #reasonToGo: string | null = null
  #isGone = false

  constructor(options: WorkerOptions) {
    const { id, process: child, mostThreads } = options
    const now = performance.now()
    this.#options = options
    this.id = id
    this.pid = child.pid
    this.state = {
      status: 'starting',
      memory: null,
      threads: null,
      tasks: 0,
      heardAt: now,
      lastUsed: now,
    }
    this.#book = new CallBook({
      onUse: () => (this.state.lastUsed = performance.now()),
      onEnded: (call, maySpeak) => this.#requests.endCall(call, maySpeak),
      onAnswerOver: (scope, calls) => {
        for (const call of calls) this.#requests.endCall(call, false)
        this.tell({ t: 'over', scope })
      },
    })
    this.#writer = new FrameWriter(child.input, (message) => this.#tellUnwritable(message))
    this.#requests = new OpenRequests(
      (message) => this.tell(message),
      (message) => this.#findAnswerer(message),
    )
    this.#read()
    child.onPrinted((text) => {
      this.#printed = (this.#printed + text).slice(-TAIL_CHARACTERS)
    })
    const endWatch = this.#watch()
    child.onExit((exit) => {
      endWatch()
      this.#leave(exit)
    })
    this.tell({ t: 'hello', protocol: PROTOCOL_VERSION, limits: { threads: mostThreads } })
  }

  /** Returns the plugins with running calls. */
  running(): string[] {
    return this.#book.running()
  }

  /** True while calls are running or answers they took part in are not over. */
  get isInUse(): boolean {
    return this.#book.isInUse
  }

  /** `plugin` is the label of the called plugin. */
  call({ plugin, fields, listeners, signal }: ChunkOptions): Promise<CallResult> {
    if (this.#isGone)
      return Promise.reject(workerFailure('gone', 'The process the plugin runs in has just ended.'))
    if (signal?.aborted) return Promise.reject(workerFailure('cancelled', 'The call was stopped.'))
    return new Promise((resolve, reject) => {
      const abort = (): void => this.#cancel(opened.id, plugin)
      const opened = this.#book.add(plugin, listeners, (outcome) => {
        signal?.removeEventListener('abort', abort)
        if (outcome instanceof Error) reject(outcome)
        else resolve(outcome)
      })
      signal?.addEventListener('abort', abort, { once: true })
      const answer = opened.entry.isOfAnswer
      this.tell({ t: 'call', credit: ITEM_CREDIT, ...fields, answer, id: opened.id })
    })
  }

  openChunks(options: ChunkOptions): ChunkSession {
    if (this.#isGone) throw workerFailure('gone', 'The process the plugin runs in has just ended.')
    if (options.signal?.aborted) throw workerFailure('cancelled', 'The call was stopped.')
    return openChunks(
      {
        book: this.#book,
        send: (message) => this.tell(message),
        cancel: (call, plugin) => this.#cancel(call, plugin),
      },
      options,
    )
  }

  tell(message: Message): void {
    if (!this.#isGone) this.#writer.send(message)
  }

  /** Asks it to end, then kills it. */
  async stop(): Promise<void> {
    if (this.#isGone) return
    this.state.status = 'stopping'
    this.tell({ t: 'shutdown', grace_ms: STOP_GRACE_MILLISECONDS - 500 })
    const timer = setTimeout(() => this.#kill('it did not end in time'), STOP_GRACE_MILLISECONDS)
    await this.#gone.promise
    clearTimeout(timer)
  }

  #kill(reason: string): void {
    this.#reasonToGo ??= reason
    this.#options.process.kill()
  }

  /** Reads its messages until its output ends. */
  #read(): void {
    const { id, process: child, bounds, events, log } = this.#options
    const shared = {
      id,
      book: this.#book,
      requests: this.#requests,
      send: (message: Message) => this.tell(message),
      log,
    }
    const kill = (reason: string): void => this.#kill(reason)
    const readMessage = createReader({ ...shared, state: this.state, kill, events })
    const refusals = new Refusals({ ...shared, bounds })
    void readFrames({
      output: child.output,
      bounds: () => bounds().json,
      onFrame(read, bytes) {
        const refusal = read.refusal ?? refusals.explain(read.message, bytes)
        if (refusal !== null) refusals.refuse(read.message, refusal)
        else readMessage(read.message as Message)
      },
      onSign: () => (this.state.heardAt = performance.now()),
      onBroken(error) {
        log.warn({ error, worker: id }, 'a plugin worker wrote an invalid message')
        kill('it wrote something that is no message')
      },
    })
  }

  /** Ends the process if it stops responding or has too many child processes. */
  #watch(): () => void {
    const { mostProcesses: most, ownProcesses } = this.#options
    const timer = setInterval(() => {
      const limit = this.state.status === 'starting' ? START_MILLISECONDS : SILENCE_MILLISECONDS
      if (performance.now() - this.state.heardAt > limit) this.#kill('it did not answer any more')
    }, WATCH_MILLISECONDS).unref()
    const onTooMany = (): void =>
      this.#kill(
        `it started more than ${most} processes, which is what PLUGIN_PROCESS_LIMIT allows`,
      )
    const below =
      this.pid === undefined
        ? null
        : watchDescendants({
            pid: this.pid,
            most: most > 0 ? most + ownProcesses : 0,
            onTooMany,
          })
    return () => {
      clearInterval(timer)
      below?.end()
    }
  }

  /** Handles the end of the process, which ends its calls. */
  #leave(exit: string): void {
    const { log, events } = this.#options
    this.#isGone = true
    this.#requests.close()
    const reason = this.#reasonToGo ?? exit
    const running = this.running()
    if (this.state.status !== 'stopping') {
      const about = { worker: this.id, reason, printed: this.#printed, running }
      log.warn(about, 'a plugin worker ended')
    }
    const failure = workerFailure(
      'gone',
      `The process the plugin runs in ended: ${reason}. It starts again with the next call.`,
    )
    this.#book.close(failure)
    events.onGone(reason, running)
    this.#gone.resolve()
  }

  /**
   * Cancels one call: by a request, and if its plugin does not respond, by ending the process once
   * no other plugin needs it.
   */
  #cancel(id: number, plugin: string): void {
    this.tell({ t: 'cancel', id })
    setTimeout(() => {
      if (!this.#book.get(id)) return
      this.#options.events.onStuck(plugin)
      this.#endAfterOthers(id, plugin)
    }, CANCEL_GRACE_MILLISECONDS).unref()
  }

  /**
   * Ends a process that gets no more calls: when a call that does not stop is the only one left, or
   * when all have ended.
   */
  #endAfterOthers(id: number, plugin: string): void {
    const end = performance.now() + LAST_GRACE_MILLISECONDS
    const look = (): boolean => {
      const open = this.#book.all()
      const isOver = this.#book.get(id)
        ? open.every((call) => call.plugin === plugin) || performance.now() > end
        : open.length === 0
      if (isOver) this.#kill('a plugin did not stop when it was told to')
      return isOver
    }
    if (look()) return
    const timer = setInterval(() => look() && clearInterval(timer), LOOK_MILLISECONDS).unref()
  }

  /**
   * Returns the handler for a request of a call. A large event is sent as a request, so that its
   * sender learns whether it was accepted.
   */
  #findAnswerer({ call, plugin, method }: Message): AnswerRequest | null {
    const listeners = this.#book.listenersOf(call, plugin)
    if (listeners === null) return null
    return method === 'event'
      ? (_, { data }) => Promise.resolve(listeners.onEvent?.(data))
      : listeners.request
  }

  /** Fails the caller waiting for a message that cannot be written. */
  #tellUnwritable({ t, id }: Message): void {
    if (t === 'call') this.#book.get(id)?.settle(workerFailure('host', UNWRITABLE))
    else if (t === 'answer')
      this.#writer.send({ t, id, error: { type: 'ValueError', message: UNWRITABLE } })
  }
}
