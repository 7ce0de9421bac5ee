import { flatMapInOrder } from '../../lib/in-order.ts'
import type { ToolBelt, ToolResult, ToolRun } from '../../extensions/tool-belt.ts'
import type { CallOrigin } from '../../lib/call-origin.ts'
import { forbidden } from '../../lib/errors.ts'
import { isRecord, type Fields } from '../../lib/is-record.ts'
import { toToolName } from '../../lib/text/tool-name.ts'
import type { ToolSpecification } from '../sources/description.ts'
import { mayUseTool, type PluginContext } from '../plugin-context.ts'
import type { PluginRecord } from '../store.ts'

/** Context of a function call within a conversation. */
export interface OfferedRun extends Pick<ToolRun, 'signal' | 'messages'> {
  /** Id of the call in the answer; absent for calls that no model requested. */
  readonly callId?: string
}

/** A function of a tool, bound to one request. */
export interface OfferedTool {
  readonly toolId: string
  /** Name given by its author. */
  readonly name: string
  readonly description: string
  readonly parameters: Fields
  call(args: Fields, run: OfferedRun): Promise<ToolResult>
}

/** Models write numbers as texts and vice versa (docs/plugin-contract.md). */
function mendValue(value: unknown, schema: unknown): unknown {
  const type = isRecord(schema) ? schema['type'] : undefined
  if (type === 'integer' && typeof value === 'string' && /^[+-]?\d{1,15}$/.test(value.trim()))
    return Number(value)
  if (
    type === 'number' &&
    typeof value === 'string' &&
    value.trim() !== '' &&
    Number.isFinite(Number(value))
  )
    return Number(value)
  if (type === 'string' && typeof value === 'number') return String(value)
  return value
}

/** Keeps only known arguments; drops names invented by a model. */
function mendArguments(args: Fields, { parameters }: ToolSpecification): Fields {
  const properties = isRecord(parameters['properties']) ? parameters['properties'] : {}
  const known = Object.entries(args).filter(([name]) => Object.hasOwn(properties, name))
  return Object.fromEntries(
    known.map(([name, value]) => [name, mendValue(value, properties[name])]),
  )
}

function readResult(value: unknown): ToolResult {
  const { text, files, embeds, is_error: isError } = isRecord(value) ? value : {}
  return {
    text: typeof text === 'string' ? text : '',
    ...(isError === true && { isError: true }),
    ...(Array.isArray(files) && files.length > 0 && { files: files.filter(isRecord) }),
    ...(Array.isArray(embeds) &&
      embeds.length > 0 && {
        embeds: embeds.filter((embed): embed is string => typeof embed === 'string'),
      }),
  }
}

function offer(
  { access, runner }: ToolBeltDependencies,
  record: PluginRecord,
  origin: CallOrigin,
  model: unknown,
): OfferedTool[] {
  return record.description.specs.map((spec) => ({
    toolId: record.id,
    name: spec.name,
    description: spec.request_description ?? spec.description,
    parameters: spec.parameters,
    async call(args, { callId, signal, messages }) {
      // An answer may take long, and the grant may be revoked meanwhile.
      if (!(await mayUseTool({ access }, origin.caller, record)))
        throw forbidden('You can no longer use this tool. Ask its owner for access.')
      const fields = { name: spec.name, arguments: mendArguments(args, spec) }
      const call = {
        record,
        op: 'tool',
        hook: spec.name,
        fields,
        callId,
        input: fields.arguments,
        model,
        messages,
      }
      const { value } = await runner.call({ ...call, caller: origin.caller, origin, signal })
      return readResult(value)
    },
  }))
}

export interface ToolBeltDependencies extends Pick<
  PluginContext,
  'access' | 'records' | 'runner'
> {}

/**
 * Returns the functions of the plugins a request names that its caller may use; silently omits
 * others (docs/plugin-contract.md).
 */
export async function offerTools(
  dependencies: ToolBeltDependencies,
  origin: CallOrigin,
  ids: unknown,
  model: unknown,
): Promise<OfferedTool[]> {
  const { access, records } = dependencies
  const named = [...new Set(Array.isArray(ids) ? ids : [])].filter(
    (id): id is string => typeof id === 'string',
  )
  return await flatMapInOrder(named, async (id) => {
    const record = records.find({ store: 'tool', id })
    if (!record || record.fault !== null || !(await mayUseTool({ access }, origin.caller, record)))
      return []
    return offer(dependencies, record, origin, model)
  })
}

/**
 * Gives each function a unique name: the second of two with the same name is prefixed with the id
 * of its tool.
 */
export function createBelt(offered: readonly OfferedTool[]): ToolBelt | null {
  const byName = new Map<string, OfferedTool>()
  for (const tool of offered) {
    const plain = toToolName(tool.name)
    byName.set(byName.has(plain) ? toToolName(tool.toolId, tool.name) : plain, tool)
  }
  if (byName.size === 0) return null
  return {
    specs: [...byName].map(([name, { description, parameters }]) => ({
      name,
      description,
      parameters,
    })),
    originOf: (name) => {
      const tool = byName.get(name)
      return tool ? `${tool.toolId}/${tool.name}` : name
    },
    isParallel: () => false,
    call: (call, run) => byName.get(call.name)!.call(call.arguments, { ...run, callId: call.id }),
  }
}
