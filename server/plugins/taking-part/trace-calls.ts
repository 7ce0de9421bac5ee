import type { PluginTrace } from '#contract/plugins.ts'
import type { CallOrigin } from '../../lib/call-origin.ts'
import type { Traces } from '../traces.ts'

/** What a trace says of work that is no call of a tool. */
export interface TracedWork {
  readonly origin: Pick<CallOrigin, 'caller' | 'chatId' | 'messageId'>
  readonly store: PluginTrace['store']
  readonly id: string
  readonly hook: string
  readonly input: unknown
}

/** Keeps a trace of work elsewhere in the gateway that takes part in an answer. */
export async function traceWork<Value>(
  traces: Traces,
  { origin, store, id, hook, input }: TracedWork,
  work: () => Promise<Value>,
): Promise<Value> {
  const place = { userId: origin.caller.userId, chatId: origin.chatId, messageId: origin.messageId }
  const trace = traces.begin({ plugin: { store, id }, hook, callId: null, ...place, input })
  try {
    const value = await work()
    trace.done(value)
    return value
  } catch (error) {
    trace.failed(error)
    throw error
  }
}

interface Call {
  readonly id: string
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/**
 * What tools of every kind have in common. `tell` of a run takes the place of that of the request.
 */
interface TracedBelt<Run, Result> {
  originOf(name: string): string
  call(call: Call, run: Run): Promise<Result>
}

export interface TraceCallsOptions {
  readonly traces: Traces
  /** Tools that keep traces themselves: those of plugins and of the gateway. */
  readonly isOwn: (toolId: string) => boolean
  readonly origin: Pick<CallOrigin, 'caller' | 'chatId' | 'messageId' | 'tell'>
}

type Result = Readonly<{ text: string; isError?: boolean | undefined }>

/** Keeps traces of the calls of a set of tools. */
export type TraceCalls = <
  Run extends { readonly signal: AbortSignal },
  Belt extends TracedBelt<Run, Result>,
>(
  origin: TraceCallsOptions['origin'],
  belt: Belt,
) => Belt

/** Keeps a trace of each call of a tool server, as calls of plugins have one. */
export function traceCalls<
  Run extends { readonly signal: AbortSignal },
  Belt extends TracedBelt<Run, Result>,
>({ traces, isOwn, origin }: TraceCallsOptions, belt: Belt): Belt {
  return {
    ...belt,
    async call(call: Call, run: Run) {
      const source = belt.originOf(call.name)
      const end = source.lastIndexOf('/')
      const toolId = source.slice(0, end)
      if (isOwn(toolId)) return belt.call(call, run)
      const place = {
        userId: origin.caller.userId,
        chatId: origin.chatId,
        messageId: origin.messageId,
      }
      const plugin = { store: 'server' as const, id: toolId }
      const trace = traces.begin({
        plugin,
        hook: source.slice(end + 1),
        callId: call.id,
        ...place,
        input: call.arguments,
      })
      const tell: CallOrigin['tell'] = (event) => {
        trace.event(event)
        origin.tell(event)
      }
      try {
        const result = await belt.call(call, { ...run, tell })
        if (result.isError === true) trace.failed(new Error(result.text))
        else trace.done(result)
        return result
      } catch (error) {
        trace.failed(error, run.signal.aborted)
        throw error
      }
    },
  }
}
