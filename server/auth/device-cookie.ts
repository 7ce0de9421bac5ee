import type { IncomingMessage, ServerResponse } from 'node:http'
import { createHash } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'

const PREFIX = 'device-'
const SECRET = /^[\dA-Za-z]{43}$/
/**
 * Browsers refuse to send, and servers to read, headers that grow without end; the cookies set
 * first go first.
 */
const MOST_IN_A_BROWSER = 20

/** Sent to sign-in alone, and never with a call that another site begins. */
const PATH = '/api/v1/auths'

/** One cookie for each account that signs in with the browser. */
const nameFor = (account: string): string =>
  PREFIX + createHash('sha256').update(account).digest('base64url').slice(0, 12)

const cookiesOf = ({ headers }: IncomingMessage): Record<string, string | undefined> =>
  parseCookie(headers.cookie ?? '')

/** The secret an earlier sign-in to the account left in the browser. */
export function readDeviceSecret(request: IncomingMessage, account: string): string | null {
  const secret = cookiesOf(request)[nameFor(account)]
  return secret !== undefined && SECRET.test(secret) ? secret : null
}

interface DeviceSecret {
  readonly account: string
  readonly secret: string
  readonly seconds: number
  readonly isSecure: boolean
  /** The prefix a proxy adds to the paths of the gateway. */
  readonly basePath: string
}

/** Leaves the secret in the browser, and clears those that are too many. */
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
