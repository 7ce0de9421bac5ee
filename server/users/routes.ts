import { endpoints } from '#contract/endpoints.ts'
import type { User } from '#contract/users.ts'
import { forbidden, notFound } from '../lib/errors.ts'
import { route, type Caller, type Route } from '../lib/http.ts'
import type { UserRecord, Users } from './index.ts'
import { sendProfileImage } from './profile-image.ts'

const toWire = ({ tokenVersion: _tokenVersion, isFirst: _isFirst, ...user }: UserRecord): User => user

function requireUser(users: Omit<Users, 'routes'>, id: string): UserRecord {
  const user = users.get(id)
  if (!user) throw notFound('There is no such account.')
  return user
}

/** Other administrators may not touch the first one, or they could take the account over by a new e-mail or password. */
function requireMayChange(caller: Caller, user: UserRecord): void {
  if (user.isFirst && caller.userId !== user.id) throw forbidden('Only the first administrator can change this account.')
}

export function createUserRoutes(users: Omit<Users, 'routes'>): Route[] {
  return [
    route(endpoints.users.list, ({ query }) => {
      const found = users.list(query)
      return { users: found.users.map(toWire), total: found.total }
    }),
    route(endpoints.users.settings, ({ caller }) => users.settings(caller.userId)),
    route(endpoints.users.updateSettings, ({ caller, body }) => users.updateSettings(caller.userId, body)),
    route(endpoints.users.get, ({ params }) => toWire(requireUser(users, params.user_id))),
    route(endpoints.users.update, async ({ caller, params, body }) => {
      const { password, ...changes } = body
      requireMayChange(caller, requireUser(users, params.user_id))
      const passwordHash = password ? await users.hashPassword(password) : undefined
      return toWire(users.update(params.user_id, { role: changes.role, name: changes.name, email: changes.email, passwordHash }))
    }),
    route(endpoints.users.remove, ({ caller, params }) => {
      if (caller.userId === params.user_id) throw forbidden('You cannot delete your own account. Ask another administrator.')
      users.remove(params.user_id)
      return true as const
    }),
    route(endpoints.users.profileImage, ({ params, response }) => sendProfileImage(response, requireUser(users, params.user_id))),
  ]
}
