import { pino, type Logger } from 'pino'

export type { Logger }

const REDACTED = '[redacted]'
/** Matches anything that looks like a credential, at any position of a logged string. */
const SECRET_PATTERN =
  /(?<=\/(?:channels\/{1,3}webhooks|automations\/{1,3}hooks)\/{1,3}[^/?\s"]{1,80}\/{1,3})(?!profile\b)[^/?\s"]+|\bsk-[A-Za-z0-9_-]{8,}|\b(?:session|guest)-[A-Za-z0-9]{43}|\beyJ[\w-]{8,}\.[\w-]+\.[\w-]+|\b(Bearer|Basic)\s+[^\s",]+/gi

/** Masks keys, tokens and authorization values inside a text. */
export function redactText(text: string): string {
  return text.replace(SECRET_PATTERN, (match) =>
    /^(Bearer|Basic)\s/.test(match) ? `${match.split(/\s/, 1)[0]} ${REDACTED}` : REDACTED,
  )
}

const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'x-session-key',
  'password',
  'new_password',
  'token',
  'api_key',
  'key',
  'secret',
  'logout_token',
  'access_token',
  'refresh_token',
  'id_token',
  'client_secret',
]
const secretPaths = SECRET_FIELDS.flatMap((field) => [
  `["${field}"]`,
  `*["${field}"]`,
  `*.*["${field}"]`,
])

function serializeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: redactText(String(error)) }
  const cause = error.cause === undefined ? {} : { cause: serializeError(error.cause) }
  const code = 'code' in error ? { code: error.code } : {}
  return {
    type: error.name,
    message: redactText(error.message),
    stack: redactText(error.stack ?? ''),
    ...code,
    ...cause,
  }
}

/**
 * Creates the process log: JSON lines on stderr, with keys, cookies and tokens masked. Domains use
 * a child logger by `name`.
 */
export function createLogger(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      redact: { paths: secretPaths, censor: REDACTED },
      serializers: { error: serializeError },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    process.stderr,
  )
}
