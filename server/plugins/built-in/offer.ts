import type { CallOrigin } from '../../lib/call-origin.ts'
import type { OfferedTool } from '../taking-part/tools.ts'
import type { Traces } from '../traces.ts'
import type { BuiltInFunction, BuiltInTool } from './tool.ts'

/** The functions of the built-in tools a request names, as those of any plugin; each call leaves its trace. */
export function offerBuiltIn(tools: readonly BuiltInTool[], traces: Traces, origin: CallOrigin, ids: unknown): OfferedTool[] {
  const named = new Set(Array.isArray(ids) ? ids : [])
  const offered = tools.filter((tool) => named.has(tool.id) && tool.isOffered(origin.caller))
  return offered.flatMap((tool) => tool.functions.map((each) => toOffered(tool, each, traces, origin)))
}

function toOffered(tool: BuiltInTool, own: BuiltInFunction, traces: Traces, origin: CallOrigin): OfferedTool {
  const { name, description, properties, required } = own
  return {
    toolId: tool.id,
    name,
    description,
    parameters: { type: 'object', properties, required },
    async call(args, { signal }) {
      const plugin = { store: 'tool' as const, id: tool.id }
      const place = { userId: origin.caller.userId, chatId: origin.chatId, messageId: origin.messageId }
      const trace = traces.begin({ plugin, hook: name, ...place, input: args })
      try {
        const result = await own.run(args, origin, signal)
        trace.done(result)
        return { text: JSON.stringify(result, null, 2) }
      } catch (error) {
        trace.failed(error)
        throw error
      }
    },
  }
}
