import type { IncomingMessage } from 'node:http'
import { SOCKET_PATH } from '#contract/events.ts'
import { ServiceError } from '../lib/errors.ts'
import { findSessionUser, toCaller, type Proofs } from './authenticate.ts'
import { isApiKey, readBearer, readCookie, type Presented } from './credentials.ts'
import type { LiveCaller } from './index.ts'

/** Identifies the callers of sockets, whose credentials may end while the connection lives on. */
export interface LiveCallers {
  byToken(token: string, place?: Presented['place']): LiveCaller | null | Promise<LiveCaller | null>
  byHeaders(request: IncomingMessage, options: { allowCookie: boolean }): LiveCaller | null | Promise<LiveCaller | null>
}

export function createLiveCallers({ users, sessions, apiKeys, allowList, touchKey }: Proofs): LiveCallers {
  const byKey = (secret: string): LiveCaller | null => {
    const key = apiKeys.find(secret)
    const user = key && users.get(key.user_id)
    if (!user || user.role === 'pending') return null
    const isValid = (): boolean =>
      apiKeys.find(secret) !== null &&
      users.get(user.id)?.role === user.role &&
      apiKeys.areEnabledFor(user.role) &&
      allowList.allowsPath(SOCKET_PATH)
    if (!isValid()) return null
    touchKey(key.id)
    users.touch(user.id)
    return { caller: toCaller(user, 'key', key.id), isValid }
  }
  const bySession = async (token: string, place: Presented['place']): Promise<LiveCaller | null> => {
    const claims = await sessions.verify(token)
    const user = findSessionUser(users, claims)
    if (!claims || !user || user.role === 'pending') return null
    users.touch(user.id)
    return {
      caller: toCaller(user, place === 'cookie' ? 'cookie' : 'bearer'),
      isValid: () => sessions.isCurrent(claims) && findSessionUser(users, claims)?.role === user.role,
    }
  }
  const byToken: LiveCallers['byToken'] = (token, place = 'bearer') => (isApiKey(token) ? byKey(token) : bySession(token, place))

  return {
    byToken,
    byHeaders: (request, { allowCookie }) => {
      try {
        const presented = readBearer(request) ?? (allowCookie ? readCookie(request) : null)
        return presented && byToken(presented.value, presented.place)
      } catch (error) {
        if (error instanceof ServiceError) return null
        throw error
      }
    },
  }
}
