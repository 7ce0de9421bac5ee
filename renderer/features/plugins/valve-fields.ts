import { asText } from '../../lib/as-text.ts'

type Schema = Readonly<Record<string, unknown>>

/** One setting of a plugin in the form's representation. */
export interface ValveField {
  readonly name: string
  readonly label: string
  readonly hint: string
  readonly kind: 'text' | 'long' | 'secret' | 'number' | 'switch' | 'select' | 'json'
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly fallback: unknown
  readonly isRequired: boolean
  readonly isInteger: boolean
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** Returns the non-null schema of an optional field. */
function plainOf(schema: Schema): Schema {
  const choices = Array.isArray(schema.anyOf)
    ? schema.anyOf.filter(isSchema).filter(({ type }) => type !== 'null')
    : []
  return choices.length === 1
    ? {
        ...choices[0],
        ...schema,
        ...(choices[0]!.type !== undefined && { type: choices[0]!.type }),
      }
    : schema
}

function toOptions(value: unknown): { value: string; label: string }[] {
  if (!Array.isArray(value)) return []
  return value.map((option: unknown) => {
    const fields = isSchema(option) ? option : { value: option }
    const plain = String(fields.value as string | number)
    return { value: plain, label: asText(fields.label) || plain }
  })
}

function kindOf(schema: Schema, input: Schema, hasOptions: boolean): ValveField['kind'] {
  const type = asText(input.type)
  if (type === 'password') return 'secret'
  if (hasOptions) return 'select'
  if (schema.type === 'boolean') return 'switch'
  if (schema.type === 'integer' || schema.type === 'number') return 'number'
  if (schema.type === 'string') return type === 'textarea' ? 'long' : 'text'
  return 'json'
}

function toField(name: string, raw: Schema, isRequired: boolean): ValveField {
  const schema = plainOf(raw)
  const input = isSchema(schema.input) ? schema.input : {}
  const options = toOptions(schema.enum ?? input.options)
  return {
    name,
    label: asText(schema.title) || name,
    hint: asText(schema.description),
    kind: kindOf(schema, input, options.length > 0),
    options,
    fallback: schema.default,
    isRequired,
    isInteger: schema.type === 'integer',
  }
}

/** Returns the fields of a JSON schema in order; none for an invalid schema. */
export function readFields(spec: unknown): readonly ValveField[] {
  if (!isSchema(spec) || !isSchema(spec.properties)) return []
  const required = Array.isArray(spec.required) ? spec.required : []
  return Object.entries(spec.properties).flatMap(([name, schema]) =>
    isSchema(schema) ? [toField(name, schema, required.includes(name))] : [],
  )
}

/**
 * Returns the values to store: empty texts and null are left out, so that the plugin's defaults
 * apply.
 */
export function withoutDefaults(
  fields: readonly ValveField[],
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const entries = fields.map(({ name }) => [name, values[name]] as const)
  return Object.fromEntries(
    entries.filter(([, value]) => value !== undefined && value !== null && value !== ''),
  )
}
