import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { SESSION_KEY_HEADER } from '#contract/auths.ts'
import { unauthorized } from '../lib/errors.ts'
import { randomToken } from '../lib/ids.ts'
import { refusal, type Presented } from './credentials.ts'
import type { SessionClaims } from './sessions.ts'

/** The beginning makes it recognisable where texts are masked. */
const PREFIX = 'session-'
const HEADER = SESSION_KEY_HEADER.toLowerCase()

/** The second half of a browser's session. The token in the cookie contains only its hash. */
export const createSessionKey = (): string => PREFIX + randomToken()

export const hashSessionKey = (key: string): string => hash('sha256', key, 'base64url')

/** The second half as a call carries it; null without one. */
export const readSessionKey = ({ headers }: IncomingMessage): string | null => {
  const value = headers[HEADER]
  return typeof value === 'string' ? value : null
}

/**
 * Browsers send `Sec-Fetch-Site` or, without encryption and on every POST, `Origin`. A program that
 * sends them too is treated as a browser.
 */
export const isFromBrowser = (request: IncomingMessage): boolean =>
  request.headers['sec-fetch-site'] !== undefined ||
  request.headers.origin !== undefined ||
  readSessionKey(request) !== null

/**
 * Browsers send the origin of a call or at least their name; a program that uses a cookie sends
 * neither.
 */
export const isFromPage = (request: IncomingMessage): boolean =>
  isFromBrowser(request) || /^mozilla\//i.test(request.headers['user-agent'] ?? '')

/**
 * Whether claims are a whole credential where they were presented; a browser's are only in the
 * cookie, and together with the key.
 */
export function isWhole(
  { keyHash }: SessionClaims,
  place: Presented['place'],
  key: string | null,
): boolean {
  if (keyHash === null) return true
  return place === 'cookie' && key !== null && hashSessionKey(key) === keyHash
}

/** Why claims that are no whole credential are refused. */
export const refuseHalf = (place: Presented['place']) =>
  place === 'cookie'
    ? unauthorized(
        `The cookie of a browser alone opens pages and files. Calls carry ${SESSION_KEY_HEADER} too; sign in on this page to get one.`,
        {
          code: 'session_key_needed',
        },
      )
    : refusal()
