import type { Operation, OperationParameter } from './operation.ts'
import { ArgumentError, isRecord } from './schema.ts'
import { BODY_ARGUMENT } from './to-specification.ts'

/** Outgoing request for an operation; `path` starts with a slash and includes the query. */
export interface OperationRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

type Arguments = Readonly<Record<string, unknown>>

/**
 * Header fields a model may not set: they identify the caller or the destination, or determine how
 * the message is parsed.
 */
const RESERVED_HEADERS =
  /^(authorization|proxy-.*|cookie2?|host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|keep-alive|forwarded|via|x-forwarded-.*|x-real-ip|x-api-key|x-service-.*)$/i

const asText = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'object' && value !== null
      ? JSON.stringify(value)
      : String(value)

const isGiven = (given: Arguments, { name }: OperationParameter): boolean =>
  Object.hasOwn(given, name) && given[name] !== undefined && given[name] !== null

/** Keeps a value within its path segment: values that would lead up or elsewhere are rejected. */
function toPathPart(name: string, value: unknown): string {
  const text = asText(value)
  if (text === '' || text === '.' || text === '..')
    throw new ArgumentError(`"${name}" may not be ${text === '' ? 'empty' : `"${text}"`}.`)
  return encodeURIComponent(text.toWellFormed())
}

function toPath({ path, parameters }: Operation, given: Arguments): string {
  return path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const parameter = parameters.find(
      (candidate) => candidate.in === 'path' && candidate.name === name,
    )
    if (!parameter || !isGiven(given, parameter))
      throw new ArgumentError(`The argument "${name}" is missing.`)
    return toPathPart(name, given[name])
  })
}

function toPairs({ isExploded, isRequired }: OperationParameter, value: unknown): string[] {
  if (!Array.isArray(value)) return value === '' && !isRequired ? [] : [asText(value)]
  return isExploded ? value.map(asText) : [value.map(asText).join(',')]
}

function toQuery({ parameters }: Operation, given: Arguments): string {
  const pairs: string[] = []
  for (const parameter of parameters) {
    const { name } = parameter
    if (parameter.in !== 'query') continue
    if (isGiven(given, parameter)) {
      pairs.push(
        ...toPairs(parameter, given[name]).map(
          (text) => `${encodeURIComponent(name)}=${encodeURIComponent(text.toWellFormed())}`,
        ),
      )
    } else if (parameter.isRequired) throw new ArgumentError(`The argument "${name}" is missing.`)
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function toHeaders({ parameters, body }: Operation, given: Arguments): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json, text/*;q=0.9, */*;q=0.5' }
  for (const parameter of parameters) {
    if (
      parameter.in !== 'header' ||
      RESERVED_HEADERS.test(parameter.name) ||
      !/^[\w-]+$/.test(parameter.name)
    )
      continue
    if (!isGiven(given, parameter)) continue
    const value = asText(given[parameter.name])
    if (/[^\t\u0020-\u007E\u0080-\u00FF]/.test(value))
      throw new ArgumentError(`"${parameter.name}" holds characters a header cannot carry.`)
    headers[parameter.name.toLowerCase()] = value
  }
  if (body) headers['content-type'] = body.mediaType
  return headers
}

/**
 * Returns the body: only the fields its schema describes; if it describes none, all remaining
 * arguments.
 */
function toBody({ body, parameters }: Operation, given: Arguments): string | null {
  if (!body) return null
  if (body.isWrapped)
    return Object.hasOwn(given, BODY_ARGUMENT)
      ? JSON.stringify(given[BODY_ARGUMENT])
      : body.isRequired
        ? '{}'
        : null
  const described = isRecord(body.schema['properties']) ? body.schema['properties'] : null
  const elsewhere = new Set(parameters.map(({ name }) => name))
  const isField = (name: string): boolean =>
    described ? Object.hasOwn(described, name) : !elsewhere.has(name)
  return JSON.stringify(Object.fromEntries(Object.entries(given).filter(([name]) => isField(name))))
}

/**
 * Builds a request from arguments; throws an `ArgumentError` if one is missing or cannot be sent.
 */
export function toRequest(operation: Operation, given: Arguments): OperationRequest {
  return {
    method: operation.method,
    path: `${toPath(operation, given)}${toQuery(operation, given)}`,
    headers: toHeaders(operation, given),
    body: toBody(operation, given),
  }
}
