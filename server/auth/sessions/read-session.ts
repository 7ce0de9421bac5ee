import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../../lib/errors.ts'
import type { Settings } from '../../settings/index.ts'
import type { Users } from '../../users/index.ts'
import { findSessionUser } from '../authenticate.ts'
import { checkOrigin } from '../origin/check-origin.ts'
import { isApiKey, readCredential, type Presented } from '../credentials.ts'
import type { Origins } from '../origin/origins.ts'
import { isWhole, readSessionKey } from './session-key.ts'
import type { SessionClaims, Sessions } from './sessions.ts'

/** Session token of a request. */
export interface PresentedSession {
  readonly claims: SessionClaims
  readonly token: string
  readonly place: Presented['place']
}

/** Returns the credential of a request; null if there is none, or a malformed one. */
function readPresented(request: IncomingMessage, keyHeader: string): Presented | null {
  try {
    return readCredential(request, [keyHeader.toLowerCase()])
  } catch (error) {
    if (error instanceof ServiceError) return null
    throw error
  }
}

/** Returns the API key that a program sent in a header; null if it sent none. */
export function readOwnKey(request: IncomingMessage, keyHeader: string): string | null {
  const presented = readPresented(request, keyHeader)
  return presented !== null && presented.place !== 'cookie' && isApiKey(presented.value)
    ? presented.value
    : null
}

/**
 * Reads the session of a request about the session itself (current user, sign out); null if there
 * is none. A page of another site cannot use the cookie for it, not even by a link or image: 403.
 */
export function createReadSession(deps: {
  users: Users
  settings: Settings<'CUSTOM_API_KEY_HEADER'>
  sessions: Sessions
  origins: Origins
}) {
  return async (request: IncomingMessage): Promise<PresentedSession | null> => {
    const presented = readPresented(request, deps.settings.get('CUSTOM_API_KEY_HEADER'))
    if (!presented || isApiKey(presented.value)) return null
    const claims = await deps.sessions.verify(presented.value)
    if (!claims || !(await findSessionUser(deps.users, claims))) return null
    if (presented.place === 'cookie') checkOrigin(request, deps.origins)
    if (!isWhole(claims, presented.place, readSessionKey(request))) return null
    return { claims, token: presented.value, place: presented.place }
  }
}
