import { z } from './lazy-zod.ts'
import { doneSchema, flagSchema, idSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

/** API call as recorded in the request log, in memory only. */
export const requestRecordSchema = z
  .object({
    /** Equals the `X-Request-Id` of the reply. */
    id: z.string(),
    /** Increases with each recorded call; calls are recorded when they end. */
    seq: z.int(),
    /** Start time of the call in unix milliseconds. */
    time: z.int(),
    method: z.string(),
    /**
     * Id of the matched row of the endpoint table, such as `chats.get`; `unknown` for a URL that
     * matches none.
     */
    endpoint: z.string(),
    /** Path as called, with secrets in the query masked. */
    path: z.string(),
    /** 499 if the caller disconnected before the reply ended. */
    status: z.int(),
    /** Last response status of the provider, which may differ; null if none was asked. */
    provider_status: z.int().nullable(),
    milliseconds: z.number(),
    first_byte_milliseconds: z.number().nullable(),
    bytes_in: z.int(),
    bytes_out: z.int(),
    /** Null for calls without sign-in. */
    user: z.object({ id: z.string(), name: z.string() }).nullable(),
    credential: z.enum(['bearer', 'cookie', 'key', 'scim']).nullable(),
    key_name: z.string().nullable(),
    /** Calling client, from its `User-Agent`: `OpenAI/Python 1.2`, `curl 8.1`, a browser's name. */
    program: z.string().nullable(),
    model: z.string().nullable(),
    stream: z.boolean(),
    usage: z
      .object({
        prompt_tokens: z.int().nullable(),
        completion_tokens: z.int().nullable(),
        total_tokens: z.int().nullable(),
      })
      .nullable(),
    /** Error message sent to the caller, for failed calls. */
    error: z.string().nullable(),
    has_bodies: z.boolean(),
  })
  .meta({ id: 'RequestRecord' })
export type RequestRecord = z.output<typeof requestRecordSchema>

/** Reason why a field of a request did not reach the model that answered. */
export const ignoredReasonSchema = z.enum([
  'no_counterpart',
  'vendor_only',
  'not_stored',
  'no_accounts',
  'not_reasoning',
  'not_with_thinking',
  'offered_at_once',
  'told_in_text',
  'refused_by_provider',
  'gateway_decides',
  'unknown',
])
export type IgnoredReason = z.output<typeof ignoredReasonSchema>

/** Record with all stored data of the call. Bodies are redacted and truncated at 64 kB. */
export const requestDetailSchema = requestRecordSchema
  .extend({
    /** Attempts to get an answer from connections, in order; the first 20. */
    attempts: z.array(
      z.object({
        connection: z.string(),
        /** Path below the URL of the connection. */
        path: z.string(),
        /** Null if there was no response. */
        status: z.int().nullable(),
        error: z.string().nullable(),
        milliseconds: z.number(),
        /**
         * Body that was sent; null unless bodies are recorded, and if it is the same as in the
         * previous attempt.
         */
        request_body: z.string().nullable(),
      }),
    ),
    /**
     * Fields that reached the model in another form; `message.`, `part:` and similar prefixes give
     * their location.
     */
    translated_fields: z.array(z.string()),
    /** Fields that did not reach the model. */
    ignored_fields: z.array(z.object({ field: z.string(), reason: ignoredReasonSchema })),
    /** Null unless bodies are recorded. */
    request_body: z.string().nullable(),
    response_body: z.string().nullable(),
    /** The call as a shell command; the key is `$CHAT_GATEWAY_KEY`. */
    curl: z.string(),
    /** True if the recorded body is complete and unchanged, so that the call can be sent again. */
    can_replay: z.boolean(),
  })
  .meta({ id: 'RequestDetail' })
export type RequestDetail = z.output<typeof requestDetailSchema>

export const requestFilterSchema = z.object({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', '']).optional(),
  /** Status such as 404, or class such as 4xx. */
  status: z
    .string()
    .regex(/^([1-5](\d\d|xx))?$/i, 'must be a status such as 404 or a class such as 4xx')
    .optional(),
  /** `hidden` leaves out requests of UI windows. */
  windows: z.enum(['hidden', '']).optional(),
  /** Search terms for path, endpoint, user, key, program, model or error. */
  text: z.string().max(200).optional(),
})
export type RequestFilter = z.output<typeof requestFilterSchema>

const requestParams = z.object({ request_id: idSchema })
const after = z.coerce.number().int().min(0).optional()

export const requestEndpoints = defineEndpoints(
  { domain: 'requests', tag: 'Request log', root: '/api/v1/requests' },
  {
    list: {
      method: 'GET',
      path: '',
      auth: 'admin',
      query: requestFilterSchema.extend({
        after,
        limit: z.coerce.number().int().min(1).max(1000).default(100),
      }),
      response: z
        .object({
          items: z.array(requestRecordSchema),
          /** Number of all records that match the filter. */
          total: z.int(),
          enabled: z.boolean(),
          bodies: z.boolean(),
          size: z.int(),
        })
        .meta({ id: 'RequestLog' }),
      summary:
        'The last calls of the API, newest first; with `after` only those recorded after that `seq`.',
    },
    stream: {
      method: 'GET',
      path: '/stream',
      auth: 'admin',
      reply: 'stream',
      replyTypes: ['text/event-stream'],
      query: requestFilterSchema.extend({ after, follow: flagSchema.default(true) }),
      response: z.unknown(),
      summary:
        'Server-sent events: each `data` is a record, from `after` on or from now on, until the client disconnects; `follow=false` ends after the existing ones.',
    },
    clear: {
      method: 'DELETE',
      path: '',
      auth: 'admin',
      response: doneSchema,
      summary: 'Deletes all recorded calls.',
    },
    get: {
      method: 'GET',
      path: '/:request_id',
      auth: 'admin',
      params: requestParams,
      response: requestDetailSchema,
      errors: [404],
      summary: 'One recorded call with its redacted bodies and the call as a curl line.',
    },
    replay: {
      method: 'POST',
      path: '/:request_id/replay',
      auth: 'admin',
      params: requestParams,
      body: z.object({ model: z.string().min(1).max(512).optional() }),
      response: z
        .object({
          status: z.int(),
          milliseconds: z.number(),
          content_type: z.string(),
          body: z.string(),
          truncated: z.boolean(),
        })
        .meta({ id: 'RequestReplay' }),
      errors: [404, 409],
      summary:
        'Sends a recorded JSON call again as the calling admin, on another model when one is named; completions without their chat.',
    },
  },
)
