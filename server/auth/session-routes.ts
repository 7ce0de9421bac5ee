import type { IncomingMessage } from 'node:http'
import { SESSION_KEY_HEADER, type Session } from '#contract/auths.ts'
import { endpoints } from '#contract/endpoints.ts'
import { route, type Call, type Route } from '../lib/http.ts'
import { nowSeconds } from '../lib/ids.ts'
import type { UserRecord } from '../users/index.ts'
import { requireUser, type AuthRouteDependencies } from './auth-route.ts'
import { createLdapRoutes } from './ldap/routes.ts'
import { clearedSessionCookie, outlivesCookie, sessionCookie } from './session-cookie.ts'
import type { PresentedSession } from './read-session.ts'
import { createSessionKey, hashSessionKey, isFromBrowser, isFromPage } from './session-key.ts'
import type { IssuedSession } from './sessions.ts'

/** Long enough for a command, too short to be worth stealing. */
const LOCAL_SECONDS = 15 * 60

/** Everything that begins or ends the session of a caller. */
export function createSessionRoutes(deps: AuthRouteDependencies): Route[] {
  const { users, sessions, sessionRecords, accounts, places, peers, views } = deps

  const secondsUntil = (expiresAt: number | null): number | null =>
    expiresAt === null ? null : expiresAt - nowSeconds()
  const setCookie = ({ request, response }: Call, token: string, expiresAt: number | null): void =>
    void response.setHeader(
      'Set-Cookie',
      sessionCookie(token, {
        secondsLeft: secondsUntil(expiresAt),
        secure: peers.isHttps(request),
      }),
    )
  /**
   * Whether the question who is signed in sets the cookie again. A browser has it already, and this
   * answer may arrive after that of another window which set a newer one. A page that brings a
   * token of its own gets no cookie for it, which other ports of the host would get, too.
   */
  const setsCookieAgain = (
    { place, claims }: PresentedSession,
    request: IncomingMessage,
  ): boolean => {
    if (place !== 'cookie') return !isFromBrowser(request)
    return claims.keyHash === null || outlivesCookie(secondsUntil(claims.exp))
  }
  /**
   * A program gets its token as the cookie; a browser one that is worth little without the key in
   * the header beside it.
   */
  const setNewCookie = async (
    call: Call,
    user: UserRecord,
    issued: IssuedSession,
    isBrowser = isFromBrowser(call.request),
  ): Promise<void> => {
    if (!isBrowser) return setCookie(call, issued.token, issued.expiresAt)
    const key = createSessionKey()
    setCookie(
      call,
      await sessions.issueForBrowser(user, issued, hashSessionKey(key)),
      issued.expiresAt,
    )
    call.response.setHeader(SESSION_KEY_HEADER, key)
  }
  const issue = async (call: Call, user: UserRecord, options: { seconds?: number } = {}) => {
    const issued = await sessions.issue(user, options)
    sessionRecords.add(user, issued, call.request)
    return issued
  }
  const openSession = async (
    call: Call,
    user: UserRecord,
    isBrowser?: boolean,
  ): Promise<Session> => {
    const issued = await issue(call, user)
    await setNewCookie(call, user, issued, isBrowser)
    places.remember({
      account: user.id,
      userId: user.id,
      request: call.request,
      response: call.response,
    })
    users.touch(user.id)
    return views.session(user, issued)
  }
  const signOut = async ({
    request,
    response,
  }: Call): Promise<{ status: boolean; redirect_url?: string }> => {
    const session = await deps.readSession(request)
    response.setHeader('Set-Cookie', clearedSessionCookie())
    if (session) deps.endSession(session.claims)
    const away = await deps.singleSignOn.signOut({ request, response }, session?.claims.id ?? null)
    const leadsTo = away ?? deps.settings.string('WEBUI_AUTH_SIGNOUT_REDIRECT_URL')
    return { status: true, ...(leadsTo !== '' && { redirect_url: leadsTo }) }
  }

  return [
    route(endpoints.auths.signup, async (call) =>
      openSession(call, await accounts.signUp(call.body, call.request)),
    ),
    route(endpoints.auths.signin, async (call) =>
      openSession(call, await accounts.signIn(call.body, call.request)),
    ),
    ...createLdapRoutes({ settings: deps.settings, accounts, places, openSession }),
    route(endpoints.auths.desktop, (call) =>
      openSession(call, accounts.signInDesktop(call.body.code), true),
    ),
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
      const { token, place, claims } = session
      if (setsCookieAgain(session, call.request)) setCookie(call, token, claims.exp)
      // @NOTE Programs get the token of their cookie back. Pages do not, or any script in one could
      //   read and keep it; and a
      // browser's is none to anybody else.
      const isHidden = place === 'cookie' && (claims.keyHash !== null || isFromPage(call.request))
      return views.ownSession(user, { token: isHidden ? '' : token, expiresAt: claims.exp })
    }),
    route(endpoints.auths.updatePassword, async (call) => {
      const user = await accounts.changePassword(call.caller, call.body, call.request)
      if (call.caller.credential === 'cookie')
        await setNewCookie(call, user, await issue(call, user))
      // A place known until now may be that of somebody who had the old password.
      places.forget(user.id)
      places.remember({
        account: user.id,
        userId: user.id,
        request: call.request,
        response: call.response,
      })
      return true as const
    }),
  ]
}

/** Where the caller is signed in. */
export function createSessionListRoutes({
  users,
  sessionRecords,
  readSession,
  announceRevoked,
}: AuthRouteDependencies): Route[] {
  const currentOf = async (request: IncomingMessage): Promise<string | null> =>
    (await readSession(request))?.claims.jti ?? null
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
