import type { FunctionItem } from '#contract/functions.ts'
import type { Tool } from '#contract/tools.ts'
import { isRecord } from '../../lib/fields.ts'

/** A function the console can call, with example arguments. */
export interface PluginHook {
  readonly name: string
  readonly description: string
  /** JSON text. */
  readonly example: string
}

const toText = (value: unknown): string => JSON.stringify(value, null, 2)

const EMPTY_VALUES: ReadonlyMap<string, unknown> = new Map(
  Object.entries({
    string: '',
    integer: 0,
    number: 0,
    boolean: false,
    array: [],
    object: {},
  }),
)

function exampleOf(schema: unknown): unknown {
  if (!isRecord(schema)) return null
  if (schema['default'] !== undefined) return schema['default']
  if (Array.isArray(schema['enum'])) return schema['enum'][0] as unknown
  return EMPTY_VALUES.get(String(schema['type'])) ?? null
}

/**
 * Returns arguments for the parameters of a function: the required ones, or all if none is
 * required.
 */
function exampleArguments(parameters: unknown): Record<string, unknown> {
  const properties =
    isRecord(parameters) && isRecord(parameters['properties']) ? parameters['properties'] : {}
  const required =
    isRecord(parameters) && Array.isArray(parameters['required'])
      ? (parameters['required'] as unknown[])
      : []
  const names = Object.keys(properties)
  const wanted = required.length > 0 ? names.filter((name) => required.includes(name)) : names
  return Object.fromEntries(wanted.map((name) => [name, exampleOf(properties[name])]))
}

/** Returns the functions of a tool as models see them. */
export const toolHooks = (specs: Tool['specs']): readonly PluginHook[] =>
  specs.map(({ name, description = '', parameters }) => ({
    name,
    description,
    example: toText(exampleArguments(parameters)),
  }))

const QUESTION = { role: 'user', content: 'Hello' }
const ANSWER = { role: 'assistant', content: 'Hello to you' }
const asked = { model: 'example', messages: [QUESTION] }

const EXAMPLES: Readonly<Record<string, unknown>> = {
  inlet: asked,
  stream: { choices: [{ index: 0, delta: { content: 'Hello' } }] },
  outlet: { model: 'example', messages: [QUESTION, ANSWER] },
  pipe: { ...asked, stream: false },
  action: { model: 'example', messages: [QUESTION, ANSWER] },
}

const HOOKS: Readonly<Record<FunctionItem['type'], readonly string[]>> = {
  filter: ['inlet', 'stream', 'outlet'],
  pipe: ['pipe'],
  action: ['action'],
  event: ['event'],
}

/** Returns the hooks that a function's source defines. */
export function functionHooks(type: FunctionItem['type'], source: string): readonly PluginHook[] {
  const defined = HOOKS[type].filter((name) => new RegExp(`\\bdef\\s+${name}\\b`).test(source))
  return (defined.length > 0 ? defined : HOOKS[type]).map((name) => ({
    name,
    description: '',
    example: toText(EXAMPLES[name] ?? {}),
  }))
}
