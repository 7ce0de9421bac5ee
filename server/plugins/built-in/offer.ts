import { filterInOrder, flatMapInOrder } from '../../lib/in-order.ts'
import type { CallOrigin } from '../../lib/call-origin.ts'
import { stateOf } from '../calls/request-state.ts'
import { requireActive } from '../require-active.ts'
import type { OfferedRun, OfferedTool } from '../taking-part/tools.ts'
import type { OpenTrace, Traces } from '../calls/traces.ts'
import type { BuiltInCall, BuiltInTool, BuiltInToolFunction } from './contract.ts'

/**
 * Returns the functions of the built-in tools a request names, like those of any plugin; each call
 * is traced.
 */
export async function offerBuiltIn(
  tools: readonly BuiltInTool[],
  traces: Traces,
  origin: CallOrigin,
  ids: unknown,
): Promise<OfferedTool[]> {
  const named = new Set(Array.isArray(ids) ? ids : [])
  const offered = await filterInOrder(
    tools,
    async (tool) => named.has(tool.id) && (await tool.isOffered(origin.caller)),
  )
  return await flatMapInOrder(offered, async (tool) =>
    (
      await filterInOrder(
        tool.functions,
        async (each) => (await each.isOffered?.(origin.caller)) ?? true,
      )
    ).map((each) => toOffered(tool, each, traces, origin)),
  )
}

function toBuiltInCall(
  origin: CallOrigin,
  trace: OpenTrace,
  { signal, messages }: Pick<OfferedRun, 'signal' | 'messages'>,
): BuiltInCall {
  return {
    caller: origin.caller,
    metadata: stateOf(origin).metadata,
    signal,
    messages,
    emit(event) {
      trace.event(event)
      origin.tell(event)
    },
    ask(event) {
      trace.event({ call: event })
      return origin.ask(event, signal)
    },
  }
}

function toOffered(
  tool: BuiltInTool,
  own: BuiltInToolFunction,
  traces: Traces,
  origin: CallOrigin,
): OfferedTool {
  const { name, description, properties, required } = own
  return {
    toolId: tool.id,
    name,
    description,
    parameters: { type: 'object', properties, required },
    async call(args, { callId = null, signal, messages }) {
      requireActive(origin.caller)
      const plugin = { store: 'tool' as const, id: tool.id }
      const place = {
        userId: origin.caller.userId,
        chatId: origin.chatId,
        messageId: origin.messageId,
      }
      const trace = traces.begin({ plugin, hook: name, callId, ...place, input: args })
      try {
        const result = await own.run(args, toBuiltInCall(origin, trace, { signal, messages }))
        trace.done(result)
        return { text: typeof result === 'string' ? result : JSON.stringify(result, null, 2) }
      } catch (error) {
        trace.failed(error, signal.aborted)
        throw error
      }
    },
  }
}
