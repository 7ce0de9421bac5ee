import { endpoints } from '#contract/endpoints.ts'
import { badRequest, notFound } from '../../lib/errors.ts'
import { httpRoute, route, type HttpCall, type Route } from '../../lib/http.ts'
import { readBody } from '../../lib/serving/read-body.ts'
import type { AuthSettings } from '../auth-settings.ts'
import type { Users } from '../../users/index.ts'
import type { ProviderSessions } from './provider-sessions.ts'
import type { Providers } from './providers.ts'
import type { SingleSignOn } from './single-sign-on.ts'

interface SingleSignOnRouteDependencies {
  readonly settings: AuthSettings
  readonly users: Users
  readonly providers: Providers
  readonly providerSessions: ProviderSessions
  readonly signOn: SingleSignOn
}

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i
const LARGEST_FORM = 64 * 1024

/**
 * Reads the only field of the form; throws 400 with the error text of the standard for everything
 * else.
 */
async function readLogoutToken({ request, allowance }: HttpCall): Promise<string> {
  const sentence = 'Send the field logout_token as application/x-www-form-urlencoded.'
  const facts = { error: 'invalid_request', error_description: sentence }
  const refusal = badRequest(sentence, { code: 'invalid_request', facts })
  if (!FORM_TYPE.test(request.headers['content-type'] ?? '')) throw refusal
  const { bytes } = await readBody(request, { limit: LARGEST_FORM }, allowance)
  const tokens = new URLSearchParams(bytes.toString('utf8')).getAll('logout_token')
  if (tokens.length !== 1 || tokens[0] === '') throw refusal
  return tokens[0]!
}

/**
 * Creates the routes for sign-in with other providers, for its tokens, and for trials by
 * administrators.
 */
export function createSingleSignOnRoutes({
  settings,
  users,
  providers,
  providerSessions,
  signOn,
}: SingleSignOnRouteDependencies): Route[] {
  const table = endpoints.oauth
  return [
    httpRoute(table.login, (call) => signOn.begin(call, call.params.provider, call.query.redirect)),
    httpRoute(table.callback, (call) => signOn.finish(call, call.params.provider, call.query)),
    httpRoute(table.backchannelLogout, async (call) => {
      if (!settings.get('ENABLE_OAUTH_BACKCHANNEL_LOGOUT')) throw notFound('Not Found')
      await signOn.logOut(call.request, await readLogoutToken(call))
      return {}
    }),
    httpRoute(table.session, (call) => signOn.takeOver(call, call.body.code)),
    httpRoute(table.exchange, (call) =>
      signOn.exchange(call, call.params.provider, call.body.token),
    ),
    route(table.sessions, ({ caller }) => providerSessions.list(caller.userId)),
    route(table.endSessions, async ({ caller, params }) => {
      const id = providers.read(params.provider)?.id
      if (id === undefined || !(await providerSessions.endAll(caller.userId, id)))
        throw notFound('There is no sign-in with this provider.')
    }),
    route(table.sessionsOf, async ({ params }) => {
      if (!(await users.get(params.user_id))) throw notFound('There is no such account.')
      const sessions = await providerSessions.list(params.user_id)
      // Scripts written for the reference system expect this error.
      if (sessions.length === 0)
        throw badRequest('This account has no sign-in with a provider.', { code: 'no_sign_in' })
      return sessions
    }),
    route(table.endSessionOf, async ({ params }) => {
      if (!(await providerSessions.end(params.user_id, params.session_id)))
        throw notFound('There is no such sign-in.')
    }),
    httpRoute(table.providers, ({ request }) => ({
      is_editable: settings.get('ENABLE_OAUTH_PERSISTENT_CONFIG'),
      providers: providers.describe(request),
    })),
    httpRoute(table.beginTest, (call) =>
      signOn.beginTrial(call, call.params.provider, call.body.return_to),
    ),
    route(table.test, ({ caller, params }) => signOn.readTrial(caller, params.test_id)),
  ]
}
