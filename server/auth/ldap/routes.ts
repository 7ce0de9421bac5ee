import { endpoints } from '#contract/endpoints.ts'
import type { Session } from '#contract/auths.ts'
import { unauthorized } from '../../lib/errors.ts'
import { httpRoute, route, type HttpCall, type Route } from '../../lib/http.ts'
import type { AuthSettings } from '../auth-settings.ts'
import type { UserRecord } from '../../users/index.ts'
import type { Accounts } from '../sign-in/accounts.ts'
import { directoryAccount, type KnownPlaces } from '../sign-in/known-places.ts'
import { countPeople, parseFilters, signInToDirectory } from './directory.ts'
import { readServer, withInput, withMask, writeServer } from './server-settings.ts'

interface LdapRouteDependencies {
  readonly settings: AuthSettings
  readonly accounts: Accounts
  readonly places: KnownPlaces
  readonly openSession: (call: HttpCall, user: UserRecord) => Promise<Session>
}

const LONGEST_NAME = 254
const LONGEST_PASSWORD = 1024

/**
 * @NOTE A directory accepts a name with an empty password as an anonymous bind, so anything but a
 *   non-empty string is refused before the directory is queried.
 */
function readCredential(value: unknown, longest: number): string {
  if (
    typeof value !== 'string' ||
    value.trim() === '' ||
    value.length > longest ||
    value.includes('\0')
  )
    throw unauthorized('Sign in with the name and the password of the directory.', {
      code: 'invalid_login',
    })
  return value
}

/** Creates the routes for signing in with a directory, and for configuring it. */
export function createLdapRoutes({
  settings,
  accounts,
  places,
  openSession,
}: LdapRouteDependencies): Route[] {
  const isEnabled = () => ({ ENABLE_LDAP: settings.get('ENABLE_LDAP') })
  return [
    httpRoute(endpoints.ldap.signin, async (call) => {
      const user = readCredential(call.body.user, LONGEST_NAME).trim()
      const password = readCredential(call.body.password, LONGEST_PASSWORD)
      const find = () =>
        signInToDirectory(withInput(readServer(settings), {}), { user, password }, call.signal)
      const found = await accounts.signInByDirectory(user, call.request, find)
      const session = await openSession(call, found)
      await places.remember({
        account: directoryAccount(user),
        userId: found.id,
        request: call.request,
        response: call.response,
      })
      return session
    }),
    route(endpoints.ldap.enabled, isEnabled),
    route(endpoints.ldap.updateEnabled, async ({ body }) => {
      if (typeof body.enable_ldap === 'boolean')
        await settings.update({ ENABLE_LDAP: body.enable_ldap })
      return isEnabled()
    }),
    route(endpoints.ldap.server, () => withMask(readServer(settings))),
    route(endpoints.ldap.updateServer, async ({ body }) => {
      const before = readServer(settings)
      const wanted = withInput(before, body)
      await parseFilters(wanted.search_filters)
      await writeServer(settings, before, wanted)
      return withMask(readServer(settings))
    }),
    route(endpoints.ldap.verify, async ({ body, signal }) => {
      const entries = await countPeople(withInput(readServer(settings), body), signal)
      return { status: true as const, entries }
    }),
  ]
}
