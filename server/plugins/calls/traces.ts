import type { PluginTrace } from '#contract/plugins.ts'
import { newId } from '../../lib/ids.ts'
import { missingPackage } from '../sources/packages.ts'
import { shorten } from './shorten.ts'
import { PluginFailure } from '../worker/faults.ts'

export interface TraceStart {
  readonly plugin: Pick<PluginTrace, 'store'> & { readonly id: string }
  readonly hook: string
  readonly callId: string | null
  readonly userId: string | null
  readonly chatId: string | null
  readonly messageId: string | null
  readonly input: unknown
}

/** A running call. */
export interface OpenTrace {
  readonly trace: PluginTrace
  event(data: unknown): void
  log(log: {
    readonly stream: string
    readonly level: string | null
    readonly lines: readonly string[]
  }): void
  done(result: unknown): void
  /** `isStopped` is true if the user stopped the call, whatever the resulting error. */
  failed(error: unknown, isStopped?: boolean): void
}

export interface TraceFilter {
  readonly store?: PluginTrace['store']
  readonly plugin_id?: string
  readonly chat_id?: string
  readonly message_id?: string
  readonly call_id?: string
  readonly limit: number
  /** Owner of the calls; null for those of all users. */
  readonly userId: string | null
}

const MOST_TRACES = 500
/**
 * Maximum number of characters of all traces, which limits the cost of plugins that print a lot.
 */
const MOST_CHARACTERS = 8 * 1024 * 1024
const MOST_EVENTS = 200
const MOST_LINES = 500
const LONGEST_LINE = 2_000
const LONGEST_VALUE = 16_000
const LONGEST_EVENT = 4_000

function toError(error: unknown): NonNullable<PluginTrace['error']> {
  if (error instanceof PluginFailure) {
    const { type, traceback, line } = error.details
    const { message } = error
    return { type, message, traceback, line, missing_package: missingPackage({ type, message }) }
  }
  const [type, message] =
    error instanceof Error ? [error.name, error.message] : ['Error', String(error)]
  return { type, message, traceback: null, line: null, missing_package: null }
}

const isCancelled = (error: unknown): boolean =>
  error instanceof PluginFailure && error.details.code === 'cancelled'

interface Kept {
  readonly trace: PluginTrace
  size: number
  isKept: boolean
}

/** Traces in memory; the oldest are dropped for new ones. */
class Shelf {
  #kept: Kept[] = []
  #total = 0

  all(): PluginTrace[] {
    return this.#kept.map(({ trace }) => trace)
  }

  add(entry: Kept): void {
    this.#kept.push(entry)
    this.#total += entry.size
    if (this.#kept.length > MOST_TRACES) this.#dropOldest()
  }

  /** Updates the size of a trace that grew. */
  grow(entry: Kept, size: number): void {
    entry.size += size
    if (!entry.isKept) return
    this.#total += size
    while (this.#total > MOST_CHARACTERS && this.#kept.length > 1) this.#dropOldest()
  }

  drop(isMeant: (trace: PluginTrace) => boolean): void {
    this.#kept = this.#kept.filter((entry) => (entry.isKept = !isMeant(entry.trace)))
    this.#total = this.#kept.reduce((sum, { size }) => sum + size, 0)
  }

  #dropOldest(): void {
    const [oldest] = this.#kept.splice(0, 1)
    if (!oldest) return
    this.#total -= oldest.size
    oldest.isKept = false
  }
}

function startTrace({ plugin, hook, callId, userId, chatId, messageId, input }: TraceStart): Kept {
  const { value, size } = shorten(input, LONGEST_VALUE)
  const trace: PluginTrace = {
    id: newId(),
    store: plugin.store,
    plugin_id: plugin.id,
    hook,
    call_id: callId,
    user_id: userId,
    chat_id: chatId,
    message_id: messageId,
    started_at: Date.now(),
    duration: null,
    status: 'running',
    input: value,
    events: [],
    logs: [],
    result: null,
    error: null,
    is_restricted: false,
  }
  return { trace, size, isKept: true }
}

/** The last calls of tools and hooks, for the console and for users examining an answer. */
export class Traces {
  readonly #shelf = new Shelf()

  begin(about: TraceStart): OpenTrace {
    const startedAt = performance.now()
    const entry = startTrace(about)
    const { trace } = entry
    this.#shelf.add(entry)
    const end = (status: PluginTrace['status']): void => {
      trace.status = status
      trace.duration = Math.round((performance.now() - startedAt) * 10) / 10
    }
    return {
      trace,
      event: (data) => {
        if (trace.events.length >= MOST_EVENTS) return
        const event = shorten(data, LONGEST_EVENT)
        trace.events.push(event.value)
        this.#shelf.grow(entry, event.size)
      },
      log: ({ stream, level, lines }) => {
        for (const line of lines.slice(0, MOST_LINES - trace.logs.length)) {
          trace.logs.push({ stream, level, line: line.slice(0, LONGEST_LINE) })
          this.#shelf.grow(entry, Math.min(line.length, LONGEST_LINE))
        }
      },
      done: (result) => {
        const shown = shorten(result, LONGEST_VALUE)
        trace.result = shown.value
        this.#shelf.grow(entry, shown.size)
        end('done')
      },
      failed: (error, isStopped = isCancelled(error)) => {
        trace.error = toError(error)
        this.#shelf.grow(entry, (trace.error.traceback ?? '').length + trace.error.message.length)
        end(isStopped ? 'cancelled' : 'failed')
      },
    }
  }

  /** Returns the newest first. */
  list({
    store,
    plugin_id: pluginId,
    chat_id: chatId,
    message_id: messageId,
    call_id: callId,
    limit,
    userId,
  }: TraceFilter): PluginTrace[] {
    return this.#shelf
      .all()
      .filter(
        (trace) =>
          (userId === null || trace.user_id === userId) &&
          (store === undefined || trace.store === store) &&
          (pluginId === undefined || trace.plugin_id === pluginId) &&
          (chatId === undefined || trace.chat_id === chatId) &&
          (messageId === undefined || trace.message_id === messageId) &&
          (callId === undefined || trace.call_id === callId),
      )
      .slice(-limit)
      .toReversed()
  }

  /** Drops the traces of a deleted user. */
  forget(userId: string): void {
    this.#shelf.drop((trace) => trace.user_id === userId)
  }
}
