import type { ToolBelt, ToolCall, ToolRun } from '../extensions/tool-belt.ts'
import type { CallOrigin } from '../lib/call-origin.ts'
import { toToolName } from '../lib/tool-name.ts'
import type { ToolApprovalMode } from '#contract/tool-servers.ts'
import { placeOf } from './call-place.ts'
import type { OpenServer, ServerFunction } from './open-server.ts'
import type { ToolOutput, ToolSpecification } from './tool.ts'

/** A server whose tools a request may use. */
export interface BeltServer {
  /** What the names of its tools begin with where the plain ones will not do. */
  readonly prefix: string
  /** Whether they always begin so. */
  readonly isPrefixed: boolean
  /** As people know it. */
  readonly name: string
  /** Of its tools, `<tool id>/<function>`. */
  readonly toolId: string
  /** What is said about asking before calls of its tools; null where nothing is said. */
  readonly approval: ToolApprovalMode | null
  readonly server: OpenServer
}

/** A function under the name the model knows it by. */
interface OfferedFunction {
  readonly from: BeltServer
  readonly specification: ToolSpecification
  readonly function: ServerFunction
  /** `<tool id>/<function>`. */
  readonly origin: string
}

/** The functions of several servers as one set without two equal names. */
export interface ServerBelt extends Pick<ToolBelt, 'specs' | 'originOf' | 'isParallel'> {
  /** What is said about asking before calls of this function; null where nothing is said. */
  approvalOf(name: string): ToolApprovalMode | null
  call(call: ToolCall, run: Pick<ToolRun, 'signal' | 'tell'>): Promise<ToolOutput>
}

/** Names of MCP tools always begin with their server; others only where the plain name is taken. */
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

/** Only arguments the tool describes travel to it, unless it takes any. */
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

/** Joins servers in order; `taken` are names other tools of the request have. */
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
