import type { ZodType } from 'zod'
import { createDocument, type ZodOpenApiObject, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import { errorBodySchema } from '#contract/common.ts'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import { toSchema } from '#contract/lazy-zod.ts'

const ERROR_TEXTS: Record<number, string> = {
  400: 'The request cannot be carried out as sent.',
  401: 'No or bad credentials, or not enough rights.',
  403: 'Switched off or not permitted.',
  404: 'Missing, or belongs to somebody else.',
  413: 'The body is too large.',
  422: 'The input does not fit; `detail` lists the places.',
  429: 'Too many requests; see `Retry-After`.',
  502: 'The upstream failed.',
  503: 'Not available right now.',
  504: 'The upstream did not answer in time.',
  507: 'The disk is full or cannot be written to.',
}

const errorReply = (status: number) => ({
  description: ERROR_TEXTS[status] ?? 'Failed.',
  content: { 'application/json': { schema: toSchema(errorBodySchema) } },
})

function toOperation(endpoint: AnyEndpoint): ZodOpenApiOperationObject {
  const failures = [
    ...(endpoint.auth === 'none' ? [] : [401]),
    ...(endpoint.body || endpoint.query ? [422] : []),
    ...(endpoint.errors ?? []),
  ]
  return {
    operationId: endpoint.id.replace('.', '_'),
    tags: [endpoint.tag],
    summary: endpoint.summary,
    security: endpoint.auth === 'none' ? [] : [{ bearer: [] }, { apiKey: [] }],
    requestParams: {
      ...(endpoint.params && { path: toSchema(endpoint.params) }),
      ...(endpoint.query && { query: toSchema(endpoint.query) }),
    },
    ...(endpoint.body && {
      requestBody: { required: true, content: { 'application/json': { schema: toSchema(endpoint.body) as ZodType } } },
    }),
    responses: {
      '200': {
        description: 'Done.',
        content: {
          'application/json': { schema: toSchema(endpoint.response) },
          ...(endpoint.errorDialect && { 'text/event-stream': { schema: { type: 'string' } } }),
        },
      },
      ...Object.fromEntries([...new Set(failures)].sort((a, b) => a - b).map((status) => [String(status), errorReply(status)])),
    },
  }
}

/** The endpoint table as an OpenAPI 3.1 document (decisions §2, OpenAPI). */
export function createOpenApiDocument(table: readonly AnyEndpoint[], about: { title: string; version: string }): Record<string, unknown> {
  const paths: ZodOpenApiPathsObject = {}
  for (const endpoint of table) {
    const path = endpoint.path.replace(/[:*](\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: toOperation(endpoint) }
  }
  const document: ZodOpenApiObject = {
    openapi: '3.1.1',
    info: about,
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key (`sk-…`) or a session token.' },
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      },
    },
  }
  return createDocument(document) as unknown as Record<string, unknown>
}
