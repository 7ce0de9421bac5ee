import type { CallOrigin } from '../../lib/call-origin.ts'
import type { Caller } from '../../lib/http.ts'
import type { PluginRecord } from '../store.ts'
import type { OpenTrace } from './traces.ts'
import type { CallListeners } from '../worker/worker.ts'

/** One call of a hook. */
export interface HookCall {
  readonly record: PluginRecord
  readonly op: string
  /** Name in the trace; the operation when absent. */
  readonly hook?: string
  readonly fields?: Readonly<Record<string, unknown>>
  /** Id of the call in the answer, if a model requested it. */
  readonly callId?: string
  /** Input as shown in the trace. */
  readonly input?: unknown
  readonly caller: Caller
  readonly origin: CallOrigin | null
  readonly signal?: AbortSignal
  readonly model?: unknown
  readonly messages?: readonly unknown[]
  readonly body?: unknown
  readonly tools?: ToolsOfCall
  readonly onItems?: CallListeners['onItems']
  /** Receives the events for the user in place of `origin`. */
  readonly tell?: CallOrigin['tell']
  readonly onTrace?: (trace: OpenTrace) => void
}

/** Tools that a pipe may call itself. */
export interface ToolsOfCall {
  readonly given: readonly Readonly<Record<string, unknown>>[]
  call(name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown>
}
