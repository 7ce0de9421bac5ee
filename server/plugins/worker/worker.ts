import type { Logger } from '../../lib/logger.ts'
import { createAnswering, type AnswerRequest } from './answer-requests.ts'
import {
  createCallBook,
  ITEM_CREDIT,
  type CallBook,
  type CallListeners,
  type CallResult,
} from './call-book.ts'
import { watchDescendants } from './descendants.ts'
import { workerFailure } from './faults.ts'
import type { Message } from './frames.ts'
import { openChunks, type ChunkOptions, type ChunkSession } from './open-chunks.ts'
import type { MessageBounds } from './message-bounds.ts'
import { readFrames } from './read-frames.ts'
import { createReaders } from './read-messages.ts'
import { createRefusing } from './refuse-messages.ts'
import type { WorkerProcess } from './start-process.ts'
import { FrameWriter } from './write-frames.ts'

/** How a worker is doing. Times as `performance.now()` tells them. */
export interface WorkerState {
  status: 'starting' | 'ready' | 'blocked' | 'stopping'
  memory: number | null
  threads: number | null
  tasks: number
  heardAt: number
  lastUsed: number
}

export interface WorkerEvents {
  /** The process is gone; `running` names the plugins whose calls went with it. */
  onGone(reason: string, running: readonly string[]): void
  /**
   * Code of this plugin does not stop when it is told to; the process ends once the calls of others
   * are over.
   */
  onStuck(plugin: string): void
  /** A plugin wrote what all workers share. */
  onState(message: Message): void
}

/** One worker process and the calls that run in it. */
export interface Worker {
  readonly id: string
  readonly pid: number | undefined
  readonly state: Readonly<WorkerState>
  /** The plugins whose calls run now. */
  running(): string[]
  /** `plugin` names whose call it is. */
  call(options: ChunkOptions): Promise<CallResult>
  openChunks(options: ChunkOptions): ChunkSession
  tell(message: Message): void
  /** Ends it politely, then by force. */
  stop(): Promise<void>
}

export type { CallListeners, CallResult, ChunkSession }

export interface WorkerOptions {
  readonly id: string
  readonly process: WorkerProcess
  /** Processes plugins may start below it, where the system tells; 0 for no limit. */
  readonly mostProcesses: number
  /** Threads functions of one plugin that are not async may run in at once. */
  readonly mostThreads: number
  /** What its messages may hold, as the settings say now. */
  readonly bounds: () => MessageBounds
  readonly events: WorkerEvents
  readonly log: Logger
}

export const PROTOCOL_VERSION = 1
const CANCEL_GRACE_MILLISECONDS = 2_000
/**
 * How long calls of other plugins may go on beside one that does not stop, and how often it is
 * looked whether they are over.
 */
const LAST_GRACE_MILLISECONDS = 300_000
const LOOK_MILLISECONDS = 250
const STOP_GRACE_MILLISECONDS = 1_000
/** Without a beat for so long, C code holds the interpreter and nothing in the worker goes on. */
const SILENCE_MILLISECONDS = 30_000
const WATCH_MILLISECONDS = 5_000
const START_MILLISECONDS = 60_000
const TAIL_CHARACTERS = 4_000
const UNWRITABLE = 'What the plugin is to be given is nested too deeply.'

interface Control {
  readonly book: CallBook
  readonly send: (message: Message) => void
  readonly kill: (reason: string) => void
  readonly onStuck: (plugin: string) => void
}

/**
 * Ends one call: politely, and if its plugin does not listen, by ending the process once nobody
 * else needs it.
 */
function cancelCall(control: Control, id: number, plugin: string): void {
  const { book, send, onStuck } = control
  send({ t: 'cancel', id })
  setTimeout(() => {
    if (!book.get(id)) return
    onStuck(plugin)
    endAfterOthers(control, id, plugin)
  }, CANCEL_GRACE_MILLISECONDS).unref()
}

/**
 * Ends a process nobody is given any more: when a call that does not stop is the last there is, or
 * when all are over.
 */
function endAfterOthers({ book, kill }: Control, id: number, plugin: string): void {
  const end = performance.now() + LAST_GRACE_MILLISECONDS
  const look = (): boolean => {
    const open = book.all()
    const isOver = book.get(id)
      ? open.every((call) => call.plugin === plugin) || performance.now() > end
      : open.length === 0
    if (isOver) kill('a plugin did not stop when it was told to')
    return isOver
  }
  if (look()) return
  const timer = setInterval(() => look() && clearInterval(timer), LOOK_MILLISECONDS).unref()
}

function sendCall(
  control: Control,
  { plugin, fields, listeners, signal }: ChunkOptions,
): Promise<CallResult> {
  if (signal?.aborted) return Promise.reject(workerFailure('cancelled', 'The call was stopped.'))
  return new Promise((resolve, reject) => {
    const abort = (): void => cancelCall(control, opened.id, plugin)
    const opened = control.book.add(plugin, listeners, (outcome) => {
      signal?.removeEventListener('abort', abort)
      if (outcome instanceof Error) reject(outcome)
      else resolve(outcome)
    })
    signal?.addEventListener('abort', abort, { once: true })
    control.send({ t: 'call', credit: ITEM_CREDIT, ...fields, id: opened.id })
  })
}

/** Ends a worker nothing is heard of any more. */
function watchOver(state: WorkerState, kill: (reason: string) => void): NodeJS.Timeout {
  const watch = setInterval(() => {
    const limit = state.status === 'starting' ? START_MILLISECONDS : SILENCE_MILLISECONDS
    if (performance.now() - state.heardAt > limit) kill('it did not answer any more')
  }, WATCH_MILLISECONDS)
  return watch.unref()
}

/**
 * Who answers a request of a call; a large event is one, so that its sender hears what became of
 * it.
 */
function findAnswerer(book: CallBook, { call, plugin, method }: Message): AnswerRequest | null {
  const listeners = book.listenersOf(call, plugin)
  if (listeners === null) return null
  return method === 'event'
    ? (_, { data }) => Promise.resolve(listeners.onEvent?.(data))
    : listeners.request
}

/** Writes to the process; who waits for what cannot be written is told. */
function createWriter({ input }: WorkerProcess, book: CallBook): FrameWriter {
  const writer = new FrameWriter(input, ({ t, id }) => {
    if (t === 'call') book.get(id)?.settle(workerFailure('host', UNWRITABLE))
    else if (t === 'answer')
      writer.send({ t, id, error: { type: 'ValueError', message: UNWRITABLE } })
  })
  return writer
}

/** Speaks the protocol with a process that was just started. */
export function createWorker({
  id,
  process: child,
  mostProcesses,
  mostThreads,
  bounds,
  events,
  log,
}: WorkerOptions): Worker {
  const now = performance.now()
  const state: WorkerState = {
    status: 'starting',
    memory: null,
    threads: null,
    tasks: 0,
    heardAt: now,
    lastUsed: now,
  }
  const book = createCallBook({
    onUse: () => (state.lastUsed = performance.now()),
    onEnded: (call) => answering.endCall(call),
  })
  let printed = ''
  let reasonToGo: string | null = null
  let isGone = false
  let announceGone: () => void = () => undefined
  const gone = new Promise<void>((resolve) => (announceGone = resolve))

  const writer = createWriter(child, book)
  const send = (message: Message): void => {
    if (!isGone) writer.send(message)
  }
  function kill(reason: string): void {
    reasonToGo ??= reason
    child.kill()
  }
  const watch = watchOver(state, kill)
  const onTooMany = (): void =>
    kill(
      `it started more than ${mostProcesses} processes, which is what PLUGIN_PROCESS_LIMIT allows`,
    )
  const below =
    child.pid === undefined
      ? null
      : watchDescendants({ pid: child.pid, most: mostProcesses, onTooMany })
  const answering = createAnswering(send, (message) => findAnswerer(book, message))
  const readers = createReaders({ id, book, state, answering, send, kill, events, log })
  const refusing = createRefusing({ id, book, answering, send, bounds, log })
  void readFrames({
    output: child.output,
    bounds: () => bounds().json,
    onFrame(read, bytes) {
      const refusal = read.refusal ?? refusing.explain(read.message, bytes)
      if (refusal !== null) refusing.refuse(read.message, refusal)
      else readers[read.message.t!]?.(read.message as Message)
    },
    onSign: () => (state.heardAt = performance.now()),
    onBroken(error) {
      log.warn({ error, worker: id }, 'a plugin worker wrote something that is no message')
      kill('it wrote something that is no message')
    },
  })
  child.onPrinted((text) => {
    printed = (printed + text).slice(-TAIL_CHARACTERS)
  })
  child.onExit((exit) => {
    isGone = true
    clearInterval(watch)
    below?.end()
    answering.close()
    const reason = reasonToGo ?? exit
    const running = book.running()
    if (state.status !== 'stopping')
      log.warn({ worker: id, reason, printed, running }, 'a plugin worker ended')
    const failure = workerFailure(
      'gone',
      `The process the plugin runs in ended: ${reason}. It starts again with the next call.`,
    )
    for (const open of book.all()) open.settle(failure)
    events.onGone(reason, running)
    announceGone()
  })
  send({ t: 'hello', protocol: PROTOCOL_VERSION, limits: { threads: mostThreads } })

  const control: Control = { book, send, kill, onStuck: (plugin) => events.onStuck(plugin) }
  return {
    id,
    pid: child.pid,
    state,
    running: () => book.running(),
    call(options) {
      if (isGone)
        return Promise.reject(
          workerFailure('gone', 'The process the plugin runs in has just ended.'),
        )
      return sendCall(control, options)
    },
    openChunks(options) {
      if (isGone) throw workerFailure('gone', 'The process the plugin runs in has just ended.')
      if (options.signal?.aborted) throw workerFailure('cancelled', 'The call was stopped.')
      return openChunks(
        { book, send, cancel: (call, plugin) => cancelCall(control, call, plugin) },
        options,
      )
    },
    tell: send,
    async stop() {
      if (isGone) return
      state.status = 'stopping'
      send({ t: 'shutdown', grace_ms: STOP_GRACE_MILLISECONDS - 500 })
      const timer = setTimeout(() => kill('it did not end in time'), STOP_GRACE_MILLISECONDS)
      await gone
      clearTimeout(timer)
    },
  }
}
