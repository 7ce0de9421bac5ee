import { StartError } from '../../config/start-error.ts'

/** Errors of PostgreSQL and the network, with advice for the administrator. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^(28P01|28000)$/, 'refuses the account or its password. Correct them in DATABASE_URL'],
  [/^3D000$/, 'does not have the database. Create it, or name another one in DATABASE_URL'],
  [
    /^42501$/,
    'does not let the account make tables. Grant it CREATE on the schema, or name the owner of the database in DATABASE_URL',
  ],
  [/^53300$/, 'has no connection left. Raise max_connections there, or close other programs'],
  [/^25006$/, 'can only be read from. Name the primary server in DATABASE_URL'],
  [
    /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|EPIPE|ENOENT|57P0\d|08\d{3})$/,
    'cannot be reached. Check the address in DATABASE_URL and that PostgreSQL runs there',
  ],
]

const codeOf = (error: unknown): string => {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Returns a URL without user name and password, which must never be part of a message. */
export function withoutCredentials(address: string): string {
  const { protocol, host, pathname } = new URL(address)
  return `${protocol}//${host}${pathname}`
}

/** Returns true if the connection is lost, or timed out; the statement may have been executed. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (/^(57P0\d|08\d{3}|53300|E[A-Z_]+)$/.test(codeOf(error))) return true
  return /terminated|timeout|not queryable|Connection ended|client has encountered/i.test(
    error.message,
  )
}

/** Returns true if another attempt a moment later may succeed. */
export function isPassing(error: unknown): boolean {
  if (error instanceof Error && /timeout|terminated/i.test(error.message)) return true
  return /^(E[A-Z_]+|57P0\d|08\d{3}|53300)$/.test(codeOf(error))
}

/** Explains in a sentence why the database cannot be used; nothing in it was changed. */
export function toPostgresStartError(error: unknown, address: string): unknown {
  if (error instanceof StartError) return error
  const code = isPassing(error) && !codeOf(error) ? 'ETIMEDOUT' : codeOf(error)
  const reason = REASONS.find(([pattern]) => pattern.test(code))?.[1]
  if (reason === undefined) return error
  return new StartError(`The database ${withoutCredentials(address)} ${reason}.`, { cause: error })
}
