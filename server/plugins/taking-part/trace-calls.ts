import type { ToolBelt } from '../../extensions/tool-belt.ts'
import type { TracedWork } from '../../extensions/traced-work.ts'
import type { CallOrigin } from '../../lib/call-origin.ts'
import type { Traces } from '../calls/traces.ts'

/** Traces other work of the gateway that takes part in an answer. */
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

export interface TraceCallsOptions {
  readonly traces: Traces
  /** Returns true for tools that are traced elsewhere: those of plugins and of the gateway. */
  readonly isOwn: (toolId: string) => boolean
  readonly origin: Pick<CallOrigin, 'caller' | 'chatId' | 'messageId' | 'tell'>
}

/** Traces each call of a tool server, like calls of plugins. */
export function traceCalls({ traces, isOwn, origin }: TraceCallsOptions, belt: ToolBelt): ToolBelt {
  return {
    ...belt,
    async call(call, run) {
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
