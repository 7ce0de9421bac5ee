import { hash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { OAuthProviderId } from '#contract/oauth.ts'
import { nowSeconds } from '../../lib/ids.ts'
import type { Secrets } from '../../storage/secrets.ts'
import type { Flow } from './provider-client.ts'

/** A sign-in that was begun in a browser, as the browser itself keeps it. */
export interface BegunSignIn {
  readonly provider: OAuthProviderId
  readonly flow: Flow
  /** The path of the gateway it ends on; null for the usual one. */
  readonly redirect: string | null
  /** The trial it belongs to, which signs nobody in. */
  readonly trial: string | null
  /** Unix seconds. */
  readonly startedAt: number
}

export const SIGN_IN_SECONDS = 600
const PREFIX = 'oauth_state_'
/** Sign-ins begun in several tabs of one browser; those of older ones go. */
const MOST_AT_ONCE = 5

/** The way back is a page of another site that leads here, which takes no stricter cookie along. */
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

/** Leaves a sign-in in the browser that began it; nobody else can bring it back or read it. */
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
 * Takes the sign-in of a state out of the browser; null when this browser began none, or too long
 * ago.
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
