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

/**
 * The second half of a browser's session. Its hash stands in the token of the cookie, which tells
 * whoever has that nothing.
 */
export const createSessionKey = (): string => PREFIX + randomToken()

export const hashSessionKey = (key: string): string => hash('sha256', key, 'base64url')

/** The second half as a call carries it; null without one. */
export const readSessionKey = ({ headers }: IncomingMessage): string | null => {
  const value = headers[HEADER]
  return typeof value === 'string' ? value : null
}

/**
 * Browsers say where a call comes from, by `Sec-Fetch-Site` or, where the connection is not
 * encrypted and on every POST, by `Origin`. A program that does the same is taken for one: the
 * token of its answer is a whole credential as ever.
 */
export const isFromBrowser = (request: IncomingMessage): boolean =>
  request.headers['sec-fetch-site'] !== undefined ||
  request.headers.origin !== undefined ||
  readSessionKey(request) !== null

/**
 * Browsers say where a call comes from, or at least who they are; a program that uses a cookie does
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
