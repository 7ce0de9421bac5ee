import type { IncomingMessage } from 'node:http'
import { endpoints } from '#contract/endpoints.ts'
import { httpRoute, route, type Route } from '../../lib/http.ts'
import { requireUser, type AuthRouteDependencies } from '../sign-in/auth-route.ts'
import { createLdapRoutes } from '../ldap/routes.ts'
import { SessionOpener } from './open-session.ts'
import { readOwnKey } from './read-session.ts'
import { isFromPage } from './session-key.ts'

/** Long enough for a command, too short to be worth stealing. */
const LOCAL_SECONDS = 15 * 60

/** Creates the routes that open or end the session of a caller. */
export function createSessionRoutes(deps: AuthRouteDependencies): Route[] {
  const { users, accounts, places, views, settings, readSession } = deps
  const opener = new SessionOpener(deps)

  return [
    httpRoute(endpoints.auths.signup, async (call) =>
      opener.open(call, await accounts.signUp(call.body, call.request)),
    ),
    httpRoute(endpoints.auths.signin, async (call) =>
      opener.open(call, await accounts.signIn(call.body, call.request)),
    ),
    ...createLdapRoutes({
      settings,
      accounts,
      places,
      openSession: (call, user) => opener.open(call, user),
    }),
    httpRoute(endpoints.auths.desktop, async (call) =>
      opener.open(call, await accounts.signInDesktop(call.body.code), { isBrowser: true }),
    ),
    httpRoute(endpoints.auths.local, async (call) => {
      const user = await accounts.signInLocally(call.body.token, call.request)
      return views.session(user, await opener.issue(call, user, { seconds: LOCAL_SECONDS }))
    }),
    httpRoute(endpoints.auths.signout, (call) => opener.signOut(call)),
    httpRoute(endpoints.auths.signoutByGet, (call) => opener.signOut(call)),
    httpRoute(endpoints.auths.session, async (call) => {
      const user = await requireUser(users, call.caller)
      const session = await readSession(call.request)
      if (!session) {
        const key = readOwnKey(call.request, settings.get('CUSTOM_API_KEY_HEADER'))
        return views.ownSession(user, { token: key ?? '', expiresAt: null })
      }
      const { token, place, claims } = session
      opener.renewCookie(call, session)
      // @NOTE Clients get the token of their cookie back. Pages do not, because any script in one
      //   could read and keep it; and the token of a browser is useless without its key.
      const isHidden = place === 'cookie' && (claims.keyHash !== null || isFromPage(call.request))
      return views.ownSession(user, { token: isHidden ? '' : token, expiresAt: claims.exp })
    }),
    httpRoute(endpoints.auths.updatePassword, async (call) => {
      const user = await accounts.changePassword(call.caller, call.body, call.request)
      if (call.caller.credential === 'cookie')
        await opener.setNewCookie(call, user, await opener.issue(call, user))
      // Places known until now may belong to a stranger who had the old password.
      await places.forget(user.id)
      await opener.rememberPlace(call, user)
    }),
  ]
}

/** Creates the routes for the list of the caller's sessions. */
export function createSessionListRoutes({
  users,
  sessionRecords,
  readSession,
  announceRevoked,
}: AuthRouteDependencies): Route[] {
  const currentOf = async (request: IncomingMessage): Promise<string | null> =>
    (await readSession(request))?.claims.jti ?? null
  return [
    httpRoute(endpoints.auths.listSessions, async ({ caller, request }) =>
      sessionRecords.list(await requireUser(users, caller), await currentOf(request)),
    ),
    route(endpoints.auths.endSession, async ({ caller, params }) => {
      await sessionRecords.end(await requireUser(users, caller), params.session_id)
      await announceRevoked(caller.userId)
    }),
    httpRoute(endpoints.auths.endOtherSessions, async ({ caller, request }) => {
      const ended = await sessionRecords.endOthers(
        await requireUser(users, caller),
        await currentOf(request),
      )
      await announceRevoked(caller.userId)
      return { ended }
    }),
  ]
}
