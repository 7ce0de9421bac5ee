import type { IncomingMessage } from 'node:http'
import type { Caller } from '../../lib/http.ts'
import type { AuthSettings } from '../auth-settings.ts'
import type { UserRecord, Users } from '../../users/index.ts'
import type { Accounts } from './accounts.ts'
import { refusal } from '../credentials.ts'
import type { PresentedSession } from '../sessions/read-session.ts'
import type { ProviderSignIn } from '../single-sign-on/index.ts'
import type { SessionClaims } from '../sessions/sessions.ts'
import type { SignInParts } from './sign-in-parts.ts'

/** Dependencies of the routes of sign-in, sessions, profile and keys. */
export interface AuthRouteDependencies extends SignInParts {
  readonly settings: AuthSettings
  readonly users: Users
  readonly accounts: Accounts
  /** Reads the session of a request, checked for foreign pages; null if there is none. */
  readonly readSession: (request: IncomingMessage) => Promise<PresentedSession | null>
  readonly singleSignOn: ProviderSignIn
  /** Ends a session immediately, including its sockets. */
  readonly endSession: (claims: SessionClaims) => Promise<void>
}

export async function requireUser(users: Users, caller: Caller): Promise<UserRecord> {
  const user = await users.get(caller.userId)
  if (!user) throw refusal()
  return user
}
