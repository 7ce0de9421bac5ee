import type { IncomingMessage } from 'node:http'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import { forbidden, ServiceError, tooManyRequests, unauthorized } from '../lib/errors.ts'
import { requireCaller, type Caller } from '../lib/http.ts'
import { isRecord } from '../lib/is-record.ts'
import { whenReady } from '../lib/timing/when-ready.ts'
import type { AuthSettings } from './auth-settings.ts'
import type { UserRecord, Users } from '../users/index.ts'
import type { StoredKey } from './keys/api-key-store.ts'
import { ownerOf, type ApiKeys } from './keys/api-keys.ts'
import { isCallToken, type CallTokens } from './keys/call-tokens.ts'
import { checkOrigin } from './origin/check-origin.ts'
import {
  isApiKey,
  keyHeadersFor,
  readBearer,
  readCredential,
  refusal,
  refuseOtherPerson,
  type Presented,
} from './credentials.ts'
import { isAmong, type KeyAllowList, type PathValues } from './keys/endpoint-allow-list.ts'
import type { KeyUses } from './keys/key-uses.ts'
import { requireUnescaped } from './keys/limit-escapes.ts'
import type { Origins } from './origin/origins.ts'
import type { Peers } from './origin/peers.ts'
import { isWhole, readSessionKey, refuseHalf } from './sessions/session-key.ts'
import { isSameSecret } from './sign-in/setup-code.ts'
import type { SessionRecords } from './sessions/session-records.ts'
import type { SessionClaims, Sessions } from './sessions/sessions.ts'
import type { Throttle, ThrottleRule } from './sign-in/throttle.ts'
import { readSessionSecret } from './single-sign-on/sign-in-cookies.ts'
import { toCaller } from './to-caller.ts'
import type { TrustedHeaders } from './origin/trusted-headers.ts'

/** Services that identify callers, for requests and sockets. */
export interface Proofs {
  readonly users: Users
  readonly settings: AuthSettings
  readonly sessions: Sessions
  readonly apiKeys: ApiKeys
  readonly allowList: KeyAllowList
  readonly keyUses: KeyUses
  readonly sessionRecords: SessionRecords
  readonly peers: Peers
  readonly callTokens: CallTokens
  readonly trustedHeaders: TrustedHeaders
  /** Ends a session immediately, including its sockets. */
  readonly endSession: (claims: SessionClaims) => Promise<void>
}

interface AuthenticateDependencies extends Proofs {
  readonly origins: Origins
  readonly throttle: Throttle
}

// @NOTE A valid key is never refused because of invalid keys from the same IP address: 256 bits
//   cannot be guessed, and the limit only stops clients that keep using a deleted key.
const BAD_KEYS: ThrottleRule = { name: 'bad key', tries: 1200, seconds: 60 }

/** Returns the account of a session token if it still has the version the token was issued for. */
export const findSessionUser = (
  users: Users,
  claims: SessionClaims | null,
): UserRecord | null | Promise<UserRecord | null> =>
  claims &&
  whenReady(users.cached.known(claims.id) ?? users.get(claims.id), (user) =>
    user?.tokenVersion === claims.ver ? user : null,
  )

/** Returns true if the limits of a key allow it to call an endpoint. */
export const isInScope = (
  { limits }: StoredKey,
  endpoint: Pick<AnyEndpoint, 'path' | 'aliases'>,
  values?: PathValues,
): boolean =>
  limits === null ||
  limits.allowed_endpoints === null ||
  isAmong(limits.allowed_endpoints, endpoint, values)

/**
 * The system that provisions accounts. It is no account and has no rights on any other endpoint.
 */
const PROVISIONING: Caller = Object.freeze({
  userId: '',
  role: 'pending',
  name: 'SCIM',
  email: '',
  credential: 'scim',
  keyId: null,
})

/** A public endpoint ignores a bad credential, so that one can always sign in again. */
function toAnonymous(error: unknown): null {
  if (error instanceof ServiceError) return null
  throw error
}

/** A request and its endpoint. */
export interface Asked {
  readonly request: IncomingMessage
  readonly endpoint: AnyEndpoint
}

/** Returns the path parameters that the router read from a request. */
const pathValuesOf = (request: IncomingMessage): PathValues =>
  'params' in request && isRecord(request.params) ? request.params : {}

/** Returns true if the present role of a caller suffices for an endpoint. */
function mayCall(caller: Caller, endpoint: AnyEndpoint): boolean {
  try {
    requireCaller(caller, endpoint)
    return true
  } catch {
    return false
  }
}

/**
 * Identifies the caller of a request, synchronously if key or account are cached. Throws 401 for an
 * invalid credential and 403 for a disabled one.
 */
export class Authenticator {
  readonly #deps: AuthenticateDependencies

  constructor(deps: AuthenticateDependencies) {
    this.#deps = deps
  }

  /**
   * Order: Bearer, cookie, custom key header; the first credential present decides. Resolves with
   * null if none was sent.
   */
  authenticate(
    request: IncomingMessage,
    endpoint: AnyEndpoint,
  ): Caller | null | Promise<Caller | null> {
    if (endpoint.auth === 'scim') return this.#byProvisioning(request)
    if (endpoint.auth !== 'none') return this.#identify(request, endpoint)
    try {
      const caller = this.#identify(request, endpoint)
      return caller instanceof Promise ? caller.catch(toAnonymous) : caller
    } catch (error) {
      return toAnonymous(error)
    }
  }

  /**
   * Returns true unless the credential of a running call ended since; counts no use of a key. A
   * token of a call ends with that call.
   */
  async isCurrent(caller: Caller, { request, endpoint }: Asked): Promise<boolean> {
    if (caller.credential === 'scim') return true
    if (!mayCall(caller, endpoint)) return false
    const { apiKeys, sessions, users } = this.#deps
    if (caller.keyId !== null) return apiKeys.isCurrent(caller.keyId)
    const presented = this.#readCredential(request, endpoint)
    if (!presented || isCallToken(presented.value)) return true
    return (await findSessionUser(users, await sessions.verify(presented.value))) !== null
  }

  #readCredential(request: IncomingMessage, endpoint: AnyEndpoint): Presented | null {
    const header = this.#deps.settings.get('CUSTOM_API_KEY_HEADER')
    return readCredential(request, keyHeadersFor(request, endpoint, header))
  }

  #refuseKey(request: IncomingMessage): ServiceError {
    const { peers, throttle } = this.#deps
    const subject = peers.limitSubject(request)
    const wait = throttle.wait(BAD_KEYS, subject)
    if (wait > 0)
      return tooManyRequests(
        `Too many calls with a key that is not valid. ${BAD_KEYS.tries} in ${BAD_KEYS.seconds} seconds are answered, which is fixed. ` +
          'Check the key of your program.',
        wait,
      )
    throttle.count(BAD_KEYS, subject)
    return refusal()
  }

  #byKey({ value }: Presented, asked: Asked): Caller | Promise<Caller> {
    const { users, apiKeys } = this.#deps
    return whenReady(apiKeys.find(value), (key) => {
      if (!key) throw this.#refuseKey(asked.request)
      return whenReady(users.cached.known(key.user_id) ?? users.get(key.user_id), (user) => {
        if (!user) throw this.#refuseKey(asked.request)
        return whenReady(apiKeys.requireEnabledFor(ownerOf(user)), () =>
          this.#withKey(key, user, asked),
        )
      })
    })
  }

  #withKey(
    key: StoredKey,
    user: UserRecord,
    { request, endpoint }: Asked,
  ): Caller | Promise<Caller> {
    const { users, allowList, keyUses, peers } = this.#deps
    const values = pathValuesOf(request)
    if (!allowList.allowsEndpoint(endpoint, values))
      throw unauthorized('API keys may not use this endpoint. Ask an administrator to allow it.')
    if (!isInScope(key, endpoint, values))
      throw unauthorized('This key was not made for this endpoint. Use another key.')
    requireUnescaped(key, endpoint)
    return whenReady(keyUses.begin(key, { request, address: peers.addressOf(request) }), () => {
      users.touch(user.id)
      return toCaller(users, user, { credential: 'key', keyId: key.id })
    })
  }

  #bySession(
    presented: Presented,
    claims: SessionClaims | null,
    asked: Asked,
  ): Caller | Promise<Caller> {
    return whenReady(findSessionUser(this.#deps.users, claims), (user) => {
      if (!user || !claims) throw refusal()
      return this.#withSession(presented, { user, claims }, asked)
    })
  }

  #withSession(
    { place }: Presented,
    { user, claims }: { readonly user: UserRecord; readonly claims: SessionClaims },
    { request, endpoint }: Asked,
  ): Caller | Promise<Caller> {
    const { users, sessionRecords, trustedHeaders, endSession } = this.#deps
    const opensAlone = place === 'cookie' && endpoint.opensByCookie === true
    if (!opensAlone && !isWhole(claims, place, readSessionKey(request))) throw refuseHalf(place)
    if (trustedHeaders.contradicts(request, user)) {
      // An unreadable header does not name another user and may be a fault of the proxy.
      const isNamed = Boolean(trustedHeaders.identityOf(request)?.email)
      return whenReady(isNamed ? endSession(claims) : undefined, () => {
        throw refuseOtherPerson()
      })
    }
    users.touch(user.id)
    sessionRecords.touch(claims.jti)
    return toCaller(users, user, {
      credential: place === 'cookie' ? 'cookie' : 'bearer',
      providerSession: readSessionSecret(request),
    })
  }

  #byProvisioning(request: IncomingMessage): Caller | null {
    if (!this.#deps.settings.get('ENABLE_SCIM'))
      throw forbidden('SCIM is turned off. An administrator can turn it on with ENABLE_SCIM.', {
        code: 'feature_off',
      })
    const presented = readBearer(request)
    if (!presented) return null
    const token = this.#deps.settings.get('SCIM_TOKEN')
    if (token === '' || !isSameSecret(presented.value, token)) throw this.#refuseKey(request)
    return PROVISIONING
  }

  #identify(
    request: IncomingMessage,
    endpoint: AnyEndpoint,
  ): Caller | null | Promise<Caller | null> {
    const presented = this.#readCredential(request, endpoint)
    if (!presented) return null
    if (presented.place === 'cookie' && endpoint.method !== 'GET')
      checkOrigin(request, this.#deps.origins)
    if (isApiKey(presented.value)) return this.#byKey(presented, { request, endpoint })
    if (presented.place === 'bearer' && isCallToken(presented.value))
      return this.#deps.callTokens.authenticate(presented.value, endpoint, pathValuesOf(request))
    return whenReady(this.#deps.sessions.verify(presented.value), (claims) =>
      this.#bySession(presented, claims, { request, endpoint }),
    )
  }
}
