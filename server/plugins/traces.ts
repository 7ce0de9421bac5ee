import type { PluginTrace } from '#contract/plugins.ts'
import { newId } from '../lib/ids.ts'
import type { PluginKey } from './host-request.ts'
import { PluginFailure } from './worker/faults.ts'

/** The last calls of plugins, for the console and for those who wonder what a plugin did. */
export interface Traces {
  begin(about: TraceStart): OpenTrace
  list(filter: TraceFilter): PluginTrace[]
}

export interface TraceStart {
  readonly plugin: PluginKey
  readonly hook: string
  readonly userId: string | null
  readonly chatId: string | null
  readonly messageId: string | null
  readonly input: unknown
}

/** A call that is running. */
export interface OpenTrace {
  readonly trace: PluginTrace
  event(data: unknown): void
  log(log: { readonly stream: string; readonly level: string | null; readonly lines: readonly string[] }): void
  done(result: unknown): void
  failed(error: unknown): void
}

export interface TraceFilter {
  readonly store?: PluginKey['store'] | undefined
  readonly plugin_id?: string | undefined
  readonly chat_id?: string | undefined
  readonly message_id?: string | undefined
  /** Whose calls; null for those of everybody. */
  readonly userId: string | null
}

const MOST_TRACES = 500
const MOST_EVENTS = 200
const MOST_LINES = 500
const LONGEST_LINE = 2_000
const LONGEST_VALUE = 16_000
const LONGEST_EVENT = 4_000

/** The value, or the beginning of its text where it is long. */
function shorten(value: unknown, longest: number): unknown {
  if (value === undefined || value === null) return null
  const text = JSON.stringify(value) ?? 'null'
  return text.length <= longest ? (JSON.parse(text) as unknown) : `${text.slice(0, longest)}…`
}

function toError(error: unknown): PluginTrace['error'] {
  if (error instanceof PluginFailure) {
    const { type, traceback, line } = error.details
    return { type, message: error.message, traceback, line }
  }
  const [type, message] = error instanceof Error ? [error.name, error.message] : ['Error', String(error)]
  return { type, message, traceback: null, line: null }
}

const isCancelled = (error: unknown): boolean => error instanceof PluginFailure && error.details.code === 'cancelled'

export function createTraces(): Traces {
  const kept: PluginTrace[] = []
  return {
    begin({ plugin, hook, userId, chatId, messageId, input }) {
      const startedAt = performance.now()
      const trace: PluginTrace = {
        id: newId(),
        store: plugin.store,
        plugin_id: plugin.id,
        hook,
        user_id: userId,
        chat_id: chatId,
        message_id: messageId,
        started_at: Date.now(),
        duration: null,
        status: 'running',
        input: shorten(input, LONGEST_VALUE),
        events: [],
        logs: [],
        result: null,
        error: null,
      }
      kept.push(trace)
      if (kept.length > MOST_TRACES) kept.shift()
      const end = (status: PluginTrace['status']): void => {
        trace.status = status
        trace.duration = Math.round((performance.now() - startedAt) * 10) / 10
      }
      return {
        trace,
        event(data) {
          if (trace.events.length < MOST_EVENTS) trace.events.push(shorten(data, LONGEST_EVENT))
        },
        log({ stream, level, lines }) {
          for (const line of lines.slice(0, MOST_LINES - trace.logs.length)) {
            trace.logs.push({ stream, level, line: line.slice(0, LONGEST_LINE) })
          }
        },
        done(result) {
          trace.result = shorten(result, LONGEST_VALUE)
          end('done')
        },
        failed(error) {
          trace.error = toError(error)
          end(isCancelled(error) ? 'cancelled' : 'failed')
        },
      }
    },
    list: ({ store, plugin_id: pluginId, chat_id: chatId, message_id: messageId, userId }) =>
      kept
        .filter(
          (trace) =>
            (userId === null || trace.user_id === userId) &&
            (store === undefined || trace.store === store) &&
            (pluginId === undefined || trace.plugin_id === pluginId) &&
            (chatId === undefined || trace.chat_id === chatId) &&
            (messageId === undefined || trace.message_id === messageId),
        )
        .toReversed(),
  }
}
