import type { IncomingMessage, ServerResponse } from 'node:http'
import { createHash } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'

const PREFIX = 'device-'
const SECRET = /^[\dA-Za-z]{43}$/
/**
 * Maximum number of device cookies in a browser, because browsers and servers limit the size of
 * headers; the oldest cookies are removed first.
 */
const MOST_IN_A_BROWSER = 20

/** The cookies are only sent to sign-in endpoints, and never with cross-site requests. */
const PATH = '/api/v1/auths'

/** Returns the cookie name of an account; each account that signs in with the browser has one. */
const nameFor = (account: string): string =>
  PREFIX + createHash('sha256').update(account).digest('base64url').slice(0, 12)

const cookiesOf = ({ headers }: IncomingMessage): Record<string, string | undefined> =>
  parseCookie(headers.cookie ?? '')

/** Returns the secret that an earlier sign-in to the account stored in the browser. */
export function readDeviceSecret(request: IncomingMessage, account: string): string | null {
  const secret = cookiesOf(request)[nameFor(account)]
  return secret !== undefined && SECRET.test(secret) ? secret : null
}

interface DeviceSecret {
  readonly account: string
  readonly secret: string
  readonly seconds: number
  readonly isSecure: boolean
  /** Path prefix that a proxy adds to the paths of the gateway. */
  readonly basePath: string
}

/** Stores the secret in the browser and clears excess cookies. */
export function setDeviceCookies(
  request: IncomingMessage,
  response: ServerResponse,
  { account, secret, seconds, isSecure, basePath }: DeviceSecret,
): void {
  const attributes = { httpOnly: true, sameSite: 'strict', path: basePath + PATH } as const
  const own = nameFor(account)
  const others = Object.keys(cookiesOf(request)).filter(
    (name) => name.startsWith(PREFIX) && name !== own,
  )
  const surplus = others.slice(0, Math.max(0, others.length + 1 - MOST_IN_A_BROWSER))
  response.appendHeader(
    'Set-Cookie',
    stringifySetCookie(own, secret, { ...attributes, maxAge: seconds, secure: isSecure }),
  )
  for (const name of surplus)
    response.appendHeader('Set-Cookie', stringifySetCookie(name, '', { ...attributes, maxAge: 0 }))
}
