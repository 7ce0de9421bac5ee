import type { ResponsesRequest } from '#contract/responses.ts'
import { readInnerJson } from '../../../lib/json/inner-json.ts'
import { isRecord, type Fields } from '../../../lib/is-record.ts'

/** Tool as its caller knows it. Models call all kinds as functions. */
export interface OfferedTool {
  readonly kind: 'function' | 'custom' | 'search'
  readonly name: string
  readonly namespace: string | null
}

/** Tools of a request under the names by which the model calls them. */
export interface OfferedTools {
  /** Definitions as functions of chat completions. */
  readonly definitions: readonly Fields[]
  /** Returns the caller's tool that the model called; a plain function if none is known. */
  find(calledName: string): OfferedTool
  /** Returns the name by which the model knows a tool of the caller. */
  toCalledName(name: string, namespace?: unknown): string
}

/** Name of the function with which models search for further tools. */
export const SEARCH_NAME = 'tool_search'
/** Schema of a custom tool's input, as the only field of a function. */
const INPUT_SCHEMA = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
}
const LONGEST_NAME = 64

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Joins namespace and name. Function names may contain only letters, digits, `_` and `-`. */
function join(namespace: unknown, name: string): string {
  const space = text(namespace)
  if (space === '') return name
  const joined = space.endsWith('__') ? space + name : `${space}__${name}`
  return joined.replace(/[^\w-]/g, '_').slice(0, LONGEST_NAME)
}

/** Describes a custom tool. It takes one text; its grammar can only be described to the model. */
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

/** Lists the tools of the request and, for some agents, of the items of its input. */
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
 * Reads the tools of a request. Tools that only the vendor itself can run are left out; tools that
 * agents load later are offered at once, and a tool search is offered only if the agent runs it.
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

/** Returns the input of a custom tool from the arguments of the function that stands for it. */
export function toCustomInput(given: string): string {
  const value = readInnerJson(given)?.value
  if (typeof value === 'string') return value
  if (isRecord(value) && typeof value['input'] === 'string') return value['input']
  // The model wrote the text itself instead of JSON.
  return given
}

/** Parses arguments as JSON; returns anything else as text. */
export const toArguments = (given: string): unknown =>
  (readInnerJson(given) ?? { value: given }).value
