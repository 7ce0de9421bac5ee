import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { SESSION_KEY_HEADER } from '#contract/auths.ts'
import { unauthorized } from '../../lib/errors.ts'
import { randomToken } from '../../lib/ids.ts'
import { refusal, type Presented } from '../credentials.ts'
import type { SessionClaims } from './sessions.ts'

/** Prefix that makes keys recognisable where texts are masked. */
const PREFIX = 'session-'
const HEADER = SESSION_KEY_HEADER.toLowerCase()

/**
 * Returns the second half of a browser's session. The token in the cookie contains only its hash.
 */
export const createSessionKey = (): string => PREFIX + randomToken()

export const hashSessionKey = (key: string): string => hash('sha256', key, 'base64url')

/** Returns the second half from a request; null if it has none. */
export const readSessionKey = ({ headers }: IncomingMessage): string | null => {
  const value = headers[HEADER]
  return typeof value === 'string' ? value : null
}

/**
 * Browsers send `Sec-Fetch-Site` or, without encryption and on every POST, `Origin`. Another client
 * that sends them too is treated as a browser.
 */
export const isFromBrowser = (request: IncomingMessage): boolean =>
  request.headers['sec-fetch-site'] !== undefined ||
  request.headers.origin !== undefined ||
  readSessionKey(request) !== null

/**
 * Browsers send the origin of a request or at least a `User-Agent`; other clients that use a cookie
 * send neither.
 */
export const isFromPage = (request: IncomingMessage): boolean =>
  isFromBrowser(request) || /^mozilla\//i.test(request.headers['user-agent'] ?? '')

/**
 * Returns true if claims are a complete credential in the place they were presented; those of a
 * browser only in the cookie, and together with the key.
 */
export function isWhole(
  { keyHash }: SessionClaims,
  place: Presented['place'],
  key: string | null,
): boolean {
  if (keyHash === null) return true
  return place === 'cookie' && key !== null && hashSessionKey(key) === keyHash
}

/** Returns the error for claims that are no complete credential. */
export const refuseHalf = (place: Presented['place']) =>
  place === 'cookie'
    ? unauthorized(
        `The cookie of a browser alone opens pages and files. Calls carry ${SESSION_KEY_HEADER} too; sign in on this page to get one.`,
        {
          code: 'session_key_needed',
        },
      )
    : refusal()
