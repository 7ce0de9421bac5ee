import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Session, SessionUser } from '#contract/auths.ts'
import { endpoints } from '#contract/endpoints.ts'
import { notFound } from '../lib/errors.ts'
import { route, type Call, type Caller, type Route } from '../lib/http.ts'
import { nowSeconds } from '../lib/ids.ts'
import type { Settings } from '../settings/index.ts'
import type { UserRecord, Users } from '../users/index.ts'
import type { Accounts } from './accounts.ts'
import { readAdminConfig, updateAdminConfig } from './admin-config.ts'
import type { ApiKeys } from './api-keys.ts'
import { refusal } from './credentials.ts'
import type { Peers } from './peers.ts'
import { toPermissions } from './permissions.ts'
import { clearedSessionCookie, sessionCookie } from './session-cookie.ts'
import type { PresentedSession } from './read-session.ts'
import type { Sessions } from './sessions.ts'

export interface AuthRouteDependencies {
  readonly settings: Settings
  readonly users: Users
  readonly sessions: Sessions
  readonly apiKeys: ApiKeys
  readonly accounts: Accounts
  readonly peers: Peers
  /** The session a request was made with, checked for foreign pages; null when there is none. */
  readonly readSession: (request: IncomingMessage) => Promise<PresentedSession | null>
  readonly announceRevoked: (userId: string) => void
}

export function createAuthRoutes(deps: AuthRouteDependencies): Route[] {
  return [...createSessionRoutes(deps), ...createProfileRoutes(deps), ...createKeyRoutes(deps)]
}

const toSessionUser = (user: UserRecord, apiKeys: ApiKeys): SessionUser => ({
  id: user.id,
  email: user.email,
  name: user.name,
  role: user.role,
  profile_image_url: user.profile_image_url,
  permissions: toPermissions(user.role, { mayUseKeys: apiKeys.areEnabledFor(user.role) }),
})

function toSession(user: UserRecord, issued: { token: string; expiresAt: number | null }, apiKeys: ApiKeys): Session {
  return { ...toSessionUser(user, apiKeys), token: issued.token, token_type: 'Bearer', expires_at: issued.expiresAt }
}

/** Everything that begins or ends a session. */
function createSessionRoutes(deps: AuthRouteDependencies): Route[] {
  const { users, sessions, accounts, peers, apiKeys } = deps

  const setCookie = (request: IncomingMessage, response: ServerResponse, issued: { token: string; expiresAt: number | null }): void => {
    const secondsLeft = issued.expiresAt === null ? null : issued.expiresAt - nowSeconds()
    response.setHeader('Set-Cookie', sessionCookie(issued.token, { secondsLeft, secure: peers.isHttps(request) }))
  }
  const openSession = async ({ request, response }: Call, user: UserRecord): Promise<Session> => {
    const issued = await sessions.issue(user)
    setCookie(request, response, issued)
    users.touch(user.id)
    return toSession(user, issued, apiKeys)
  }
  const signOut = async ({ request, response }: Call): Promise<{ status: boolean }> => {
    const session = await deps.readSession(request)
    if (session) {
      sessions.revoke(session.claims)
      deps.announceRevoked(session.claims.id)
    }
    response.setHeader('Set-Cookie', clearedSessionCookie())
    return { status: true }
  }

  return [
    route(endpoints.auths.signup, async (call) => openSession(call, await accounts.signUp(call.body, peers.limitSubject(call.request)))),
    route(endpoints.auths.signin, async (call) => openSession(call, await accounts.signIn(call.body, peers.limitSubject(call.request)))),
    route(endpoints.auths.desktop, (call) => openSession(call, accounts.signInDesktop(call.body.code))),
    route(endpoints.auths.signout, signOut),
    route(endpoints.auths.signoutByGet, signOut),
    route(endpoints.auths.session, async (call) => {
      const user = requireUser(users, call.caller)
      const session = await deps.readSession(call.request)
      if (!session) return toSession(user, { token: '', expiresAt: null }, apiKeys)
      setCookie(call.request, call.response, { token: session.token, expiresAt: session.claims.exp })
      // @NOTE The token of the HttpOnly cookie is not echoed, or any script in the page could read and keep it.
      return toSession(user, { token: session.place === 'cookie' ? '' : session.token, expiresAt: session.claims.exp }, apiKeys)
    }),
    route(endpoints.auths.updatePassword, async (call) => {
      const user = await accounts.changePassword(call.caller, call.body, peers.limitSubject(call.request))
      if (call.caller.credential === 'cookie') setCookie(call.request, call.response, await sessions.issue(user))
      return true as const
    }),
  ]
}

function requireUser(users: Users, caller: Caller): UserRecord {
  const user = users.get(caller.userId)
  if (!user) throw refusal()
  return user
}

/** The own profile, and what administrators do with accounts and sign-in. */
function createProfileRoutes({ settings, users, sessions, apiKeys }: AuthRouteDependencies): Route[] {
  return [
    route(endpoints.auths.updateProfile, ({ caller, body }) => toSessionUser(users.update(caller.userId, { name: body.name }), apiKeys)),
    route(endpoints.auths.addUser, async ({ body }) => {
      const passwordHash = await users.hashPassword(body.password)
      const user = users.create({ name: body.name, email: body.email, role: body.role, passwordHash })
      return toSession(user, await sessions.issue(user), apiKeys)
    }),
    route(endpoints.auths.adminConfig, () => readAdminConfig(settings)),
    route(endpoints.auths.updateAdminConfig, ({ body }) => updateAdminConfig(settings, body)),
  ]
}

function createKeyRoutes({ apiKeys, announceRevoked }: AuthRouteDependencies): Route[] {
  return [
    route(endpoints.auths.listApiKeys, ({ caller }) => apiKeys.list(caller.userId)),
    route(endpoints.auths.createApiKey, ({ caller, body }) => apiKeys.create(caller, body.name)),
    route(endpoints.auths.deleteApiKey, ({ caller, params }) => {
      apiKeys.remove(caller.userId, params.key_id)
      announceRevoked(caller.userId)
      return true as const
    }),
    route(endpoints.auths.getDefaultApiKey, ({ caller }) => {
      apiKeys.requireEnabledFor(caller.role)
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
