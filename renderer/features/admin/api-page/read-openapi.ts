/** The subset of JSON Schema that is read here. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: boolean | Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly minimum?: number
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly schema: Schema
}

/** One call of the API as the document describes it. */
export interface Operation {
  readonly id: string
  readonly tag: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly parameters: readonly Parameter[]
  readonly body: Schema | null
  readonly response: Schema | null
  /** Possible failures, by status. */
  readonly failures: readonly { readonly status: string; readonly text: string }[]
  /** True if no key is needed. */
  readonly isOpen: boolean
}

export interface ApiDocument {
  readonly operations: readonly Operation[]
  readonly schemas: Readonly<Record<string, Schema>>
}

interface RawOperation {
  readonly operationId: string
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly security?: readonly unknown[]
  readonly parameters?: readonly { name: string; in: string; required?: boolean; schema?: Schema }[]
  readonly requestBody?: { readonly content?: Readonly<Record<string, { schema?: Schema }>> }
  readonly responses?: Readonly<
    Record<
      string,
      { description?: string; content?: Readonly<Record<string, { schema?: Schema }>> }
    >
  >
}

const METHODS = ['get', 'post', 'delete'] as const
const JSON_TYPE = 'application/json'

function toOperation(path: string, method: string, raw: RawOperation): Operation {
  const parameters = (raw.parameters ?? []).flatMap(
    ({ name, in: place, required = false, schema = {} }) =>
      place === 'path' || place === 'query' ? [{ name, in: place, required, schema } as const] : [],
  )
  const failures = Object.entries(raw.responses ?? {}).flatMap(([status, { description = '' }]) =>
    status.startsWith('2') ? [] : [{ status, text: description }],
  )
  return {
    id: raw.operationId,
    tag: raw.tags?.[0] ?? '',
    method: method.toUpperCase(),
    path,
    summary: raw.summary ?? '',
    parameters,
    body: raw.requestBody?.content?.[JSON_TYPE]?.schema ?? null,
    response: raw.responses?.['200']?.content?.[JSON_TYPE]?.schema ?? null,
    failures,
    isOpen: raw.security?.length === 0,
  }
}

/** Parses an OpenAPI document, keeping the order of its calls. */
export function readOpenApi(document: Readonly<Record<string, unknown>>): ApiDocument {
  const paths = (document.paths ?? {}) as Readonly<
    Record<string, Partial<Record<(typeof METHODS)[number], RawOperation>>>
  >
  const { schemas = {} } = (document.components ?? {}) as {
    schemas?: Readonly<Record<string, Schema>>
  }
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const raw = item[method]
      return raw ? [toOperation(path, method, raw)] : []
    }),
  )
  return { operations, schemas }
}

/**
 * Groups calls by tag, including only those that contain every search term in their URL or
 * description.
 */
export function groupOperations(
  operations: readonly Operation[],
  query: string,
): readonly (readonly [string, readonly Operation[]])[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const groups = new Map<string, Operation[]>()
  for (const operation of operations) {
    const text =
      `${operation.method} ${operation.path} ${operation.summary} ${operation.tag}`.toLowerCase()
    if (!words.every((word) => text.includes(word))) continue
    groups.set(operation.tag, [...(groups.get(operation.tag) ?? []), operation])
  }
  return [...groups]
}

/** Resolves a reference to its schema. */
export function resolve(schema: Schema, schemas: ApiDocument['schemas']): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (schemas[name] ?? {})
}
