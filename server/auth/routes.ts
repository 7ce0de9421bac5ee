import { endpoints } from '#contract/endpoints.ts'
import { notFound } from '../lib/errors.ts'
import { asJsonList, route, type Route } from '../lib/http.ts'
import type { AuthRouteDependencies } from './sign-in/auth-route.ts'
import { createProfileRoutes } from './profile-routes.ts'
import { createSessionListRoutes, createSessionRoutes } from './sessions/session-routes.ts'

export function createAuthRoutes(deps: AuthRouteDependencies): Route[] {
  return [
    ...createSessionRoutes(deps),
    ...createSessionListRoutes(deps),
    ...createProfileRoutes(deps),
    ...createKeyRoutes(deps),
    ...deps.singleSignOn.routes,
  ]
}

function createKeyRoutes({ apiKeys, announceRevoked }: AuthRouteDependencies): Route[] {
  return [
    route(endpoints.auths.listApiKeys, ({ caller }) => asJsonList(apiKeys.list(caller.userId))),
    route(endpoints.auths.createApiKey, ({ caller, body }) => apiKeys.create(caller, body)),
    route(endpoints.auths.deleteApiKey, async ({ caller, params }) => {
      await apiKeys.remove(caller.userId, params.key_id)
      await announceRevoked(caller.userId)
    }),
    route(endpoints.auths.getDefaultApiKey, async ({ caller }) => {
      await apiKeys.requireEnabledFor(caller)
      throw notFound('A key is shown only when it is created. Create a new one to get its text.')
    }),
    route(endpoints.auths.createDefaultApiKey, async ({ caller }) => {
      const secret = await apiKeys.replaceDefault(caller)
      await announceRevoked(caller.userId)
      return { api_key: secret }
    }),
    route(endpoints.auths.deleteDefaultApiKey, async ({ caller }) => {
      await apiKeys.removeDefault(caller.userId)
      await announceRevoked(caller.userId)
    }),
  ]
}
