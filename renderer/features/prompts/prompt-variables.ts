const KINDS = [
  'text',
  'textarea',
  'number',
  'range',
  'date',
  'datetime-local',
  'time',
  'month',
  'select',
  'checkbox',
  'email',
  'url',
  'tel',
  'color',
] as const

/** Input type of a variable. */
export type VariableKind = (typeof KINDS)[number]

/** A variable in a prompt that the user fills in. */
export interface PromptVariable {
  readonly name: string
  readonly kind: VariableKind
  readonly label: string
  readonly placeholder: string
  readonly initial: string
  readonly required: boolean
  readonly options: readonly string[]
  readonly min?: string
  readonly max?: string
  readonly step?: string
}

const PATTERN = /\{\{\s*([^{}|]+?)\s*(?:\|((?:"(?:[^"\\]|\\.)*"|[^{}"])*))?\}\}/g

/** Splits at a character outside quotes and brackets. */
function splitOutside(text: string, sign: string): string[] {
  const parts = ['']
  let depth = 0
  let quoted = false
  let before = ''
  for (const character of text) {
    if (character === '"' && before !== '\\') quoted = !quoted
    before = character
    if (!quoted && character === '[') depth += 1
    if (!quoted && character === ']') depth -= 1
    if (character === sign && depth <= 0 && !quoted) parts.push('')
    else parts[parts.length - 1] += character
  }
  return parts
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function parseProperties(parts: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    parts.map((part) => {
      const [key = '', ...value] = splitOutside(part, '=')
      return [key.trim(), value.length === 0 ? true : parseValue(value.join('=').trim())] as const
    }),
  )
}

const toText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : ''
const toOptions = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(toText).filter(Boolean) : []
const toLimits = (properties: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    ['min', 'max', 'step']
      .filter((key) => properties[key] !== undefined)
      .map((key) => [key, toText(properties[key])]),
  )

function toVariable(name: string, definition: string | undefined): PromptVariable {
  const [kind = '', ...rest] = splitOutside(definition ?? '', ':')
  const properties = parseProperties(rest)
  const options = toOptions(properties['options'])
  const known = KINDS.find((each) => each === kind.trim()) ?? 'text'
  return {
    name,
    kind: known === 'select' && options.length === 0 ? 'text' : known,
    label: toText(properties['label']) || name.replaceAll('_', ' '),
    placeholder: toText(properties['placeholder']),
    initial: toText(properties['default']),
    required: properties['required'] === true,
    options,
    ...toLimits(properties),
  }
}

/** Variables with automatic values, known when the prompt is used. */
export const BUILT_IN_NAMES = Object.freeze([
  'CURRENT_DATE',
  'CURRENT_TIME',
  'CURRENT_DATETIME',
  'CURRENT_WEEKDAY',
  'CURRENT_TIMEZONE',
  'USER_NAME',
  'USER_EMAIL',
  'USER_LANGUAGE',
])
/** Requires input, since a page may only read the clipboard after a click. */
export const CLIPBOARD = 'CLIPBOARD'

/**
 * Returns the variables of a prompt that need input, each name once, using its first occurrence
 * with a definition.
 */
export function readVariables(content: string): readonly PromptVariable[] {
  const found = new Map<string, PromptVariable>()
  const defined = new Set<string>()
  for (const [, name = '', definition] of content.matchAll(PATTERN)) {
    const isComplete = found.has(name) && (definition === undefined || defined.has(name))
    if (BUILT_IN_NAMES.includes(name) || isComplete) continue
    if (definition !== undefined) defined.add(name)
    const variable = toVariable(name, definition)
    found.set(
      name,
      name === CLIPBOARD && definition === undefined ? { ...variable, kind: 'textarea' } : variable,
    )
  }
  return [...found.values()]
}

/** Returns the prompt with all known variables replaced; other braces are unchanged. */
export const fillVariables = (content: string, values: ReadonlyMap<string, string>): string =>
  content.replace(PATTERN, (whole, name: string) => values.get(name) ?? whole)

/** Returns an initial value for every variable. */
export const initialValues = (variables: readonly PromptVariable[]): ReadonlyMap<string, string> =>
  new Map(
    variables.map(({ name, kind, initial, options }) => [name, startOf(kind, initial, options)]),
  )

function startOf(kind: VariableKind, initial: string, options: readonly string[]): string {
  if (kind === 'select') return options.includes(initial) ? initial : (options[0] ?? '')
  if (kind === 'checkbox') return initial === 'true' ? 'true' : 'false'
  if (kind === 'color') return initial || '#000000'
  return initial
}
