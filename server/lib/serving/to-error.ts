import type { AnyEndpoint } from '#contract/endpoint.ts'
import { SCIM_SCHEMAS } from '#contract/scim.ts'
import { ServiceError, type ReportedFault } from '../errors.ts'

type Dialect = AnyEndpoint['errorDialect']

/**
 * Returns the body of a failed call (docs/decisions.md): `detail`, plus the error object of the
 * endpoint's dialect.
 */
export function toErrorBody(error: ServiceError, dialect?: Dialect): Record<string, unknown> {
  const detail = error.issues ?? error.message
  if (dialect === 'chat-completions') return { detail, error: toCompletionsError(error) }
  if (dialect === 'runtime') return { detail, error: error.message }
  if (dialect === 'scim') return toScimError(error)
  if (dialect === 'messages') return { detail, type: 'error', error: toMessagesError(error) }
  return { detail, ...error.facts }
}

/**
 * Returns the status of a failed call in the dialect of its endpoint; SCIM uses only 400 for
 * invalid input.
 */
export const statusOf = ({ status }: ServiceError, dialect?: Dialect): number =>
  dialect === 'scim' && status === 422 ? 400 : status

/** SCIM codes for kinds of errors; others are described only by the message. */
const SCIM_TYPES: ReadonlySet<string> = new Set([
  'invalidFilter',
  'invalidPath',
  'invalidSyntax',
  'invalidValue',
  'mutability',
  'noTarget',
  'uniqueness',
])

function toScimError(error: ServiceError): Record<string, unknown> {
  const type =
    error.code === 'invalid_json' ? 'invalidSyntax' : error.issues ? 'invalidValue' : error.code
  return {
    schemas: [SCIM_SCHEMAS.error],
    status: String(statusOf(error, 'scim')),
    ...(SCIM_TYPES.has(type) && { scimType: type }),
    detail: error.message,
  }
}

/**
 * The provider's machine-readable details replace the gateway's own, because agents act on them.
 */
function toCompletionsError({
  status,
  message,
  code,
  param,
  issues,
  reported,
}: ServiceError): Record<string, unknown> {
  return {
    message,
    type:
      reportedType(status, reported) ??
      COMPLETIONS_TYPES[status] ??
      (status >= 500 ? 'server_error' : 'invalid_request_error'),
    param: reported?.param ?? param ?? (issues?.[0]?.loc.slice(1).join('.') || null),
    code: reported?.code ?? code,
  }
}

/**
 * Returns the reported type. Some providers report every error as an invalid request; its status is
 * more precise.
 */
const reportedType = (status: number, reported: ReportedFault | undefined): string | undefined =>
  reported?.type === 'invalid_request_error' && (status === 429 || status >= 500)
    ? undefined
    : reported?.type

const COMPLETIONS_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
}

const MESSAGES_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}
const KNOWN_MESSAGES_TYPES = new Set([
  ...Object.values(MESSAGES_TYPES),
  'invalid_request_error',
  'api_error',
])

/**
 * Message of this format for a conversation that is too long, by which its clients recognise it.
 */
const TOO_LONG = 'prompt is too long'

function toMessagesError({ status, message, reported }: ServiceError): Record<string, unknown> {
  const said = reportedType(status, reported)
  const known = said !== undefined && KNOWN_MESSAGES_TYPES.has(said) ? said : undefined
  const isTooLong = reported?.code === 'context_length_exceeded'
  const type = isTooLong
    ? 'invalid_request_error'
    : (MESSAGES_TYPES[status] ?? known ?? (status >= 500 ? 'api_error' : 'invalid_request_error'))
  return {
    type,
    message:
      isTooLong && !message.toLowerCase().includes(TOO_LONG) ? `${TOO_LONG}: ${message}` : message,
    ...(reported?.details && { details: reported.details }),
  }
}

/**
 * Returns the dialect of a URL, for errors before its endpoint is known or if there is none, so
 * that a client can read them.
 */
export function dialectOf(path: string): Dialect {
  if (/^\/+(?:api(?:\/v1)?|v1|(?:llmhost|ollama)\/v1)\/messages?(?:[/?]|$)/i.test(path))
    return 'messages'
  if (/^\/+(?:llmhost|ollama)\/api(?:[/?]|$)/i.test(path)) return 'runtime'
  if (/^\/+api\/v1\/scim(?:[/?]|$)/i.test(path)) return 'scim'
  const isCompletions =
    /^\/+(?:v1|openai|(?:llmhost|ollama)\/v1)(?:[/?]|$)/i.test(path) ||
    /^\/+api(?:\/v1)?\/(?:chat\/completions|completions|responses|embeddings|audio|images)(?:[/?]|$)/i.test(
      path,
    )
  return isCompletions ? 'chat-completions' : undefined
}

/** Meaning of SQLite and file system codes for the caller, most specific first. */
const STORAGE_FAULTS: readonly {
  readonly pattern: RegExp
  readonly status: number
  readonly code: string
  readonly message: string
}[] = [
  {
    pattern: /^(SQLITE_FULL|SQLITE_IOERR|ENOSPC|EDQUOT)/,
    status: 507,
    code: 'disk_full',
    message: 'The disk is full, nothing was saved. Free some space and try again.',
  },
  {
    pattern: /^(SQLITE_READONLY|SQLITE_CANTOPEN|EROFS)/,
    status: 507,
    code: 'read_only',
    message: 'The data folder cannot be written to, nothing was saved. Check its permissions.',
  },
  {
    pattern: /^(SQLITE_CORRUPT|SQLITE_NOTADB)/,
    status: 503,
    code: 'database_damaged',
    message: 'The database is damaged. Restart the gateway; it then offers to restore a backup.',
  },
  {
    pattern: /^SQLITE_(BUSY|LOCKED)/,
    status: 503,
    code: 'database_busy',
    message: 'Another program is using the database. Close it and try again.',
  },
]

/**
 * Converts any thrown value into a `ServiceError`; an unexpected one becomes a fixed 500 text with
 * the cause kept for the log.
 */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  const code =
    typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
  const fault = STORAGE_FAULTS.find(({ pattern }) => pattern.test(code))
  if (fault)
    return new ServiceError(fault.status, fault.message, { code: fault.code, cause: error })
  return new ServiceError(
    500,
    'Something went wrong inside the gateway. The log has the details under this request id.',
    {
      code: 'internal',
      cause: error,
    },
  )
}
