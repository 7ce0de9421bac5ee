import type { IncomingMessage } from 'node:http'
import type { Caller } from '../lib/http.ts'
import type { AuthSettings } from './auth-settings.ts'
import type { UserRecord, Users } from '../users/index.ts'
import type { Accounts } from './accounts.ts'
import type { ApiKeys } from './api-keys.ts'
import { refusal } from './credentials.ts'
import type { KnownPlaces } from './known-places.ts'
import type { Peers } from './peers.ts'
import type { PresentedSession } from './read-session.ts'
import type { ProviderSignIn } from './single-sign-on/index.ts'
import type { SessionRecords } from './session-records.ts'
import type { SessionClaims, Sessions } from './sessions.ts'
import type { SessionViews } from './to-session.ts'

/** Dependencies of the routes of sign-in, sessions, profile and keys. */
export interface AuthRouteDependencies {
  readonly settings: AuthSettings
  readonly users: Users
  readonly sessions: Sessions
  readonly sessionRecords: SessionRecords
  readonly views: SessionViews
  readonly apiKeys: ApiKeys
  readonly accounts: Accounts
  readonly places: KnownPlaces
  readonly peers: Peers
  /** The session a request was made with, checked for foreign pages; null when there is none. */
  readonly readSession: (request: IncomingMessage) => Promise<PresentedSession | null>
  readonly singleSignOn: Pick<ProviderSignIn, 'signOut' | 'routes'>
  readonly announceRevoked: (userId: string) => Promise<void>
  /** Ends a session at once, its sockets too. */
  readonly endSession: (claims: SessionClaims) => Promise<void>
}

export async function requireUser(users: Users, caller: Caller): Promise<UserRecord> {
  const user = await users.get(caller.userId)
  if (!user) throw refusal()
  return user
}
