import type { IncomingMessage } from 'node:http'
import type { Session } from '#contract/auths.ts'
import { endpoints } from '#contract/endpoints.ts'
import { route, type Call, type Route } from '../lib/http.ts'
import { nowSeconds } from '../lib/ids.ts'
import type { UserRecord } from '../users/index.ts'
import { requireUser, type AuthRouteDependencies } from './auth-route.ts'
import { createLdapRoutes } from './ldap/routes.ts'
import { clearedSessionCookie, sessionCookie } from './session-cookie.ts'

/** Long enough for a command, too short to be worth stealing. */
const LOCAL_SECONDS = 15 * 60

/** Browsers say where a call comes from, or at least who they are; a program that uses a cookie does neither. */
const isFromPage = ({ headers }: IncomingMessage): boolean =>
  headers['sec-fetch-site'] !== undefined || headers.origin !== undefined || /^mozilla\//i.test(headers['user-agent'] ?? '')

/** Everything that begins or ends the session of a caller. */
export function createSessionRoutes(deps: AuthRouteDependencies): Route[] {
  const { users, sessions, sessionRecords, accounts, peers, views } = deps

  const setCookie = ({ request, response }: Call, issued: { token: string; expiresAt: number | null }): void => {
    const secondsLeft = issued.expiresAt === null ? null : issued.expiresAt - nowSeconds()
    response.setHeader('Set-Cookie', sessionCookie(issued.token, { secondsLeft, secure: peers.isHttps(request) }))
  }
  const issue = async (call: Call, user: UserRecord, options: { seconds?: number } = {}) => {
    const issued = await sessions.issue(user, options)
    sessionRecords.add(user, issued, call.request)
    return issued
  }
  const openSession = async (call: Call, user: UserRecord): Promise<Session> => {
    const issued = await issue(call, user)
    setCookie(call, issued)
    users.touch(user.id)
    return views.session(user, issued)
  }
  const signOut = async ({ request, response }: Call): Promise<{ status: boolean; redirect_url?: string }> => {
    const session = await deps.readSession(request)
    if (session) {
      sessions.revoke(session.claims)
      sessionRecords.forget(session.claims.jti)
      deps.announceRevoked(session.claims.id)
    }
    response.setHeader('Set-Cookie', clearedSessionCookie())
    const leadsTo = deps.settings.string('WEBUI_AUTH_SIGNOUT_REDIRECT_URL')
    return { status: true, ...(leadsTo !== '' && { redirect_url: leadsTo }) }
  }

  return [
    route(endpoints.auths.signup, async (call) => openSession(call, await accounts.signUp(call.body, call.request))),
    route(endpoints.auths.signin, async (call) => openSession(call, await accounts.signIn(call.body, call.request))),
    ...createLdapRoutes({ settings: deps.settings, accounts, openSession }),
    route(endpoints.auths.desktop, (call) => openSession(call, accounts.signInDesktop(call.body.code))),
    route(endpoints.auths.local, async (call) => {
      const user = accounts.signInLocally(call.body.token, call.request)
      return views.session(user, await issue(call, user, { seconds: LOCAL_SECONDS }))
    }),
    route(endpoints.auths.signout, signOut),
    route(endpoints.auths.signoutByGet, signOut),
    route(endpoints.auths.session, async (call) => {
      const user = requireUser(users, call.caller)
      const session = await deps.readSession(call.request)
      if (!session) return views.ownSession(user, { token: '', expiresAt: null })
      const issued = { token: session.token, expiresAt: session.claims.exp }
      setCookie(call, issued)
      // @NOTE Programs get the token of their cookie back, pages do not, or any script in one could read and keep it.
      const isHidden = session.place === 'cookie' && isFromPage(call.request)
      return views.ownSession(user, isHidden ? { ...issued, token: '' } : issued)
    }),
    route(endpoints.auths.updatePassword, async (call) => {
      const user = await accounts.changePassword(call.caller, call.body, peers.limitSubject(call.request))
      if (call.caller.credential === 'cookie') setCookie(call, await issue(call, user))
      return true as const
    }),
  ]
}

/** Where the caller is signed in. */
export function createSessionListRoutes({ users, sessionRecords, readSession, announceRevoked }: AuthRouteDependencies): Route[] {
  const currentOf = async (request: IncomingMessage): Promise<string | null> => (await readSession(request))?.claims.jti ?? null
  return [
    route(endpoints.auths.listSessions, async ({ caller, request }) =>
      sessionRecords.list(requireUser(users, caller), await currentOf(request)),
    ),
    route(endpoints.auths.endSession, ({ caller, params }) => {
      sessionRecords.end(requireUser(users, caller), params.session_id)
      announceRevoked(caller.userId)
      return true as const
    }),
    route(endpoints.auths.endOtherSessions, async ({ caller, request }) => {
      const ended = sessionRecords.endOthers(requireUser(users, caller), await currentOf(request))
      announceRevoked(caller.userId)
      return { ended }
    }),
  ]
}
