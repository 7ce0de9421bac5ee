import { endpoints } from '#contract/endpoints.ts'
import { notFound } from '../lib/errors.ts'
import { httpRoute, type HttpCall, type Route } from '../lib/http.ts'
import { discovery } from './discovery.ts'
import type { ProvisionedGroups } from './groups.ts'
import { select, type Resource, type Shown } from './to-resource.ts'
import type { ProvisionedUsers } from './users.ts'

const TYPE = 'application/scim+json; charset=utf-8'
const NO_STORE = { 'Cache-Control': 'no-store' }

type Responding = Pick<HttpCall, 'response'>

function send(
  { response }: Responding,
  status: number,
  resource: Resource,
  headers: Record<string, string> = {},
): void {
  const bytes = Buffer.from(JSON.stringify(resource))
  response.writeHead(status, {
    'Content-Type': TYPE,
    'Content-Length': bytes.length,
    ...NO_STORE,
    ...headers,
  })
  response.end(bytes)
}

const sendShown = (call: Responding & { readonly query: Shown }, resource: Resource): void =>
  send(call, 200, select(resource, call.query))

function sendMade(call: Responding & { readonly query: Shown }, resource: Resource): void {
  const { location } = resource['meta'] as { location: string }
  send(call, 201, select(resource, call.query), { Location: location })
}

const sendNothing = ({ response }: Responding): void => void response.writeHead(204, NO_STORE).end()

function known(resource: Resource | null): Resource {
  if (!resource) throw notFound('There is no resource with this id.')
  return resource
}

interface ScimRouteParts {
  readonly users: ProvisionedUsers
  readonly groups: ProvisionedGroups
  /** Returns the base URL of the protocol, as the caller reaches the gateway. */
  readonly rootOf: (call: Pick<HttpCall, 'request'>) => string
}

/** Creates the routes of SCIM 2.0 (RFC 7644). */
export const createScimRoutes = (parts: ScimRouteParts): Route[] => [
  ...createDiscoveryRoutes(parts),
  ...createUserRoutes(parts),
  ...createGroupRoutes(parts),
]

function createDiscoveryRoutes({ rootOf }: ScimRouteParts): Route[] {
  const { scim } = endpoints
  return [
    httpRoute(scim.serviceProviderConfig, (call) =>
      send(call, 200, discovery.configuration(rootOf(call))),
    ),
    httpRoute(scim.resourceTypes, (call) => send(call, 200, discovery.types(rootOf(call)))),
    httpRoute(scim.resourceType, (call) =>
      send(call, 200, known(discovery.type(call.params.type_id, rootOf(call)))),
    ),
    httpRoute(scim.schemas, (call) => send(call, 200, discovery.schemas(rootOf(call)))),
    httpRoute(scim.schema, (call) =>
      send(call, 200, known(discovery.schema(call.params.schema_id, rootOf(call)))),
    ),
  ]
}

function createUserRoutes({ users, rootOf }: ScimRouteParts): Route[] {
  const { scim } = endpoints
  return [
    httpRoute(scim.listUsers, async (call) =>
      send(call, 200, await users.list(call.query, rootOf(call))),
    ),
    httpRoute(scim.createUser, async (call) =>
      sendMade(call, await users.create(call.body, rootOf(call))),
    ),
    httpRoute(scim.getUser, async (call) =>
      sendShown(call, await users.get(call.params.user_id, rootOf(call))),
    ),
    httpRoute(scim.replaceUser, async (call) =>
      sendShown(call, await users.replace(call.params.user_id, call.body, rootOf(call))),
    ),
    httpRoute(scim.patchUser, async (call) =>
      sendShown(call, await users.patch(call.params.user_id, call.body, rootOf(call))),
    ),
    httpRoute(scim.removeUser, async (call) => {
      await users.remove(call.params.user_id)
      sendNothing(call)
    }),
  ]
}

function createGroupRoutes({ groups, rootOf }: ScimRouteParts): Route[] {
  const { scim } = endpoints
  return [
    httpRoute(scim.listGroups, async (call) =>
      send(call, 200, await groups.list(call.query, rootOf(call))),
    ),
    httpRoute(scim.createGroup, async (call) =>
      sendMade(call, await groups.create(call.body, rootOf(call), call.query)),
    ),
    httpRoute(scim.getGroup, async (call) =>
      sendShown(call, await groups.get(call.params.group_id, rootOf(call), call.query)),
    ),
    httpRoute(scim.replaceGroup, async (call) =>
      sendShown(
        call,
        await groups.replace(call.params.group_id, call.body, rootOf(call), call.query),
      ),
    ),
    httpRoute(scim.patchGroup, async (call) =>
      sendShown(
        call,
        await groups.patch(call.params.group_id, call.body, rootOf(call), call.query),
      ),
    ),
    httpRoute(scim.removeGroup, async (call) => {
      await groups.remove(call.params.group_id)
      sendNothing(call)
    }),
  ]
}
