import { isRecord } from '../../lib/is-record.ts'
import type { Logger } from '../../lib/logger.ts'
import type { OpenRequests } from './answer-requests.ts'
import { ITEM_CREDIT, type CallBook, type OpenCall } from './call-book.ts'
import { toFailure } from './faults.ts'
import type { Message } from './frames.ts'
import type { WorkerEvents, WorkerState } from './worker-state.ts'
import { asText } from '../../lib/text/as-text.ts'

export interface ReadOptions {
  readonly id: string
  readonly book: CallBook
  readonly state: WorkerState
  readonly requests: OpenRequests
  readonly send: (message: Message) => void
  readonly kill: (reason: string) => void
  readonly events: WorkerEvents
  readonly log: Logger
}

const asNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null)

function readLog(message: Message) {
  const lines = (Array.isArray(message['lines']) ? message['lines'] : []).filter(
    (line): line is string => typeof line === 'string',
  )
  return {
    stream: asText(message['stream']),
    level: typeof message['level'] === 'string' ? message['level'] : null,
    lines,
  }
}

/** A worker, with the ids of plugins that block its event loop. */
interface ReadWorker extends ReadOptions {
  readonly blocked: Set<unknown>
}

async function takeItems({ kill, send }: ReadWorker, open: OpenCall, message: Message) {
  const items = Array.isArray(message['items']) ? message['items'] : []
  if (items.length > ITEM_CREDIT) return kill('it sent more items than it was granted')
  await open.listeners.onItems?.(items)
  send({ t: 'credit', id: message['id'], n: items.length })
}

/** Handlers for each type of worker message (PROTOCOL.md). */
const READERS: Readonly<Record<string, (worker: ReadWorker, message: Message) => void>> = {
  ready({ state }) {
    state.status = 'ready'
    state.heardAt = performance.now()
  },
  fatal: ({ kill }, message) => kill(asText(message['message'])),
  beat({ state }, message) {
    state.heardAt = performance.now()
    state.memory = asNumber(message['rss'])
    state.threads = asNumber(message['threads'])
    state.tasks = asNumber(message['tasks']) ?? 0
  },
  blocked({ state, log, blocked, id }, message) {
    state.status = 'blocked'
    blocked.add(message['plugin'])
    log.warn(
      { worker: id, plugin: message['plugin'], stack: message['stack'] },
      'a plugin blocks its event loop: its other calls wait',
    )
  },
  unblocked({ state, blocked }, message) {
    blocked.delete(message['plugin'])
    if (blocked.size === 0 && state.status === 'blocked') state.status = 'ready'
  },
  result({ book }, message) {
    const changes = isRecord(message['changes']) ? message['changes'] : {}
    book.get(message['id'])?.settle({ value: message['value'], changes })
  },
  failure: ({ book }, message) => book.get(message['id'])?.settle(toFailure(message['error'])),
  event: ({ book }, message) =>
    book.listenersOf(message['call'], message['plugin'])?.onEvent?.(message['data']),
  log({ book, log, id }, message) {
    const listeners = book.listenersOf(message['call'], message['plugin'])
    if (listeners?.onLog) listeners.onLog(readLog(message))
    else
      log.info({ worker: id, plugin: message['plugin'], ...readLog(message) }, 'output of a plugin')
  },
  notice({ book, log, id }, message) {
    const listeners = book.listenersOf(message['call'], message['plugin'])
    if (listeners?.onNotice) listeners.onNotice(message)
    else log.info({ worker: id, notice: message }, 'output of a plugin was dropped')
  },
  open: ({ book }, message) => book.get(message['id'])?.listeners.onOpen?.(message),
  item(worker, message) {
    const open = worker.book.get(message['id'])
    if (open) void takeItems(worker, open, message)
  },
  c: ({ book }, message) => book.get(message['id'])?.onChunks?.(message),
  request: ({ requests }, message) => requests.begin(message),
  credit: ({ requests }, message) => requests.credit(message),
  abandon: ({ requests }, message) => requests.abandon(Number(message['id'])),
  state: ({ events }, message) => events.onState(message),
}

export function createReader(options: ReadOptions): (message: Message) => void {
  const worker = { ...options, blocked: new Set<unknown>() }
  return (message) => READERS[message.t]?.(worker, message)
}
