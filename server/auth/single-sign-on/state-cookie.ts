import { hash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { OAuthProviderId } from '#contract/oauth.ts'
import { nowSeconds } from '../../lib/ids.ts'
import type { Secrets } from '../../storage/secrets/secrets.ts'
import type { Flow } from './provider-client.ts'

/** A sign-in started in a browser, as stored by the browser itself. */
export interface BegunSignIn {
  readonly provider: OAuthProviderId
  readonly flow: Flow
  /** Path of the gateway it ends on; null for the default one. */
  readonly redirect: string | null
  /** The trial it belongs to, which does not sign in any user. */
  readonly trial: string | null
  /** Unix seconds. */
  readonly startedAt: number
}

export const SIGN_IN_SECONDS = 600
const PREFIX = 'oauth_state_'
/** Maximum number of concurrent sign-ins in tabs of one browser; the oldest are dropped. */
const MOST_AT_ONCE = 5

/** The return is a navigation from another site, which sends no stricter cookie. */
const attributes = { httpOnly: true, sameSite: 'lax', path: '/' } as const

const nameFor = (state: string): string => PREFIX + hash('sha256', state, 'hex').slice(0, 16)
const placeOf = (state: string): string => `oauth_state|${hash('sha256', state, 'hex')}|cookie`
const cookiesOf = ({ headers }: IncomingMessage): Record<string, string | undefined> =>
  parseCookie(headers.cookie ?? '')

const clear = (response: ServerResponse, name: string): void =>
  void response.appendHeader(
    'Set-Cookie',
    stringifySetCookie(name, '', { ...attributes, maxAge: 0 }),
  )

/** Stores a sign-in in the browser that started it; no other client can return or read it. */
export function setStateCookie(
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  begun: BegunSignIn,
  { secrets, isSecure }: { readonly secrets: Secrets; readonly isSecure: boolean },
): void {
  const { state } = begun.flow
  const others = Object.keys(cookiesOf(request)).filter((name) => name.startsWith(PREFIX))
  for (const name of others.slice(0, Math.max(0, others.length + 1 - MOST_AT_ONCE)))
    clear(response, name)
  const value = secrets.encrypt(placeOf(state), JSON.stringify(begun))
  response.appendHeader(
    'Set-Cookie',
    stringifySetCookie(nameFor(state), value, {
      ...attributes,
      maxAge: SIGN_IN_SECONDS,
      secure: isSecure,
    }),
  )
}

/**
 * Removes the sign-in of a state from the browser; returns null if this browser started none, or
 * too long ago.
 */
export function takeStateCookie(
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  state: string,
  secrets: Secrets,
): BegunSignIn | null {
  const name = nameFor(state)
  const value = cookiesOf(request)[name]
  if (value === undefined) return null
  clear(response, name)
  const text = secrets.decrypt(placeOf(state), value)
  const begun = text === null ? null : (JSON.parse(text) as BegunSignIn)
  return begun && begun.startedAt + SIGN_IN_SECONDS >= nowSeconds() && begun.flow.state === state
    ? begun
    : null
}
