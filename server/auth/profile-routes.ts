import { endpoints } from '#contract/endpoints.ts'
import { badRequest } from '../lib/errors.ts'
import { httpRoute, route, type Route } from '../lib/http.ts'
import { readAdminConfig, updateAdminConfig } from './admin-config.ts'
import { requireUser, type AuthRouteDependencies } from './sign-in/auth-route.ts'

/**
 * Creates the routes of the caller's profile, and those by which administrators manage accounts and
 * sign-in.
 */
export function createProfileRoutes({
  settings,
  users,
  sessions,
  sessionRecords,
  views,
}: AuthRouteDependencies): Route[] {
  return [
    route(endpoints.auths.updateProfile, async ({ caller, body: { name, ...profile } }) => {
      await users.profiles.update(caller.userId, profile)
      return views.ownUser(await users.update(caller.userId, { name }))
    }),
    route(endpoints.auths.updateTimezone, async ({ caller, body }) => {
      await users.profiles.update((await requireUser(users, caller)).id, body)
      return { status: true }
    }),
    httpRoute(endpoints.auths.addUser, async ({ body, request }) => {
      const passwordHash = await users.hashPassword(body.password)
      const { name, email, role, profile_image_url } = body
      const user = await users.create({ name, email, role, passwordHash, profile_image_url })
      const issued = await sessions.issue(user)
      await sessionRecords.add(user, issued, request)
      return views.session(user, issued)
    }),
    route(endpoints.auths.adminDetails, async () => {
      if (!settings.get('SHOW_ADMIN_DETAILS'))
        throw badRequest('Contact data is not shown here.', { code: 'details_hidden' })
      const chosen = settings.get('ADMIN_EMAIL')
      // The configured address may belong to no account.
      const admin =
        chosen === '' ? await users.first() : await users.findByEmail(chosen.toLowerCase())
      return { name: admin?.name ?? null, email: chosen || (admin?.email ?? '') }
    }),
    route(endpoints.auths.adminConfig, () => readAdminConfig(settings)),
    route(endpoints.auths.updateAdminConfig, ({ body }) => updateAdminConfig(settings, body)),
  ]
}
