import { endpoints } from '#contract/endpoints.ts'
import type { Route } from '../lib/http.ts'
import { ProvisionedGroups } from './groups.ts'
import { createScimRoutes } from './routes.ts'
import { ScimStore } from './store.ts'
import { ProvisionedUsers } from './users.ts'
import type { ScimDependencies } from './scim-dependencies.ts'

const ROOT = endpoints.scim.serviceProviderConfig.path.replace(/\/\w+$/, '')

/**
 * SCIM 2.0, through which the directory of an organisation creates, changes and deletes accounts
 * and groups. Built on the tables of `0031-scim`; `auth`, which knows `SCIM_TOKEN`, decides who may
 * call.
 */
export function createScim(deps: ScimDependencies): Route[] {
  const store = new ScimStore(deps.storage)
  return createScimRoutes({
    users: new ProvisionedUsers(deps, store),
    groups: new ProvisionedGroups(deps, store),
    rootOf: ({ request }) => {
      const address =
        deps.settings.get('WEBUI_URL').replace(/\/+$/, '') ||
        `http://${request.headers.host ?? 'localhost'}`
      return address + ROOT
    },
  })
}
