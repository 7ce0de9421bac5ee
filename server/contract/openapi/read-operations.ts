import { cleanToolText } from './clean-text.ts'
import type {
  Operation,
  OperationBody,
  OperationParameter,
  ToolServerDescription,
} from './operation.ts'
import { isRecord, type JsonSchema } from './schema.ts'

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
const PLACES = ['path', 'query', 'header'] as const

const textOf = (value: unknown): string =>
  typeof value === 'string' ? cleanToolText(value).trim() : ''
const recordsOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isRecord) : []

/** Returns the description of a parameter, with its allowed values. */
function describeParameter(parameter: Record<string, unknown>, schema: JsonSchema): string {
  const allowed = Array.isArray(schema['enum'])
    ? `Possible values: ${schema['enum'].map(String).join(', ')}.`
    : ''
  return [textOf(parameter['description']), allowed].filter((part) => part !== '').join(' ')
}

function toParameter(parameter: Record<string, unknown>): OperationParameter | null {
  const place = PLACES.find((name) => name === parameter['in'])
  const name = parameter['name']
  if (!place || typeof name !== 'string' || name === '') return null
  // Version 2 places the type beside the name.
  const written = parameter['schema'] ?? (typeof parameter['type'] === 'string' ? parameter : null)
  const { in: _in, name: _name, required: _required, ...inline } = isRecord(written) ? written : {}
  const schema = parameter['schema'] === undefined ? inline : isRecord(written) ? written : {}
  return {
    name,
    in: place,
    isRequired: parameter['required'] === true || place === 'path',
    schema,
    description: describeParameter(parameter, schema),
    isExploded: parameter['explode'] !== false,
  }
}

/** Parameters of the path apply to all its operations, unless one redefines them. */
function readParameters(shared: unknown, own: unknown): OperationParameter[] {
  const byPlace = new Map<string, OperationParameter>()
  for (const entry of [...recordsOf(shared), ...recordsOf(own)]) {
    const parameter = toParameter(entry)
    if (parameter) byPlace.set(`${parameter.in} ${parameter.name}`, parameter)
  }
  return [...byPlace.values()]
}

const isObjectSchema = (schema: JsonSchema): boolean =>
  isRecord(schema['properties']) || schema['type'] === 'object'

function readBody(value: unknown): OperationBody | null {
  if (!isRecord(value) || !isRecord(value['content'])) return null
  const kinds = Object.entries(value['content'])
  const found = kinds.find(([type]) => /^application\/([\w.+-]+\+)?json/i.test(type))
  if (!found) return null
  const [mediaType, media] = found
  const schema = isRecord(media) && isRecord(media['schema']) ? media['schema'] : {}
  return {
    schema,
    isRequired: value['required'] === true,
    isWrapped: !isObjectSchema(schema),
    mediaType,
  }
}

function readOperation(
  path: string,
  method: string,
  item: Record<string, unknown>,
): Operation | null {
  const operation = item[method]
  if (
    !isRecord(operation) ||
    typeof operation['operationId'] !== 'string' ||
    operation['operationId'] === ''
  )
    return null
  return {
    operationId: operation['operationId'],
    method: method.toUpperCase(),
    path,
    description: textOf(operation['description']) || textOf(operation['summary']),
    parameters: readParameters(item['parameters'], operation['parameters']),
    body: readBody(operation['requestBody']),
  }
}

/**
 * Returns the operations of a resolved document that have an `operationId`; the others cannot be
 * named and are left out.
 */
export function readOperations(document: Readonly<Record<string, unknown>>): ToolServerDescription {
  const info = isRecord(document['info']) ? document['info'] : {}
  const operations: Operation[] = []
  const paths = isRecord(document['paths']) ? document['paths'] : {}
  for (const [path, item] of Object.entries(paths)) {
    if (!isRecord(item) || !path.startsWith('/')) continue
    for (const method of METHODS) {
      const operation = readOperation(path, method, item)
      if (operation) operations.push(operation)
    }
  }
  return { title: textOf(info['title']), description: textOf(info['description']), operations }
}
