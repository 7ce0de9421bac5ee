/** Error at one location of the input, in the form of the 422 response. */
export interface InputIssue {
  loc: (string | number)[]
  msg: string
  type: string
}

/** Machine-readable error details of a provider, unchanged. */
export interface ReportedFault {
  readonly code?: string
  readonly type?: string
  readonly param?: string
  /** Details of the messages format, by which its SDKs decide what to send instead. */
  readonly details?: Readonly<Record<string, unknown>>
}

export interface ServiceErrorOptions {
  /** Stable machine-readable code, e.g. `model_not_found`. */
  code?: string
  cause?: unknown
  headers?: Record<string, string>
  issues?: InputIssue[]
  /**
   * Part of the request that caused the error, as reported to clients of a dialect, e.g.
   * `messages[2].content[0]`.
   */
  param?: string
  /** Set for errors reported by a provider. */
  reported?: ReportedFault
  /** Fields of the reply in addition to `detail`, for clients that offer a remedy. */
  facts?: Readonly<Record<string, unknown>>
}

/**
 * The only error class of the gateway. `message` is an actionable sentence for users and becomes
 * `detail` in the response; `cause` is only logged. Thrown anywhere, mapped to a reply once in
 * `lib/http.ts`.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly status: number
  readonly code: string
  readonly headers: Record<string, string>
  readonly issues: InputIssue[] | undefined
  readonly param: string | undefined
  readonly reported: ReportedFault | undefined
  readonly facts: Readonly<Record<string, unknown>> | undefined

  constructor(status: number, message: string, options: ServiceErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.status = status
    this.code = options.code ?? `http_${status}`
    this.headers = options.headers ?? {}
    this.issues = options.issues
    this.param = options.param
    this.reported = options.reported
    this.facts = options.facts
  }
}

type Make = (message: string, options?: ServiceErrorOptions) => ServiceError

const maker =
  (status: number, code: string): Make =>
  (message, options) =>
    new ServiceError(status, message, { code, ...options })

export const badRequest = maker(400, 'bad_request')
export const unauthorized = maker(401, 'unauthorized')
export const forbidden = maker(403, 'forbidden')
export const notFound = maker(404, 'not_found')
export const conflict = maker(409, 'conflict')
export const tooLarge = maker(413, 'too_large')
export const unsupportedType = maker(415, 'unsupported_media_type')
export const upstreamFailed = maker(502, 'upstream_failed')
export const unavailable = maker(503, 'unavailable')
export const timedOut = maker(504, 'timed_out')
export const diskFull = maker(507, 'disk_full')

/** Returns a 422 with the list of errors, for input that does not match its schema. */
export function invalidInput(issues: InputIssue[]): ServiceError {
  return new ServiceError(
    422,
    issues.map((issue) => `${issue.loc.join('.')}: ${issue.msg}`).join('; '),
    { code: 'invalid_input', issues },
  )
}

/** Returns a 429; `retryAfterSeconds` is sent as `Retry-After`. */
export function tooManyRequests(message: string, retryAfterSeconds: number): ServiceError {
  return new ServiceError(429, message, {
    code: 'rate_limited',
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  })
}
