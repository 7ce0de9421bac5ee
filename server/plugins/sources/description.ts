import { isRecord, type Fields } from '../../lib/is-record.ts'

/** The host's description of a loaded plugin (PROTOCOL.md, Operations › Description). */
export interface Description {
  readonly front_matter: Fields
  readonly requirements: readonly string[]
  readonly flags: {
    readonly toggle: boolean
    readonly icon: string | null
    readonly file_handler: boolean
    readonly actions: readonly {
      readonly id: string
      readonly name: string | null
      readonly icon: string | null
    }[]
    readonly name: string | null
  }
  readonly hooks: Readonly<Record<string, string>>
  readonly priority: number
  readonly valves_schema: Fields | null
  readonly user_valves_schema: Fields | null
  /** Functions of a tool: name, description and parameters. */
  readonly specs: readonly ToolSpecification[]
  readonly warnings: readonly string[]
}

/** A function of a tool as stored. */
export interface ToolSpecification {
  readonly name: string
  readonly description: string
  readonly parameters: Fields
  /** Text sent to the model instead of `description`. */
  readonly request_description?: string
}

const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []
const record = (value: unknown): Fields => (isRecord(value) ? value : {})

function readSpec(value: unknown): ToolSpecification[] {
  const { name, description, parameters, request_description: told } = record(value)
  if (typeof name !== 'string' || !isRecord(parameters)) return []
  return [
    {
      name,
      description: text(description) ?? '',
      parameters,
      ...(typeof told === 'string' && { request_description: told }),
    },
  ]
}

function readAction(value: unknown): Description['flags']['actions'] {
  const { id, name, icon_url: iconUrl, icon } = record(value)
  return typeof id === 'string' ? [{ id, name: text(name), icon: text(iconUrl) ?? text(icon) }] : []
}

/** Parses a description leniently, because an earlier version of the host may have written it. */
export function readDescription(value: unknown): Description {
  const given = record(value)
  const flags = record(given['flags'])
  const hooks = Object.entries(record(given['hooks'])).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  const actions = Array.isArray(flags['actions']) ? flags['actions'] : []
  return {
    front_matter: record(given['front_matter']),
    requirements: texts(given['requirements']),
    flags: {
      toggle: flags['toggle'] === true,
      icon: text(flags['icon_url']) ?? text(flags['icon']),
      file_handler: flags['file_handler'] === true,
      actions: actions.flatMap(readAction),
      name: text(flags['name']),
    },
    hooks: Object.fromEntries(hooks),
    priority: typeof given['priority'] === 'number' ? given['priority'] : 0,
    valves_schema: isRecord(given['valves_schema']) ? given['valves_schema'] : null,
    user_valves_schema: isRecord(given['user_valves_schema']) ? given['user_valves_schema'] : null,
    specs: (Array.isArray(given['specs']) ? given['specs'] : []).flatMap(readSpec),
    warnings: texts(given['warnings']),
  }
}
