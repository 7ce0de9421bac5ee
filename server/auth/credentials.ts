import type { IncomingMessage } from 'node:http'
import { parseCookie } from 'cookie'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import { unauthorized } from '../lib/errors.ts'
import { isRepeatedHeader } from './origin/repeated-header.ts'
import { SESSION_COOKIE } from './sessions/session-cookie.ts'

/** A credential as received with a request, not yet checked. */
export interface Presented {
  readonly place: 'bearer' | 'cookie' | 'header'
  readonly value: string
}

/**
 * Characters of API keys and session tokens; anything else, such as a comma-joined pair, is refused
 * without parsing.
 */
const CREDENTIAL = /^[\w.~+/=-]{1,8192}$/

const MESSAGES_KEY_HEADER = 'x-api-key'

export const isApiKey = (value: string): boolean => value.startsWith('sk-')

/**
 * One message for every invalid credential, so that the response reveals nothing about accounts and
 * keys.
 *
 * @NOTE A refusal never deletes the cookie. It may arrive after the response that set a newer one,
 *   such as the new password of another window, and browsers delete by name. An invalid cookie is
 *   removed by the next sign-in, by signing out or when it expires.
 */
export const refusal = () =>
  unauthorized(
    'Your session has expired or the key is not valid. Sign in again or use another key.',
    { code: 'invalid_credential' },
  )

/** Error for a session of another user than the one named by the proxy. */
export const refuseOtherPerson = () =>
  unauthorized('User mismatch. Please sign in again.', { code: 'user_mismatch' })

function present(place: Presented['place'], value: string): Presented {
  if (!CREDENTIAL.test(value)) throw refusal()
  return { place, value }
}

/**
 * @NOTE `Authorization` of another scheme (such as `Basic`, meant for a proxy in front) is not a
 *   credential of the gateway and is ignored. A bare token without a scheme is a malformed key and is
 *   refused.
 */
export function readBearer(request: IncomingMessage): Presented | null {
  const header = request.headers.authorization
  if (header === undefined) return null
  if (isRepeatedHeader(request, 'authorization')) throw refusal()
  const text = header.trim()
  const space = text.indexOf(' ')
  if ((space === -1 ? text : text.slice(0, space)).toLowerCase() === 'bearer')
    return present('bearer', space === -1 ? '' : text.slice(space).trimStart())
  if (space === -1) throw refusal()
  return null
}

export function readCookie(request: IncomingMessage): Presented | null {
  const header = request.headers.cookie
  if (header === undefined || !header.includes(SESSION_COOKIE)) return null
  const value = parseCookie(header)[SESSION_COOKIE]
  return value === undefined || value === '' ? null : present('cookie', value)
}

function readHeader(request: IncomingMessage, name: string): Presented | null {
  const value = request.headers[name]
  return value === undefined ? null : present('header', String(value))
}

/**
 * Returns the headers that may contain a key besides `Authorization`: the configured one, and the
 * one usual for the dialect of the endpoint. SDKs of the messages API, which send their version with
 * every call, send it to other endpoints too, such as the list of models.
 */
export function keyHeadersFor(
  request: IncomingMessage,
  endpoint: Pick<AnyEndpoint, 'errorDialect'>,
  chosen: string,
): readonly string[] {
  const header = chosen.toLowerCase()
  const isMessages =
    endpoint.errorDialect === 'messages' || request.headers['anthropic-version'] !== undefined
  return isMessages && header !== MESSAGES_KEY_HEADER ? [header, MESSAGES_KEY_HEADER] : [header]
}

/**
 * Returns the first credential of a request in the order Bearer, cookie, key headers; only this one
 * decides. Throws 401 if malformed.
 */
export function readCredential(
  request: IncomingMessage,
  keyHeaders: readonly string[],
): Presented | null {
  const early = readBearer(request) ?? readCookie(request)
  if (early) return early
  for (const name of keyHeaders) {
    const presented = readHeader(request, name)
    if (presented) return presented
  }
  return null
}
