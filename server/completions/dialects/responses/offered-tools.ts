import type { ResponsesRequest } from '#contract/responses.ts'
import { isRecord } from '../../../lib/is-record.ts'

type Fields = Record<string, unknown>

/** A tool as its caller knows it. Models call all kinds as functions. */
export interface OfferedTool {
  readonly kind: 'function' | 'custom' | 'search'
  readonly name: string
  readonly namespace: string | null
}

/** The tools of a request under the names the model calls them by. */
export interface OfferedTools {
  /** As functions of chat completions. */
  readonly definitions: readonly Fields[]
  /**
   * What a caller knows as the tool the model called; a plain function when nothing else is known.
   */
  find(calledName: string): OfferedTool
  /** The name under which the model knows a tool of the caller's. */
  toCalledName(name: string, namespace?: unknown): string
}

/** The name under which models search for further tools. */
export const SEARCH_NAME = 'tool_search'
/** What a custom tool is given, as the one field of a function. */
const INPUT_SCHEMA = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
}
const LONGEST_NAME = 64

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Names of functions may have letters, digits, `_` and `-` only. */
function join(namespace: unknown, name: string): string {
  const space = text(namespace)
  if (space === '') return name
  const joined = space.endsWith('__') ? space + name : `${space}__${name}`
  return joined.replace(/[^\w-]/g, '_').slice(0, LONGEST_NAME)
}

/** A custom tool takes one text, whose grammar the model can only be told of. */
function describeCustom({ description, format }: Fields): string {
  const grammar =
    isRecord(format) && format['type'] === 'grammar'
      ? `The input has to follow this ${text(format['syntax'])} grammar:\n${text(format['definition'])}`
      : ''
  return [text(description), grammar].filter((line) => line !== '').join('\n\n')
}

function toFunction(tool: Fields, name: string, prefix: string): Fields {
  if (tool['type'] === 'custom') {
    const description = [prefix, describeCustom(tool)].filter((line) => line !== '').join('\n\n')
    return { name, ...(description !== '' && { description }), parameters: INPUT_SCHEMA }
  }
  const { description, parameters, strict } = tool
  const said = [prefix, text(description)].filter((line) => line !== '').join('\n\n')
  return {
    name,
    ...((said !== '' || description != null) && { description: said }),
    ...(parameters != null && { parameters }),
    ...(strict != null && { strict }),
  }
}

/** Tools stand in the request, and for some agents in items of its input. */
export function listTools({ tools, input }: Pick<ResponsesRequest, 'tools' | 'input'>): Fields[] {
  const items =
    typeof input === 'string'
      ? []
      : input.filter(({ type }) => type === 'additional_tools' || type === 'tool_search_output')
  return [
    ...(tools ?? []),
    ...items.flatMap((item) =>
      Array.isArray(item['tools']) ? item['tools'].filter(isRecord) : [],
    ),
  ]
}

/**
 * Reads the tools of a request. Those that only the vendor itself can run are left out; what agents
 * load later is offered at once, and a search for tools only where the agent answers it.
 */
export function readTools(body: Pick<ResponsesRequest, 'tools' | 'input'>): OfferedTools {
  const byName = new Map<string, OfferedTool>()
  const definitions: Fields[] = []
  function add(tool: Fields, namespace: Fields | null): void {
    const { type } = tool
    const space = namespace === null ? null : text(namespace['name'])
    const isSearch = type === 'tool_search' && tool['execution'] === 'client'
    if (type !== 'function' && type !== 'custom' && !isSearch) return
    const name = isSearch ? SEARCH_NAME : text(tool['name'])
    const calledName = join(space, name)
    if (byName.has(calledName)) return
    byName.set(calledName, {
      kind: isSearch ? 'search' : type === 'custom' ? 'custom' : 'function',
      name,
      namespace: space,
    })
    definitions.push({
      type: 'function',
      function: toFunction(
        tool,
        calledName,
        namespace === null ? '' : text(namespace['description']),
      ),
    })
  }
  for (const tool of listTools(body)) {
    if (tool['type'] === 'namespace' && Array.isArray(tool['tools']))
      tool['tools'].filter(isRecord).forEach((inner) => add(inner, tool))
    else add(tool, null)
  }
  return {
    definitions,
    find: (calledName) =>
      byName.get(calledName) ?? { kind: 'function', name: calledName, namespace: null },
    toCalledName: (name, namespace) => join(namespace, name),
  }
}

/** What was written for a custom tool, out of the arguments of the function that stands for it. */
export function toCustomInput(given: string): string {
  try {
    const value: unknown = JSON.parse(given)
    if (typeof value === 'string') return value
    if (isRecord(value) && typeof value['input'] === 'string') return value['input']
  } catch {
    // The model wrote the text itself instead of JSON.
  }
  return given
}

/** Arguments as a value; what is no JSON stays text. */
export function toArguments(given: string): unknown {
  try {
    return JSON.parse(given) as unknown
  } catch {
    return given
  }
}
