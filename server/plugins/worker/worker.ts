import { isRecord } from '../../lib/is-record.ts'
import type { Logger } from '../../lib/logger.ts'
import { createAnswering, type AnswerRequest } from './answer-requests.ts'
import { toFailure, workerFailure } from './faults.ts'
import { createFrameReader, encodeFrame, type Message } from './frames.ts'
import type { WorkerProcess } from './start-process.ts'

/** What a running call tells. */
export interface CallListeners {
  onEvent?(event: unknown): void
  onLog?(log: { readonly stream: string; readonly level: string | null; readonly lines: readonly string[] }): void
  onNotice?(notice: Message): void
  onOpen?(head: Message): void
  /** Items of a generator; resolves when more can be taken. */
  onItems?(items: readonly unknown[]): void | Promise<void>
  readonly request: AnswerRequest
}

/** What a call came to. */
export interface CallResult {
  readonly value: unknown
  readonly changes: Readonly<Record<string, unknown>>
}

interface OpenCall {
  readonly plugin: string
  readonly listeners: CallListeners
  /** Chunks of a stream session. */
  onChunks?(message: Message): void
  settle(outcome: CallResult | Error): void
}

/** How a worker is doing. */
export interface WorkerState {
  status: 'starting' | 'ready' | 'blocked' | 'stopping'
  memory: number | null
  threads: number | null
  tasks: number
  /** When something was heard or asked last, in `performance.now()` terms. */
  lastUsed: number
}

export interface WorkerEvents {
  /** The process is gone; `running` names the plugins whose calls went with it. */
  onGone(reason: string, running: readonly string[]): void
  /** Code of this plugin keeps everything else in the worker waiting, or does not stop when it is told to. */
  onBlocked(plugin: string | null): void
}

/** A stream session: chunks go in and come out in the order they were sent. */
export interface ChunkSession {
  send(chunk: unknown): Promise<unknown>
  end(): void
}

/** One worker process and the calls that run in it. */
export interface Worker {
  readonly id: string
  readonly pid: number | undefined
  readonly state: Readonly<WorkerState>
  /** Ids of the calls' plugins. */
  running(): string[]
  /** `plugin` names whose call it is. Aborting cancels; a plugin that does not listen costs the worker its life. */
  call(plugin: string, fields: Readonly<Record<string, unknown>>, listeners: CallListeners, signal?: AbortSignal): Promise<CallResult>
  openChunks(plugin: string, fields: Readonly<Record<string, unknown>>, listeners: CallListeners): ChunkSession
  tell(message: Message): void
  /** Ends it politely, then by force. */
  stop(): Promise<void>
  kill(reason: string): void
}

export interface WorkerOptions {
  readonly id: string
  readonly process: WorkerProcess
  readonly hello: Readonly<Record<string, unknown>>
  readonly events: WorkerEvents
  readonly log: Logger
}

export const PROTOCOL_VERSION = 1
const CREDIT = 64
const CANCEL_GRACE_MILLISECONDS = 2_000
/** How long calls of other plugins may go on beside one that does not stop. */
const LAST_GRACE_MILLISECONDS = 2_000
/** Calls that have ended and may have left a task behind which still speaks. */
const REMEMBERED_CALLS = 500
const STOP_GRACE_MILLISECONDS = 1_500
/** Without a beat for so long, C code holds the interpreter and nothing in the worker goes on. */
const SILENCE_MILLISECONDS = 30_000
const WATCH_MILLISECONDS = 5_000
const START_MILLISECONDS = 60_000
const TAIL_CHARACTERS = 4_000

const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Speaks the protocol with a process that was just started. */
export function createWorker({ id, process: child, hello, events, log }: WorkerOptions): Worker {
  const calls = new Map<number, OpenCall>()
  const ended = new Map<number, CallListeners>()
  const listenersOf = (call: unknown): CallListeners | null => calls.get(Number(call))?.listeners ?? ended.get(Number(call)) ?? null
  const state: WorkerState = { status: 'starting', memory: null, threads: null, tasks: 0, lastUsed: performance.now() }
  let lastId = 0
  let lastBeat = performance.now()
  let printed = ''
  let reasonToGo: string | null = null
  let isGone = false
  let announceGone: () => void = () => undefined
  const gone = new Promise<void>((resolve) => (announceGone = resolve))

  const send = (message: Message): void => {
    if (!isGone && !child.input.destroyed) child.input.write(encodeFrame(message))
  }
  const answering = createAnswering(send, (call) => listenersOf(call)?.request ?? null)

  function kill(reason: string): void {
    reasonToGo ??= reason
    child.kill()
  }

  const watch = setInterval(() => {
    const limit = state.status === 'starting' ? START_MILLISECONDS : SILENCE_MILLISECONDS
    if (performance.now() - lastBeat > limit) kill('it did not answer any more')
  }, WATCH_MILLISECONDS)
  watch.unref()

  async function takeItems(open: OpenCall, message: Message): Promise<void> {
    const items = Array.isArray(message['items']) ? message['items'] : []
    await open.listeners.onItems?.(items)
    send({ t: 'credit', id: message['id'], n: items.length })
  }

  const handlers: Readonly<Record<string, (message: Message) => void>> = {
    hello: () => undefined,
    ready() {
      state.status = 'ready'
      lastBeat = performance.now()
    },
    fatal: (message) => kill(asText(message['message'])),
    beat(message) {
      lastBeat = performance.now()
      state.memory = typeof message['rss'] === 'number' ? message['rss'] : null
      state.threads = typeof message['threads'] === 'number' ? message['threads'] : null
      state.tasks = typeof message['tasks'] === 'number' ? message['tasks'] : 0
    },
    blocked(message) {
      state.status = 'blocked'
      const open = calls.get(Number(message['call']))
      log.warn({ worker: id, plugin: open?.plugin, stack: message['stack'] }, 'a plugin keeps its worker waiting')
      events.onBlocked(open?.plugin ?? null)
    },
    unblocked() {
      if (state.status === 'blocked') state.status = 'ready'
    },
    result: (message) =>
      calls
        .get(Number(message['id']))
        ?.settle({ value: message['value'], changes: isRecord(message['changes']) ? message['changes'] : {} }),
    failure: (message) => calls.get(Number(message['id']))?.settle(toFailure(message['error'])),
    event: (message) => listenersOf(message['call'])?.onEvent?.(message['data']),
    log(message) {
      const lines = (Array.isArray(message['lines']) ? message['lines'] : []).filter((line): line is string => typeof line === 'string')
      const told = { stream: asText(message['stream']), level: typeof message['level'] === 'string' ? message['level'] : null, lines }
      const listeners = listenersOf(message['call'])
      if (listeners?.onLog) listeners.onLog(told)
      else log.info({ worker: id, plugin: message['plugin'], ...told }, 'a plugin printed something')
    },
    notice: (message) => listenersOf(message['call'])?.onNotice?.(message),
    open: (message) => calls.get(Number(message['id']))?.listeners.onOpen?.(message),
    item(message) {
      const open = calls.get(Number(message['id']))
      if (open) void takeItems(open, message)
    },
    c: (message) => calls.get(Number(message['id']))?.onChunks?.(message),
    request: (message) => answering.begin(message),
    credit: (message) => answering.credit(message),
    abandon: (message) => answering.abandon(Number(message['id'])),
    state: () => undefined,
  }

  const read = createFrameReader((message) => handlers[message.t]?.(message))
  child.output.on('data', (piece: Buffer) => {
    try {
      read(piece)
    } catch (error) {
      log.warn({ error, worker: id }, 'a plugin worker wrote something that is no message')
      kill('it wrote something that is no message')
    }
  })
  child.onPrinted((text) => {
    printed = (printed + text).slice(-TAIL_CHARACTERS)
  })
  child.onExit((exit) => {
    isGone = true
    clearInterval(watch)
    answering.close()
    const reason = reasonToGo ?? exit
    const running = [...calls.values()].map(({ plugin }) => plugin)
    if (state.status !== 'stopping') log.warn({ worker: id, reason, printed, running }, 'a plugin worker ended')
    for (const open of [...calls.values()]) {
      open.settle(workerFailure('gone', `The process the plugin runs in ended: ${reason}. It starts again with the next call.`))
    }
    events.onGone(reason, [...new Set(running)])
    announceGone()
  })
  send({ t: 'hello', protocol: PROTOCOL_VERSION, ...hello })

  function open(plugin: string, listeners: CallListeners, settle: OpenCall['settle']): { id: number; entry: OpenCall } {
    const callId = (lastId += 1)
    state.lastUsed = performance.now()
    const entry: OpenCall = {
      plugin,
      listeners,
      settle(outcome) {
        calls.delete(callId)
        ended.set(callId, listeners)
        if (ended.size > REMEMBERED_CALLS) ended.delete(ended.keys().next().value!)
        state.lastUsed = performance.now()
        settle(outcome)
      },
    }
    calls.set(callId, entry)
    return { id: callId, entry }
  }

  /** Ends one call: politely, and if its plugin does not listen, by ending the process once nobody else needs it, or a little later. */
  function cancel(callId: number, plugin: string): void {
    send({ t: 'cancel', id: callId })
    const isOpen = (): boolean => calls.has(callId)
    setTimeout(() => {
      if (!isOpen()) return
      events.onBlocked(plugin)
      const isAlone = [...calls.values()].every((open) => open.plugin === plugin)
      if (isAlone) kill('a plugin did not stop when it was told to')
      else setTimeout(() => isOpen() && kill('a plugin did not stop when it was told to'), LAST_GRACE_MILLISECONDS).unref()
    }, CANCEL_GRACE_MILLISECONDS).unref()
  }

  return {
    id,
    pid: child.pid,
    state,
    running: () => [...new Set([...calls.values()].map(({ plugin }) => plugin))],
    call(plugin, fields, listeners, signal) {
      if (isGone) return Promise.reject(workerFailure('gone', 'The process the plugin runs in has just ended.'))
      if (signal?.aborted) return Promise.reject(workerFailure('cancelled', 'The call was stopped.'))
      return new Promise((resolve, reject) => {
        const abort = (): void => cancel(opened.id, plugin)
        const opened = open(plugin, listeners, (outcome) => {
          signal?.removeEventListener('abort', abort)
          if (outcome instanceof Error) reject(outcome)
          else resolve(outcome)
        })
        signal?.addEventListener('abort', abort, { once: true })
        send({ t: 'call', credit: CREDIT, ...fields, id: opened.id })
      })
    },
    openChunks(plugin, fields, listeners) {
      const waiting: ((chunk: unknown) => void)[] = []
      let count = 0
      let isOver = false
      const { id: callId, entry } = open(plugin, listeners, () => {
        // What went wrong is the filters'; the chunks still on their way are handed on as they were.
        isOver = true
        for (const resolve of waiting.splice(0)) resolve(undefined)
      })
      entry.onChunks = (message) => {
        for (const chunk of Array.isArray(message['e']) ? message['e'] : []) waiting.shift()?.(chunk)
        for (const failure of Array.isArray(message['x']) ? message['x'] : []) listeners.onNotice?.({ t: 'x', failure })
      }
      send({ t: 'call', ...fields, id: callId })
      return {
        send: (chunk) =>
          isOver || isGone
            ? Promise.resolve(undefined)
            : new Promise((resolve) => {
                waiting.push(resolve)
                send({ t: 'c', id: callId, n: (count += 1), e: [chunk] })
              }),
        end: () => send({ t: 'c', id: callId, end: true }),
      }
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
    kill,
  }
}
