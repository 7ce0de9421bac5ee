import { explainFault } from '../lib/explain-fault.ts'

/**
 * Error of a call that the gateway refused or that never reached it (`status` 0). `detail` is the
 * gateway's English text; `message` is the text in the language of the UI.
 */
export class ApiError extends Error {
  readonly status: number
  readonly detail: string
  readonly code: string | null
  readonly requestId: string | null
  /** Seconds the gateway asked to wait before trying again. */
  readonly retryAfter: number | null
  /** The whole response body, which may contain hints for resolving the error. */
  readonly body: Readonly<Record<string, unknown>>

  constructor(fields: {
    status: number
    detail: string
    code?: string | null
    requestId?: string | null
    retryAfter?: number | null
    body?: Readonly<Record<string, unknown>>
  }) {
    super(
      explainFault({ detail: fields.detail, code: fields.code, wait: fields.retryAfter ?? null }),
    )
    this.name = 'ApiError'
    this.status = fields.status
    this.detail = fields.detail
    this.code = fields.code ?? null
    this.requestId = fields.requestId ?? null
    this.retryAfter = fields.retryAfter ?? null
    this.body = fields.body ?? {}
  }
}

/** Returns the message to show for any thrown value. */
export const toSentence = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown)

/**
 * True if the error is an abort requested by the caller itself, which is not shown as a failure.
 */
export const isAborted = (thrown: unknown): boolean =>
  (thrown as { name?: unknown } | null)?.name === 'AbortError'

interface Issue {
  loc: (string | number)[]
  msg: string
}

const toDetail = (detail: unknown, status: number): string => {
  if (typeof detail === 'string' && detail) return detail
  if (Array.isArray(detail) && detail.length > 0) {
    return (detail as Issue[])
      .map((issue) => `${issue.loc.slice(1).join('.') || issue.loc.join('.')}: ${issue.msg}`)
      .join('; ')
  }
  return `HTTP ${status}`
}

async function readBody(response: Response): Promise<Record<string, unknown>> {
  try {
    const body: unknown = await response.json()
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  } catch {
    // A proxy in between may respond with an HTML page instead of JSON; the status still identifies
    // the error.
    return {}
  }
}

/** Turns a failed response into the error that callers catch. */
export async function toApiError(response: Response): Promise<ApiError> {
  const body = await readBody(response)
  const vendor = body.error as { code?: string } | undefined
  const wait = Number(response.headers.get('Retry-After'))
  return new ApiError({
    status: response.status,
    detail: toDetail(body.detail, response.status),
    code: response.headers.get('X-Error-Code') ?? vendor?.code ?? null,
    requestId: response.headers.get('X-Request-Id'),
    retryAfter: Number.isFinite(wait) && wait > 0 ? wait : null,
    body,
  })
}
