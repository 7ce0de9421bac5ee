import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseCookie, stringifySetCookie } from 'cookie'

const SESSION = 'oauth_session_id'
const ID_TOKEN = 'oauth_id_token'
/** Browsers drop a longer cookie together with its name. */
const LONGEST_VALUE = 4000

const attributes = { httpOnly: true, sameSite: 'lax', path: '/' } as const

interface CookieOptions {
  readonly secondsLeft: number
  readonly secure: boolean
}

/** Returns the browser's secret of the sign-in with a provider; null if it has none. */
export function readSessionSecret({ headers }: IncomingMessage): string | null {
  // Checked first, because the cookies of every request are searched.
  if (!headers.cookie?.includes(SESSION)) return null
  const value = parseCookie(headers.cookie)[SESSION]
  return value !== undefined && /^[\dA-Za-z]{43}$/.test(value) ? value : null
}

/**
 * Stores the secret of the sign-in in the browser, and the ID token beside it for clients that look
 * for one.
 */
export function setSignInCookies(
  response: ServerResponse,
  { secret, idToken }: { readonly secret: string; readonly idToken: string | null },
  { secondsLeft, secure }: CookieOptions,
): void {
  const options = { ...attributes, maxAge: secondsLeft, secure }
  response.appendHeader('Set-Cookie', stringifySetCookie(SESSION, secret, options))
  if (idToken !== null && idToken.length <= LONGEST_VALUE)
    response.appendHeader('Set-Cookie', stringifySetCookie(ID_TOKEN, idToken, options))
}

/** Removes both from the browser, if present. */
export function clearSignInCookies(request: IncomingMessage, response: ServerResponse): void {
  const present = parseCookie(request.headers.cookie ?? '')
  for (const name of [SESSION, ID_TOKEN])
    if (present[name] !== undefined)
      response.appendHeader(
        'Set-Cookie',
        stringifySetCookie(name, '', { ...attributes, maxAge: 0 }),
      )
}
