import type { IncomingMessage } from 'node:http'
import { SOCKET_PATH } from '#contract/events.ts'
import { ServiceError } from '../../lib/errors.ts'
import { ownerOf } from '../keys/api-keys.ts'
import { findSessionUser, isInScope, type Proofs } from '../authenticate.ts'
import { isApiKey, readBearer, readCookie, type Presented } from '../credentials.ts'
import type { LiveCaller } from './live-caller.ts'
import type { KeyOrigin } from '../keys/key-uses.ts'
import { isWhole } from './session-key.ts'
import { toCaller } from '../to-caller.ts'

/** Credentials besides the headers of an upgrade. */
export interface UpgradeOptions {
  readonly allowCookie: boolean
  /** The second half of a browser's session, from the first frame; required for such a cookie. */
  readonly sessionKey?: string
}

export interface TokenOptions {
  /** Identifies the accounts that wait for approval too; the caller must send them nothing. */
  readonly allowPending?: boolean
}

/** Credentials of a session, with how it came and whom it may identify. */
interface PresentedSession extends Presented, TokenOptions {
  readonly sessionKey: string | null
}

/** A socket cannot report the reason of a refusal. */
async function orNull<Result>(find: () => Promise<Result>): Promise<Result | null> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof ServiceError) return null
    throw error
  }
}

/**
 * Identifies the callers of sockets, whose credentials may end during the lifetime of the
 * connection.
 */
export class LiveCallers {
  readonly #proofs: Proofs

  constructor(proofs: Proofs) {
    this.#proofs = proofs
  }

  /** `request` is the upgrade request. */
  byToken(
    token: string,
    request: IncomingMessage,
    options: TokenOptions = {},
  ): Promise<LiveCaller | null> {
    return orNull(() =>
      this.#identify({ place: 'bearer', value: token, sessionKey: null, ...options }, request),
    )
  }

  byHeaders(
    request: IncomingMessage,
    { allowCookie, sessionKey }: UpgradeOptions,
  ): Promise<LiveCaller | null> {
    return orNull(async () => {
      const presented = readBearer(request) ?? (allowCookie ? readCookie(request) : null)
      return (
        presented &&
        (await this.#identify({ ...presented, sessionKey: sessionKey ?? null }, request))
      )
    })
  }

  async #byKey(secret: string, from: KeyOrigin): Promise<LiveCaller | null> {
    const { users, apiKeys, allowList, keyUses } = this.#proofs
    const key = await apiKeys.find(secret)
    const user = key && (await users.get(key.user_id))
    if (!user || user.role === 'pending') return null
    const isValid = async (): Promise<boolean> =>
      (await apiKeys.find(secret)) !== null &&
      (await users.get(user.id))?.role === user.role &&
      (await apiKeys.areEnabledFor(ownerOf(user))) &&
      allowList.allowsPath(SOCKET_PATH) &&
      isInScope(key, { path: SOCKET_PATH })
    if (!(await isValid())) return null
    await keyUses.begin(key, from)
    users.touch(user.id)
    return { caller: toCaller(users, user, { credential: 'key', keyId: key.id }), isValid }
  }

  async #bySession(
    { value, place, sessionKey, allowPending = false }: PresentedSession,
    request: IncomingMessage,
  ): Promise<LiveCaller | null> {
    const { users, sessions, trustedHeaders, endSession } = this.#proofs
    const claims = await sessions.verify(value)
    const user = await findSessionUser(users, claims)
    if (!claims || !user || !isWhole(claims, place, sessionKey)) return null
    if (user.role === 'pending' && !allowPending) return null
    if (trustedHeaders.contradicts(request, user)) {
      if (trustedHeaders.identityOf(request)?.email) await endSession(claims)
      return null
    }
    users.touch(user.id)
    return {
      caller: toCaller(users, user, { credential: place === 'cookie' ? 'cookie' : 'bearer' }),
      isValid: async () =>
        sessions.isCurrent(claims) && (await findSessionUser(users, claims))?.role === user.role,
    }
  }

  async #identify(presented: PresentedSession, request: IncomingMessage) {
    return isApiKey(presented.value)
      ? await this.#byKey(presented.value, {
          request,
          address: this.#proofs.peers.addressOf(request),
        })
      : this.#bySession(presented, request)
  }
}
