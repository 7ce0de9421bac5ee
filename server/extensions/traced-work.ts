import type { PluginTrace } from '#contract/plugins.ts'
import type { CallOrigin } from '../lib/call-origin.ts'

/** Trace fields of work that takes part in an answer. */
export interface TracedWork {
  readonly origin: Pick<CallOrigin, 'caller' | 'chatId' | 'messageId'>
  readonly store: PluginTrace['store']
  readonly id: string
  readonly hook: string
  readonly input: unknown
}

/** Does the work and keeps a trace of its result. */
export type TraceWork = <Value>(about: TracedWork, work: () => Promise<Value>) => Promise<Value>
