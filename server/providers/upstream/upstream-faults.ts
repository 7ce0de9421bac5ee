import type { IncomingHttpHeaders } from 'node:http'
import {
  badRequest,
  type ReportedFault,
  ServiceError,
  timedOut,
  tooLarge,
  unavailable,
  upstreamFailed,
} from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import { hideSecrets } from '../../lib/outgoing/read-fault.ts'
import { LineTooLongError } from '../../lib/bytes/lines.ts'
import { OutgoingAbortedError, ReplyTooLargeError } from '../../lib/outgoing/outgoing.ts'
import { ownValue } from '../../lib/json/own-value.ts'
import type { ErrorFrame } from '../provider.ts'
import { parseReported, readReported } from './reported-fault.ts'

/**
 * Data for error texts: the name of the connection, and the secrets (keys and header values) they
 * must not show.
 */
export interface FaultContext {
  readonly name: string
  readonly secrets: readonly string[]
}

const MESSAGE_LIMIT = 1000
/** Maximum `Retry-After` that is passed on, in seconds. */
const RETRY_AFTER_LIMIT = 3600
/**
 * Waiting time reported to callers of a rate-limited provider that does not state how long its
 * limit lasts.
 */
const LIMITED_SECONDS = 5
const ADDRESSES = /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b|\[[0-9a-f:]{2,45}\](?::\d{1,5})?/gi

/** Returns the error for a call whose caller disconnected. */
export const callCancelled = (): ServiceError =>
  new ServiceError(499, 'The request was cancelled.', { code: 'cancelled' })

/**
 * Returns the seconds of a `Retry-After` header, given as number or date; null if it is absent,
 * past or invalid.
 */
export function parseRetryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null
  const text = value.trim()
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000
  if (!Number.isFinite(seconds) || seconds <= 0 || /^[-+]/.test(text)) return null
  return Math.min(Math.ceil(seconds), RETRY_AFTER_LIMIT)
}

/** Returns an upstream's message without keys, addresses and excess length. */
function cleanMessage(message: string, context: FaultContext): string {
  const text = hideSecrets(message, context.secrets)
    .replace(ADDRESSES, '[address]')
    .replace(/\s+/g, ' ')
    .trim()
  return text.length > MESSAGE_LIMIT ? `${text.slice(0, MESSAGE_LIMIT)}…` : text
}

/**
 * Returns the message in an error body of any known shape; null for everything else, such as a web
 * page.
 */
function readFaultMessage(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value
  if (Array.isArray(value)) return value.length > 0 ? readFaultMessage(value[0]) : null
  if (!isRecord(value)) return null
  return readFaultMessage(value['message'] ?? value['error'] ?? value['detail'] ?? value['msg'])
}

function parseFaultBody(body: string, context: FaultContext): string | null {
  try {
    const value: unknown = JSON.parse(body)
    const message = isRecord(value) ? readFaultMessage(value) : null
    return message === null ? null : cleanMessage(message, context)
  } catch {
    return null
  }
}

/**
 * Returns the values windows insert into their own messages: the connection, and the provider's
 * message.
 */
const factsOf = (
  { name }: FaultContext,
  said: string | null = null,
): { connection: string; provider_said?: string } => ({
  connection: name,
  ...(said !== null && { provider_said: said }),
})

/**
 * Maps an unsuccessful response to an error. Only a JSON message of the upstream is ever repeated.
 */
export function toStatusFault(
  reply: { status: number; headers: IncomingHttpHeaders; body: string },
  context: FaultContext,
): ServiceError {
  const { status } = reply
  const said = parseFaultBody(reply.body, context)
  const told = {
    ...parseReported(reply.body, said),
    facts: {
      ...factsOf(context, said),
      provider_status: status,
      ...toWaitingTime(reply.headers),
    },
  }
  const who = `The connection "${context.name}"`
  if (status < 400) {
    return upstreamFailed(
      `${who} redirects to another address. Enter the final address in its settings.`,
      { code: 'upstream_redirect', facts: told.facts },
    )
  }
  if (status === 401 || status === 403)
    // A provider's message about a key may repeat the key.
    return refusedKey(context, { ...factsOf(context), provider_status: status })
  if (status === 407)
    return upstreamFailed(
      `${who} is behind a proxy that requires a sign-in. Ask an administrator to set it up.`,
      { code: 'upstream_proxy', facts: told.facts },
    )
  if (status === 408)
    return timedOut(`${who} timed out. Try again.`, {
      code: 'upstream_timeout',
      facts: told.facts,
    })
  if (status === 413)
    return tooLarge(said ?? `The request is larger than ${who.toLowerCase()} accepts.`, {
      code: 'upstream_too_large',
      ...told,
    })
  if (status === 429) return rateLimited(reply.headers, said, { ...context, ...told })
  if (status < 500)
    return badRequest(said ?? `${who} rejected the request (status ${status}).`, {
      code: 'upstream_refused',
      ...told,
    })
  const reason =
    said === null ? 'Try again in a moment, or choose another model.' : `It says: ${said}`
  if (status === 503 || status === 529) {
    return unavailable(`${who} is busy or starting (status ${status}). ${reason}`, {
      code: 'upstream_unavailable',
      ...told,
      headers: toRetryHeader(status, reply.headers),
    })
  }
  if (status === 504 || status === 524)
    return timedOut(`${who} did not answer in time (status ${status}). ${reason}`, {
      code: 'upstream_timeout',
      facts: told.facts,
    })
  return upstreamFailed(`${who} failed (status ${status}). ${reason}`, {
    code: 'upstream_failed',
    ...told,
  })
}

/**
 * Like `toStatusFault`, for a proxy, which keeps the upstream's message about the request itself
 * (4xx).
 */
export function toPassedFault(
  reply: { status: number; headers: IncomingHttpHeaders; body: string },
  context: FaultContext,
): ServiceError {
  const fault = toStatusFault(reply, context)
  const isAboutRequest = fault.status === 400 && reply.status > 400
  return isAboutRequest
    ? new ServiceError(reply.status, fault.message, {
        code: fault.code,
        reported: fault.reported,
        ...(fault.facts && { facts: fault.facts }),
      })
    : fault
}

function refusedKey(
  context: FaultContext,
  facts: { readonly provider_status: number },
): ServiceError {
  const { provider_status: status } = facts
  const advice =
    status === 401
      ? 'Check the API key in its settings.'
      : 'Check that its API key can be used for this model.'
  const message = `The provider rejected the API key of the connection "${context.name}" (status ${status}). ${advice}`
  return upstreamFailed(message, { code: 'upstream_refused_key', facts })
}

/**
 * Returns how long a provider asks to wait, for windows that show a countdown; the absolute time
 * survives a reload of the message.
 */
function toWaitingTime(headers: IncomingHttpHeaders): { retry_after?: number; retry_at?: number } {
  const now = Date.now()
  const seconds = parseRetryAfter(headers['retry-after'], now)
  return seconds === null
    ? {}
    : { retry_after: seconds, retry_at: Math.round(now / 1000) + seconds }
}

/**
 * Returns the retry header: the upstream's value, and always one after a limit, because clients
 * would otherwise retry at once.
 */
export function toRetryHeader(
  status: number,
  headers: IncomingHttpHeaders,
): Record<string, string> {
  const seconds =
    parseRetryAfter(headers['retry-after'], Date.now()) ?? (status === 429 ? LIMITED_SECONDS : null)
  return seconds === null ? {} : { 'Retry-After': String(seconds) }
}

function rateLimited(
  headers: IncomingHttpHeaders,
  said: string | null,
  context: FaultContext & { reported?: ReportedFault; facts: { retry_after?: number } },
): ServiceError {
  const { name, reported, facts } = context
  const wait =
    facts.retry_after === undefined ? '' : ` and asks to wait ${inWords(facts.retry_after)}`
  const advice = wait === '' ? ' Wait a moment and try again.' : ''
  const message = `The provider of the connection "${name}" has had too many requests${wait}.${
    said === null ? advice : ` It says: ${said}`
  }`
  return new ServiceError(429, message, {
    code: 'upstream_rate_limited',
    headers: toRetryHeader(429, headers),
    reported,
    facts,
  })
}

const inWords = (seconds: number): string =>
  seconds === 1
    ? '1 second'
    : seconds < 120
      ? `${seconds} seconds`
      : `${Math.ceil(seconds / 60)} minutes`

const CONNECT_FAULTS: Record<string, [sentence: string, code: string]> = {
  ECONNREFUSED: [
    'nothing is listening at its address. Start the program there or correct the address',
    'upstream_refused_connection',
  ],
  ENOTFOUND: [
    'its host name cannot be found. Check the spelling of the address and the network',
    'upstream_unknown_host',
  ],
  EAI_AGAIN: [
    'its host name cannot be looked up right now. Check the network',
    'upstream_unknown_host',
  ],
  EHOSTUNREACH: ['its host cannot be reached. Check the network', 'upstream_unreachable'],
  ENETUNREACH: [
    'its network cannot be reached. Check that the gateway is online',
    'upstream_unreachable',
  ],
  CERT_HAS_EXPIRED: [
    'its certificate has expired and has to be renewed there',
    'upstream_certificate',
  ],
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    'its certificate is self-signed and therefore not trusted',
    'upstream_certificate',
  ],
  SELF_SIGNED_CERT_IN_CHAIN: [
    'its certificate was signed by an authority the gateway does not trust',
    'upstream_certificate',
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['its certificate cannot be verified', 'upstream_certificate'],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [
    'its certificate was signed by an authority the gateway does not trust',
    'upstream_certificate',
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'its certificate belongs to another host name',
    'upstream_certificate',
  ],
  CERT_UNTRUSTED: ['its certificate is not trusted', 'upstream_certificate'],
  CERT_NOT_YET_VALID: ['its certificate is not valid yet', 'upstream_certificate'],
  PROXY_UNREACHABLE: ['the proxy on the way cannot be reached', 'upstream_proxy_failed'],
  PROXY_SILENT: ['the proxy on the way did not answer in time', 'upstream_proxy_failed'],
  PROXY_WANTS_SIGN_IN: [
    'the proxy on the way wants a user name and password, or refuses those it was given',
    'upstream_proxy_sign_in',
  ],
  PROXY_REFUSED: ['the proxy on the way does not let the gateway through', 'upstream_proxy_failed'],
  PROXY_FOUND_NOTHING: ['the proxy on the way could not reach it', 'upstream_proxy_failed'],
  PROXY_BROKE_OFF: [
    'the proxy on the way ended the connection before it answered',
    'upstream_proxy_failed',
  ],
  PROXY_SPEAKS_OTHERWISE: [
    'what answers at the address of the proxy is no proxy of the kind that its address names',
    'upstream_proxy_failed',
  ],
  PROXY_NOT_TRUSTED: ['the certificate of the proxy is not trusted', 'upstream_proxy_failed'],
  PROXY_OF_ANOTHER_KIND: [
    'the proxy on the way is of a kind that is not supported, such as SOCKS 4',
    'upstream_proxy_failed',
  ],
  EPROTO: [
    'a secure connection could not be established. Check whether the address should begin with http:// or https://',
    'upstream_tls',
  ],
}

/** Codes of faults that mean that no connection to the upstream was established. */
const UNREACHED: ReadonlySet<string> = new Set([
  ...Object.values(CONNECT_FAULTS).map(([, code]) => code),
  'upstream_connect_timeout',
])

export const isUnreached = ({ code }: ServiceError): boolean => UNREACHED.has(code)

/** Codes of failures that occurred before the upstream received the request. */
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'PROXY_UNREACHABLE',
  'PROXY_BROKE_OFF',
])

function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  return isRecord(error) && typeof error['code'] === 'string' ? error['code'] : ''
}

/**
 * Returns true if resending the same request cannot run it twice, or the connection was lost before
 * a response began.
 */
export function isConnectFault(error: unknown): boolean {
  const code = codeOf(error)
  return (
    NOT_SENT.has(code) || code === 'ECONNRESET' || code === 'UND_ERR_SOCKET' || code === 'EPIPE'
  )
}

/** Maps a network failure to an error message that names the connection, not its URL. */
export function toNetworkFault(error: unknown, context: FaultContext): ServiceError {
  if (error instanceof ServiceError) return error
  if (error instanceof OutgoingAbortedError) return callCancelled()
  const who = `The connection "${context.name}"`
  const facts = factsOf(context)
  if (error instanceof ReplyTooLargeError || error instanceof LineTooLongError) {
    return upstreamFailed(`${who} sent more than the gateway accepts in one piece.`, {
      code: 'upstream_too_large',
      cause: error,
      facts,
    })
  }
  const code = codeOf(error)
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return timedOut(
      `${who} could not be reached in time. Check the address, the network and any firewall.`,
      {
        code: 'upstream_connect_timeout',
        cause: error,
        facts,
      },
    )
  }
  if (code === 'UND_ERR_HEADERS_TIMEOUT') {
    return timedOut(
      `${who} did not begin to answer in time. The model may still be loading; try again.`,
      { code: 'upstream_timeout', facts },
    )
  }
  if (code === 'UND_ERR_BODY_TIMEOUT') {
    return timedOut(`${who} stopped sending in the middle of its answer.`, {
      code: 'upstream_stalled',
      facts,
    })
  }
  if (code === 'UND_ERR_CLOSED' || code === 'UND_ERR_DESTROYED') {
    return unavailable(`${who} has just been changed. Try again.`, {
      code: 'upstream_changed',
      facts,
    })
  }
  const known =
    ownValue(CONNECT_FAULTS, code) ??
    (code.startsWith('ERR_SSL') ? CONNECT_FAULTS['EPROTO'] : undefined)
  if (known)
    return upstreamFailed(`${who} failed: ${known[0]}.`, {
      code: known[1],
      cause: error,
      facts,
    })
  return upstreamFailed(`${who} was interrupted. Check that the server is running and try again.`, {
    code: 'upstream_broken',
    cause: error,
    facts,
  })
}

/**
 * Returns the error for an answer that ended without a finish reason and without the end mark of
 * its format.
 */
export const incomplete = (context: FaultContext): ServiceError =>
  upstreamFailed(`The connection "${context.name}" ended its answer before it was complete.`, {
    code: 'upstream_incomplete',
    facts: factsOf(context),
  })

/** Returns the error for a complete document that holds no answer. */
export const withoutAnswer = (context: FaultContext): ServiceError =>
  upstreamFailed(
    `The connection "${context.name}" sent an empty reply. Try again, or choose another model.`,
    {
      code: 'upstream_incomplete',
      facts: factsOf(context),
    },
  )

/**
 * Returns the error for an unreadable part of an answer, which would otherwise be missing without
 * notice.
 */
export const unreadable = (context: FaultContext): ServiceError =>
  upstreamFailed(
    `The connection "${context.name}" sent part of its answer in a form that cannot be read (invalid or too deeply nested JSON). Try again, or choose another model.`,
    {
      code: 'upstream_incomplete',
      facts: factsOf(context),
    },
  )

/** Returns the last frame of a started stream. */
export function toErrorFrame(fault: ServiceError): ErrorFrame {
  const { message, code, status, reported, facts } = fault
  return {
    error: { message, code, status, ...(reported && { reported }), ...(facts && { facts }) },
  }
}

/** Returns the frame for an error an upstream reported inside its stream. */
export function toReportedFrame(error: unknown, context: FaultContext): ErrorFrame {
  const words = readFaultMessage(error)
  const said = words === null ? null : cleanMessage(words, context)
  return {
    error: {
      message: said ?? `The connection "${context.name}" reported an error.`,
      code: 'upstream_failed',
      status: 502,
      ...readReported(error, words),
      facts: factsOf(context, said),
    },
  }
}

/**
 * Returns the error an upstream reported instead of an answer, although its status indicated
 * success. Some name the intended status.
 */
export function toReportedFault(error: unknown, context: FaultContext): ServiceError {
  const { code, status } = isRecord(error) ? error : {}
  const meant = [status, code]
    .map(Number)
    .find((number) => Number.isInteger(number) && number >= 400 && number < 600)
  if (meant !== undefined)
    return toStatusFault({ status: meant, headers: {}, body: JSON.stringify({ error }) }, context)
  const { message, reported, facts } = toReportedFrame(error, context).error
  return upstreamFailed(message, { reported, ...(facts && { facts }) })
}
