import type { ToolBelt, ToolCall, ToolRun } from '../../extensions/tool-belt.ts'
import type { CallOrigin } from '../../lib/call-origin.ts'
import { toToolName } from '../../lib/text/tool-name.ts'
import type { ToolApprovalMode } from '#contract/tool-servers.ts'
import { placeOf } from './call-place.ts'
import type { OpenServer, ServerFunction } from '../servers/open-server.ts'
import type { ToolOutput, ToolSpecification } from './tool.ts'

/** A server with tools available to a request. */
export interface BeltServer {
  /** Prefix of its tool names if the plain names cannot be used. */
  readonly prefix: string
  /** True if the prefix is always used. */
  readonly isPrefixed: boolean
  /** Display name. */
  readonly name: string
  /** Tool id in the names of its functions, `<tool id>/<function>`. */
  readonly toolId: string
  /** Approval mode for calls of its tools; null if unspecified. */
  readonly approval: ToolApprovalMode | null
  readonly server: OpenServer
}

/** A function under its name for the model. */
interface OfferedFunction {
  readonly from: BeltServer
  readonly specification: ToolSpecification
  readonly function: ServerFunction
  /** `<tool id>/<function>`. */
  readonly origin: string
}

/** Functions of several servers as one set with unique names. */
export interface ServerBelt extends Pick<ToolBelt, 'specs' | 'originOf' | 'isParallel'> {
  /** Returns the approval mode for calls of this function; null if unspecified. */
  approvalOf(name: string): ToolApprovalMode | null
  call(call: ToolCall, run: Pick<ToolRun, 'signal' | 'tell'>): Promise<ToolOutput>
}

/** Names of MCP tools always start with their server; others only if the plain name is taken. */
function chooseName(
  { prefix, isPrefixed }: BeltServer,
  { name }: ServerFunction,
  taken: ReadonlySet<string>,
): string {
  const plain = toToolName(name)
  if (!isPrefixed && !taken.has(plain)) return plain
  const full = toToolName(prefix, name)
  for (let number = 2, free = full; ; number += 1) {
    if (!taken.has(free)) return free
    free = toToolName(prefix, name, String(number))
  }
}

/** Passes only arguments the tool describes, unless it accepts any. */
function keepKnown(
  { parameters }: ServerFunction,
  given: ToolCall['arguments'],
): ToolCall['arguments'] {
  const { properties, additionalProperties } = parameters
  if (
    typeof properties !== 'object' ||
    properties === null ||
    (additionalProperties !== undefined && additionalProperties !== false)
  )
    return given
  return Object.fromEntries(
    Object.entries(given).filter(([name]) => Object.hasOwn(properties, name)),
  )
}

/** Joins servers in order; `taken` are names of the request's other tools. */
export function createServerBelt(
  servers: readonly BeltServer[],
  taken: ReadonlySet<string>,
  origin: CallOrigin,
): ServerBelt {
  const names = new Set(taken)
  const byName = new Map<string, OfferedFunction>()
  for (const entry of servers) {
    for (const offered of entry.server.functions) {
      const name = chooseName(entry, offered, names)
      names.add(name)
      const { description, parameters } = offered
      const source = `${entry.toolId}/${offered.name}`
      byName.set(name, {
        from: entry,
        specification: { name, description, parameters },
        function: offered,
        origin: source,
      })
    }
  }
  const get = (name: string): OfferedFunction => {
    const found = byName.get(name)
    if (!found) throw new Error(`There is no tool "${name}".`)
    return found
  }
  return {
    specs: [...byName.values()].map(({ specification }) => specification),
    originOf: (name) => get(name).origin,
    isParallel: (name) => get(name).function.isReadOnly,
    approvalOf: (name) => get(name).from.approval,
    call({ name, arguments: given }, { signal, tell = (event) => origin.tell(event) }) {
      const { from, function: target } = get(name)
      return from.server.call(target.name, keepKnown(target, given), {
        place: placeOf(origin),
        signal,
        onProgress({ done, total, message }) {
          const share = total === null ? String(done) : `${done} of ${total}`
          const description = `${from.name}: ${message ?? target.name} (${share})`
          tell({
            type: 'status',
            data: { action: 'tool_progress', name, description, done: false },
          })
        },
      })
    },
  }
}
