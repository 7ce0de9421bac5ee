import { z } from '#contract/lazy-zod.ts'
import { forbidden, notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { toToolName } from '../../lib/text/tool-name.ts'
import { askApproval } from '../../extensions/ask-approval.ts'
import type { HostRequest } from '../host-request.ts'
import type { ToolBelt } from '../../extensions/tool-belt.ts'
import type { HostParts } from './dependencies.ts'
import { readParams, requirePerson, type HostMethod } from './method.ts'

const idSchema = z.string().min(1).max(256)
const openSchema = z.object({ ids: z.array(idSchema).max(100) })
const runSchema = z.object({
  tool_id: idSchema,
  name: z.string().max(128),
  arguments: z.record(z.string(), z.unknown()).default({}),
})

/**
 * Opens the functions of one tool and releases them afterwards. Outside of an answer there are no
 * tools.
 */
async function withTool<Value>(
  parts: HostParts,
  request: HostRequest,
  id: string,
  use: (belt: ToolBelt | null) => Value | Promise<Value>,
): Promise<Value> {
  requirePerson(request)
  const belt = request.origin ? await parts.later.openToolsById(request.origin, [id]) : null
  try {
    return await use(belt)
  } finally {
    await belt?.close?.()
  }
}

export const toolMethods = (parts: HostParts): Readonly<Record<string, HostMethod>> => ({
  'tools.open': async (request) => {
    const { ids } = readParams(openSchema, request)
    const opened = await Promise.all(
      [...new Set(ids)].map((id) =>
        withTool(parts, request, id, (belt) =>
          (belt?.specs ?? []).map((spec) => ({ name: spec.name, tool_id: id, spec })),
        ),
      ),
    )
    return opened.flat()
  },
  'tools.run': (request) => {
    const { tool_id: id, name, arguments: args } = readParams(runSchema, request)
    return withTool(parts, request, id, async (belt) => {
      // In a request with several tools, a function may have been renamed after its tool.
      const spec = belt?.specs.find((each) => [each.name, toToolName(id, each.name)].includes(name))
      if (!belt || !spec) throw notFound(`There is no function ${name} of this tool.`)
      const run = { signal: request.signal, messages: request.origin?.sent.messages ?? [] }
      const call = { id: `call_${newId()}`, name: spec.name, arguments: args }
      const decision =
        (await belt.approve?.(call, () => askApproval(request.origin!, call, request.signal))) ??
        'allow'
      if (decision === 'deny') throw forbidden('The person did not allow this call.')
      const { text } = await belt.call(call, run)
      return { value: text }
    })
  },
})
