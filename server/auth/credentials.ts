import type { IncomingMessage } from 'node:http'
import { parseCookie } from 'cookie'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import { unauthorized } from '../lib/errors.ts'
import { isRepeatedHeader } from './repeated-header.ts'
import { SESSION_COOKIE } from './session-cookie.ts'

/** A credential as it came with a request, not yet looked at. */
export interface Presented {
  readonly place: 'bearer' | 'cookie' | 'header'
  readonly value: string
}

/**
 * Characters of API keys and session tokens; anything else, such as a comma-joined pair, is refused
 * unread.
 */
const CREDENTIAL = /^[\w.~+/=-]{1,8192}$/

const MESSAGES_KEY_HEADER = 'x-api-key'

export const isApiKey = (value: string): boolean => value.startsWith('sk-')

/**
 * One text for everything that proves nobody, so that the answer tells nothing about accounts and
 * keys.
 *
 * @NOTE A refusal never deletes the cookie. It may arrive after the answer that set a newer one,
 *   such as the new password of
 * another window, and browsers delete by name. A dead cookie goes with the next sign-in, with
 * signing out or at its own end.
 */
export const refusal = () =>
  unauthorized(
    'Your session has expired or the key is not valid. Sign in again or use another key.',
    { code: 'invalid_credential' },
  )

/** The session belongs to another person than the one the proxy names. */
export const refuseOtherPerson = () =>
  unauthorized('User mismatch. Please sign in again.', { code: 'user_mismatch' })

function present(place: Presented['place'], value: string): Presented {
  if (!CREDENTIAL.test(value)) throw refusal()
  return { place, value }
}

/**
 * @NOTE `Authorization` of another scheme (such as `Basic`, spent on a proxy in front) is no
 *   credential of ours and is
 * passed over. A bare token without a scheme is a malformed key, and those are refused.
 */
export function readBearer(request: IncomingMessage): Presented | null {
  const header = request.headers.authorization
  if (header === undefined) return null
  if (isRepeatedHeader(request, 'authorization')) throw refusal()
  const [scheme = '', value, ...rest] = header.trim().split(/ +/)
  if (scheme.toLowerCase() !== 'bearer') {
    if (value === undefined) throw refusal()
    return null
  }
  return present('bearer', [value ?? '', ...rest].join(' '))
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
 * The headers a key may travel in besides `Authorization`: the one that was chosen, and the one its
 * dialect is known for.
 */
export function keyHeadersFor(
  endpoint: Pick<AnyEndpoint, 'errorDialect'>,
  chosen: string,
): readonly string[] {
  const header = chosen.toLowerCase()
  return endpoint.errorDialect === 'messages' && header !== MESSAGES_KEY_HEADER
    ? [header, MESSAGES_KEY_HEADER]
    : [header]
}

/**
 * The first credential of a request in the order Bearer, cookie, key headers; only this one
 * decides. 401 when malformed.
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
