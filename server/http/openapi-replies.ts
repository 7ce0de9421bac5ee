import { z, type ZodType } from 'zod'
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi'
import { errorBodySchema } from '#contract/common.ts'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import { toSchema } from '#contract/lazy-zod.ts'
import { SCIM_SCHEMAS } from '#contract/scim.ts'
import { invalidInput } from '../lib/errors.ts'
import { toErrorBody } from '../lib/serving/to-error.ts'

type Dialect = NonNullable<AnyEndpoint['errorDialect']>

const ERROR_TEXTS: Record<number, string> = {
  400: 'The request cannot be carried out as sent.',
  401: 'No or bad credentials, or not enough rights.',
  403: 'Switched off or not permitted.',
  404: 'Missing, or belongs to another user.',
  409: 'Conflicts with the current state.',
  413: 'The body is too large.',
  415: 'The body has another media type than the ones listed.',
  422: 'The input does not fit; `detail` lists the places.',
  429: 'Too many requests; see `Retry-After`.',
  502: 'The upstream failed.',
  503: 'Not available right now.',
  504: 'The upstream did not answer in time.',
  507: 'The disk is full or cannot be written to.',
}

const detail = z.union([z.string(), z.array(z.looseObject({ msg: z.string() }))])
const MODEL_NOT_FOUND = 'Model not found'

/**
 * Form of errors for client libraries of each dialect: `detail` beside the error object of the
 * dialect.
 */
const DIALECT_ERRORS: Readonly<Record<Dialect, ZodType>> = {
  'chat-completions': z
    .looseObject({
      detail,
      error: z.looseObject({ message: z.string(), type: z.string(), code: z.string() }),
    })
    .meta({
      id: 'ChatCompletionsError',
      example: {
        detail: MODEL_NOT_FOUND,
        error: { message: MODEL_NOT_FOUND, type: 'invalid_request_error', code: 'model_not_found' },
      },
    }),
  messages: z
    .looseObject({
      detail,
      type: z.literal('error'),
      error: z.looseObject({ type: z.string(), message: z.string() }),
    })
    .meta({
      id: 'MessagesError',
      example: {
        detail: MODEL_NOT_FOUND,
        type: 'error',
        error: { type: 'invalid_request_error', message: MODEL_NOT_FOUND },
      },
    }),
  runtime: z
    .looseObject({ detail, error: z.string() })
    .meta({ id: 'RuntimeError', example: { detail: MODEL_NOT_FOUND, error: MODEL_NOT_FOUND } }),
  scim: z
    .looseObject({
      schemas: z.array(z.string()),
      status: z.string(),
      scimType: z.string().optional(),
      detail: z.string(),
    })
    .meta({
      id: 'ScimError',
      example: {
        schemas: [SCIM_SCHEMAS.error],
        status: '409',
        scimType: 'uniqueness',
        detail: 'Another account has this userName.',
      },
    }),
}

const REQUEST_ID = {
  description: 'Finds this call in the log and the request log.',
  schema: { type: 'string' as const },
}
const RETRY_AFTER = { description: 'Seconds to wait.', schema: { type: 'string' as const } }

const NOT_FITTING = invalidInput([
  { loc: ['body', 'name'], msg: 'is missing', type: 'invalid_type' },
])

const errorReply = (
  status: number,
  dialect: AnyEndpoint['errorDialect'],
): ZodOpenApiResponseObject => ({
  description: ERROR_TEXTS[status] ?? 'Failed.',
  headers: {
    'X-Request-Id': REQUEST_ID,
    ...((status === 429 || status === 503) && { 'Retry-After': RETRY_AFTER }),
  },
  content: {
    'application/json': {
      schema: dialect ? DIALECT_ERRORS[dialect] : toSchema(errorBodySchema),
      ...(status === 422 && { example: toErrorBody(NOT_FITTING, dialect) }),
    },
  },
})

/** Returns the statuses a row implies, in addition to those it lists. */
const failuresOf = ({
  auth,
  body,
  query,
  upload,
  permission,
  feature,
  errors,
}: AnyEndpoint): number[] => [
  ...(auth === 'none' ? [] : [401]),
  ...(permission !== undefined || feature !== undefined ? [403] : []),
  ...(body ? [400, 413, 415] : []),
  ...(upload ? [413] : []),
  ...(body || query ? [422] : []),
  ...(errors ?? []),
]

/** Stream types of the dialects, which the table need not repeat. */
const STREAM_TYPES: Readonly<Record<Dialect, string>> = {
  'chat-completions': 'text/event-stream',
  messages: 'text/event-stream',
  runtime: 'application/x-ndjson',
  scim: 'application/scim+json',
}

function toContent({ response, reply, replyTypes, errorDialect }: AnyEndpoint) {
  const isDialectStream = reply === 'stream' && errorDialect !== undefined
  const types = replyTypes ?? [
    'application/json',
    ...(isDialectStream ? [STREAM_TYPES[errorDialect]] : []),
  ]
  return Object.fromEntries(
    types.map((type) => [
      type,
      {
        schema: /[/+]json$/.test(type)
          ? (toSchema(response) as ZodType)
          : { type: 'string' as const },
      },
    ]),
  )
}

/** Describes the responses of an endpoint: its success and every error a caller has to expect. */
export function describeReplies(endpoint: AnyEndpoint): ZodOpenApiResponsesObject {
  const failures = [...new Set(failuresOf(endpoint))].toSorted((left, right) => left - right)
  return {
    '200': {
      description: 'Done.',
      headers: { 'X-Request-Id': REQUEST_ID },
      content: toContent(endpoint),
    },
    ...Object.fromEntries(
      failures.map((status) => [String(status), errorReply(status, endpoint.errorDialect)]),
    ),
  }
}
