import type { AnyEndpoint } from '#contract/endpoint.ts'
import { forbidden, unauthorized } from '../../lib/errors.ts'
import type { Caller } from '../../lib/http.ts'
import { randomToken } from '../../lib/ids.ts'
import type { Users } from '../../users/index.ts'
import type { ApiKeys } from './api-keys.ts'
import { refusal } from '../credentials.ts'
import { isAmong, type KeyAllowList, type PathValues } from './endpoint-allow-list.ts'
import { toCaller } from '../to-caller.ts'

/**
 * A credential for code that acts for a user during one call, such as a plugin that calls the
 * gateway back.
 */
export interface CallToken {
  readonly token: string
  /** Ends the call: the token is refused from now on. */
  end(): void
}

interface CallTokenDependencies {
  readonly users: Users
  readonly apiKeys: ApiKeys
  readonly allowList: KeyAllowList
}

interface Issued {
  readonly caller: Caller
  readonly endpointIds: ReadonlySet<string>
  readonly depth: number
}

const PREFIX = 'call-'
/**
 * Maximum nesting of calls: code that calls the gateway, which runs code that calls the gateway,
 * and so on.
 */
const DEEPEST = 4

export const isCallToken = (value: string): boolean => value.startsWith(PREFIX)

/** Credentials that are valid for one call, in memory only. */
export class CallTokens {
  readonly #users: Users
  readonly #apiKeys: ApiKeys
  readonly #allowList: KeyAllowList
  readonly #issued = new Map<string, Issued>()
  /** Nesting depths of callers that used such a token. */
  readonly #depths = new WeakMap<Caller, number>()

  constructor({ users, apiKeys, allowList }: CallTokenDependencies) {
    this.#users = users
    this.#apiKeys = apiKeys
    this.#allowList = allowList
  }

  /** Returns null if the caller is nested so deeply in such calls that it must be a cycle. */
  issue(caller: Caller, endpointIds: ReadonlySet<string>): CallToken | null {
    const depth = (this.#depths.get(caller) ?? 0) + 1
    if (depth > DEEPEST) return null
    const token = PREFIX + randomToken()
    this.#issued.set(token, { caller, endpointIds, depth })
    return { token, end: () => void this.#issued.delete(token) }
  }

  /** Returns the caller of a token at this endpoint; throws 401 and 403. */
  async authenticate(token: string, endpoint: AnyEndpoint, values?: PathValues): Promise<Caller> {
    const entry = this.#issued.get(token)
    const user = entry && (await this.#users.get(entry.caller.userId))
    if (!user || user.role === 'pending') throw refusal()
    const { credential, keyId } = entry.caller
    const caller = toCaller(this.#users, user, { credential, keyId })
    if (!(await this.#keyAllows(caller, endpoint, values)))
      throw unauthorized(
        'The key this was asked with was not made for this endpoint. Use another key.',
      )
    if (!entry.endpointIds.has(endpoint.id)) {
      throw forbidden('Plugins may not use this endpoint with the credential of a call.', {
        code: 'not_for_plugins',
      })
    }
    this.#depths.set(caller, entry.depth)
    return caller
  }

  /** The limits of the key of the request also apply to calls made on its behalf. */
  async #keyAllows(
    { userId, role, keyId }: Caller,
    endpoint: AnyEndpoint,
    values?: PathValues,
  ): Promise<boolean> {
    if (keyId === null) return true
    const key = [...(await Array.fromAsync(this.#apiKeys.list(userId)))].find(
      ({ id }) => id === keyId,
    )
    if (
      !key ||
      !(await this.#apiKeys.areEnabledFor({ userId, role })) ||
      !this.#allowList.allowsEndpoint(endpoint, values)
    )
      return false
    return key.allowed_endpoints === null || isAmong(key.allowed_endpoints, endpoint, values)
  }
}
