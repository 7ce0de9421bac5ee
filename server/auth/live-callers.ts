import type { IncomingMessage } from 'node:http'
import { SOCKET_PATH } from '#contract/events.ts'
import { ServiceError } from '../lib/errors.ts'
import { ownerOf } from './api-keys.ts'
import { findSessionUser, isInScope, type Proofs } from './authenticate.ts'
import { isApiKey, readBearer, readCookie, type Presented } from './credentials.ts'
import type { LiveCaller } from './index.ts'
import type { KeyOrigin } from './key-uses.ts'
import { isWhole } from './session-key.ts'
import { toCaller } from './to-caller.ts'

/** What counts besides the headers of an upgrade. */
export interface UpgradeOptions {
  readonly allowCookie: boolean
  /**
   * The second half of a browser's session, which comes in the first frame; without it such a
   * cookie proves nobody.
   */
  readonly sessionKey?: string
}

/** Identifies the callers of sockets, whose credentials may end while the connection lives on. */
export interface LiveCallers {
  /** `request` is that of the upgrade. */
  byToken(token: string, request: IncomingMessage): LiveCaller | null | Promise<LiveCaller | null>
  byHeaders(
    request: IncomingMessage,
    options: UpgradeOptions,
  ): LiveCaller | null | Promise<LiveCaller | null>
}

export function createLiveCallers({
  users,
  sessions,
  apiKeys,
  allowList,
  keyUses,
  peers,
  trustedHeaders,
  endSession,
}: Proofs): LiveCallers {
  const byKey = (secret: string, from: KeyOrigin): LiveCaller | null => {
    const key = apiKeys.find(secret)
    const user = key && users.get(key.user_id)
    if (!user || user.role === 'pending') return null
    const isValid = (): boolean =>
      apiKeys.find(secret) !== null &&
      users.get(user.id)?.role === user.role &&
      apiKeys.areEnabledFor(ownerOf(user)) &&
      allowList.allowsPath(SOCKET_PATH) &&
      isInScope(key, { path: SOCKET_PATH })
    if (!isValid()) return null
    keyUses.begin(key, from)
    users.touch(user.id)
    return { caller: toCaller(users, user, 'key', key.id), isValid }
  }
  const bySession = async (
    { value, place }: Presented,
    request: IncomingMessage,
    sessionKey: string | null,
  ): Promise<LiveCaller | null> => {
    const claims = await sessions.verify(value)
    const user = findSessionUser(users, claims)
    if (!claims || !user || user.role === 'pending' || !isWhole(claims, place, sessionKey))
      return null
    if (trustedHeaders.contradicts(request, user)) {
      if (trustedHeaders.identityOf(request)?.email) endSession(claims)
      return null
    }
    users.touch(user.id)
    return {
      caller: toCaller(users, user, place === 'cookie' ? 'cookie' : 'bearer'),
      isValid: () =>
        sessions.isCurrent(claims) && findSessionUser(users, claims)?.role === user.role,
    }
  }
  const identify = (
    presented: Presented,
    request: IncomingMessage,
    sessionKey: string | null = null,
  ) =>
    isApiKey(presented.value)
      ? byKey(presented.value, { request, address: peers.addressOf(request) })
      : bySession(presented, request, sessionKey)
  /** A socket has no place for the reason of a refusal. */
  const orNull = <Result>(find: () => Result): Result | null => {
    try {
      return find()
    } catch (error) {
      if (error instanceof ServiceError) return null
      throw error
    }
  }

  return {
    byToken: (token, request) => orNull(() => identify({ place: 'bearer', value: token }, request)),
    byHeaders: (request, { allowCookie, sessionKey }) =>
      orNull(() => {
        const presented = readBearer(request) ?? (allowCookie ? readCookie(request) : null)
        return presented && identify(presented, request, sessionKey)
      }),
  }
}
