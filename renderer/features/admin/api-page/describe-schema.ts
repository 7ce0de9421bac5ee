import { type ApiDocument, resolve, type Schema } from './read-openapi.ts'

type Schemas = ApiDocument['schemas']

/** Maximum depth, as schemas may be recursive. */
const DEEPEST = 4
const INDENT = '  '

const typesOf = ({ type }: Schema): readonly string[] =>
  typeof type === 'string' ? [type] : (type ?? [])
const nameOf = ({ $ref }: Schema): string => $ref?.split('/').at(-1) ?? ''
const NAMES: Readonly<Record<string, string>> = { integer: 'number' }

const fold = (parts: readonly string[]): string => [...new Set(parts)].join(' | ')

function describeObject(schema: Schema, schemas: Schemas, depth: number): string {
  const { properties = {}, required = [], additionalProperties } = schema
  const rows = Object.entries(properties)
  if (rows.length === 0) {
    const values =
      typeof additionalProperties === 'object'
        ? describeSchema(additionalProperties, schemas, depth + 1)
        : 'unknown'
    return `{ [name: string]: ${values} }`
  }
  const pad = INDENT.repeat(depth + 1)
  const lines = rows.map(
    ([name, value]) =>
      `${pad}${name}${required.includes(name) ? '' : '?'}: ${describeSchema(value, schemas, depth + 1)}`,
  )
  return `{\n${lines.join('\n')}\n${INDENT.repeat(depth)}}`
}

function describeType(type: string, schema: Schema, schemas: Schemas, depth: number): string {
  if (type === 'object') return depth > DEEPEST ? 'object' : describeObject(schema, schemas, depth)
  if (type !== 'array') return NAMES[type] ?? type
  const items = schema.items ? describeSchema(schema.items, schemas, depth) : 'unknown'
  return items.includes(' | ') && !items.startsWith('{') ? `(${items})[]` : `${items}[]`
}

/** Describes a schema in type notation, which is easier to read than JSON Schema. */
export function describeSchema(schema: Schema, schemas: Schemas, depth = 0): string {
  if (schema.$ref && depth > DEEPEST) return nameOf(schema)
  const known = resolve(schema, schemas)
  if (known.const !== undefined) return JSON.stringify(known.const)
  if (known.enum) return fold(known.enum.map((value) => JSON.stringify(value)))
  const choices = known.anyOf ?? known.oneOf
  if (choices) return fold(choices.map((choice) => describeSchema(choice, schemas, depth)))
  if (known.allOf)
    return known.allOf.map((part) => describeSchema(part, schemas, depth)).join(' & ')
  const types = typesOf(known)
  if (types.length === 0)
    return known.properties ? describeObject(known, schemas, depth) : 'unknown'
  return fold(types.map((type) => describeType(type, known, schemas, depth)))
}

/** Example values by name, for those that cannot be derived from the type. */
export interface Hints {
  readonly [name: string]: unknown
}

function exampleObject(
  schema: Schema,
  schemas: Schemas,
  hints: Hints,
  depth: number,
): Record<string, unknown> {
  const { properties = {}, required = [] } = schema
  const wanted = Object.entries(properties).filter(([name]) => required.includes(name))
  return Object.fromEntries(
    wanted.map(([name, value]) => [
      name,
      name in hints ? hints[name] : exampleOf(value, schemas, hints, depth + 1),
    ]),
  )
}

function exampleOfType(schema: Schema, schemas: Schemas, hints: Hints, depth: number): unknown {
  const type = typesOf(schema).find((each) => each !== 'null')
  if (type === 'object' || schema.properties) return exampleObject(schema, schemas, hints, depth)
  if (type === 'array')
    return schema.items ? [exampleOf(schema.items, schemas, hints, depth + 1)] : []
  if (type === 'integer' || type === 'number') return schema.minimum ?? 0
  if (type === 'boolean') return false
  return type === 'string' ? 'text' : null
}

/** Returns a value that matches a schema, with only the required parts. */
export function exampleOf(schema: Schema, schemas: Schemas, hints: Hints = {}, depth = 0): unknown {
  if (depth > DEEPEST) return null
  const known = resolve(schema, schemas)
  if (known.default !== undefined) return known.default
  if (known.const !== undefined) return known.const
  if (known.enum) return known.enum[0]
  const choices = known.anyOf ?? known.oneOf
  if (choices?.[0]) return exampleOf(choices[0], schemas, hints, depth)
  if (known.allOf)
    return Object.assign(
      {},
      ...known.allOf.map((part) => exampleOf(part, schemas, hints, depth)),
    ) as unknown
  return exampleOfType(known, schemas, hints, depth)
}
