import type { AnyEndpoint } from '#contract/endpoint.ts'
import { ServiceError } from './errors.ts'

/** The body of a failed call (decisions §2): `detail`, plus the error object of the endpoint's dialect. */
export function toErrorBody(error: ServiceError, dialect?: AnyEndpoint['errorDialect']): Record<string, unknown> {
  const detail = error.issues ?? error.message
  if (dialect === 'chat-completions') {
    const type = error.status >= 500 ? 'server_error' : error.status === 401 ? 'authentication_error' : 'invalid_request_error'
    return { detail, error: { message: error.message, type, code: error.code } }
  }
  if (dialect === 'runtime') return { detail, error: error.message }
  if (dialect === 'messages') {
    return { detail, type: 'error', error: { type: messagesErrorType(error.status), message: error.message } }
  }
  return { detail }
}

function messagesErrorType(status: number): string {
  const known: Record<number, string> = {
    401: 'authentication_error',
    403: 'permission_error',
    404: 'not_found_error',
    413: 'request_too_large',
    429: 'rate_limit_error',
    529: 'overloaded_error',
  }
  return known[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error')
}

/** What codes of SQLite and the file system mean to the caller, most specific first. */
const STORAGE_FAULTS: readonly { readonly pattern: RegExp; readonly status: number; readonly code: string; readonly message: string }[] = [
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
    message: 'The database is damaged at this place. Restart the gateway; it then offers to restore a backup.',
  },
  {
    pattern: /^SQLITE_(BUSY|LOCKED)/,
    status: 503,
    code: 'database_busy',
    message: 'Another program is holding the database. Close it and try again.',
  },
]

/** Turns anything thrown into a `ServiceError`; the unexpected becomes a fixed 500 text with the cause kept for the log. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
  const fault = STORAGE_FAULTS.find(({ pattern }) => pattern.test(code))
  if (fault) return new ServiceError(fault.status, fault.message, { code: fault.code, cause: error })
  return new ServiceError(500, 'Something went wrong inside the gateway. The log has the details under this request id.', {
    code: 'internal',
    cause: error,
  })
}
