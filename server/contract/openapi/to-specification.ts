import type { Operation } from './operation.ts'
import { isRecord, type JsonSchema, type ToolSpecification } from './schema.ts'

/** Argument that stands for a whole body that is not an object. */
export const BODY_ARGUMENT = 'body'

const propertiesOf = (schema: JsonSchema): Record<string, unknown> =>
  isRecord(schema['properties']) ? schema['properties'] : {}

const requiredOf = (schema: JsonSchema): string[] =>
  Array.isArray(schema['required'])
    ? schema['required'].filter((name): name is string => typeof name === 'string')
    : []

const withDescription = (schema: JsonSchema, description: string): JsonSchema =>
  description === '' ? schema : { ...schema, description }

/**
 * Returns one flat object of arguments: parameters first, then the fields of the body
 * (docs/plugin-contract.md).
 */
function toParameters({ parameters, body }: Operation): JsonSchema {
  const properties: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  const required = new Set<string>()
  for (const { name, schema, description, isRequired } of parameters) {
    properties[name] = withDescription(schema, description)
    if (isRequired) required.add(name)
  }
  if (body?.isWrapped) {
    properties[BODY_ARGUMENT] = body.schema
    if (body.isRequired) required.add(BODY_ARGUMENT)
  } else if (body) {
    Object.assign(properties, propertiesOf(body.schema))
    for (const name of requiredOf(body.schema)) required.add(name)
  }
  return {
    type: 'object',
    properties: { ...properties },
    required: [...required].filter((name) => name in properties),
  }
}

/** Returns the definition of an operation for a model, under the name by which it is offered. */
export const toSpecification = (operation: Operation, name: string): ToolSpecification => ({
  name,
  description: operation.description,
  parameters: toParameters(operation),
})
