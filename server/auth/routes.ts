import type { IncomingMessage } from 'node:http'
import { endpoints } from '#contract/endpoints.ts'
import { notFound } from '../lib/errors.ts'
import { route, type Caller, type Route } from '../lib/http.ts'
import type { Settings } from '../settings/index.ts'
import type { UserRecord, Users } from '../users/index.ts'
import type { Accounts } from './accounts.ts'
import type { ApiKeys } from './api-keys.ts'
import { refusal } from './credentials.ts'
import type { Peers } from './peers.ts'
import { createProfileRoutes } from './profile-routes.ts'
import type { PresentedSession } from './read-session.ts'
import type { SessionRecords } from './session-records.ts'
import { createSessionListRoutes, createSessionRoutes } from './session-routes.ts'
import type { Sessions } from './sessions.ts'
import type { SessionViews } from './to-session.ts'

export interface AuthRouteDependencies {
  readonly settings: Settings
  readonly users: Users
  readonly sessions: Sessions
  readonly sessionRecords: SessionRecords
  readonly views: SessionViews
  readonly apiKeys: ApiKeys
  readonly accounts: Accounts
  readonly peers: Peers
  /** The session a request was made with, checked for foreign pages; null when there is none. */
  readonly readSession: (request: IncomingMessage) => Promise<PresentedSession | null>
  readonly announceRevoked: (userId: string) => void
}

export function createAuthRoutes(deps: AuthRouteDependencies): Route[] {
  return [...createSessionRoutes(deps), ...createSessionListRoutes(deps), ...createProfileRoutes(deps), ...createKeyRoutes(deps)]
}

export function requireUser(users: Users, caller: Caller): UserRecord {
  const user = users.get(caller.userId)
  if (!user) throw refusal()
  return user
}

function createKeyRoutes({ apiKeys, announceRevoked }: AuthRouteDependencies): Route[] {
  return [
    route(endpoints.auths.listApiKeys, ({ caller }) => apiKeys.list(caller.userId)),
    route(endpoints.auths.createApiKey, ({ caller, body }) => apiKeys.create(caller, body)),
    route(endpoints.auths.deleteApiKey, ({ caller, params }) => {
      apiKeys.remove(caller.userId, params.key_id)
      announceRevoked(caller.userId)
      return true as const
    }),
    route(endpoints.auths.getDefaultApiKey, ({ caller }) => {
      apiKeys.requireEnabledFor(caller)
      throw notFound('A key is shown only when it is created. Create a new one to get its text.')
    }),
    route(endpoints.auths.createDefaultApiKey, ({ caller }) => {
      const secret = apiKeys.replaceDefault(caller)
      announceRevoked(caller.userId)
      return { api_key: secret }
    }),
    route(endpoints.auths.deleteDefaultApiKey, ({ caller }) => {
      apiKeys.removeDefault(caller.userId)
      announceRevoked(caller.userId)
      return true as const
    }),
  ]
}
