import { endpoints } from '#contract/endpoints.ts'
import { route, type Route } from '../lib/http.ts'
import type { Connections } from './connections/connections.ts'

export function createConnectionRoutes(connections: Connections): Route[] {
  const table = endpoints.connections
  return [
    route(table.list, () => connections.list()),
    route(table.local, ({ signal }) => connections.findLocal(signal)),
    route(endpoints.doctor.examine, ({ body, signal }) => connections.examine(body, signal)),
    route(table.create, ({ body }) => connections.create(body)),
    route(table.verify, ({ body, signal }) => connections.verify(body, signal)),
    route(table.update, ({ params, body }) => connections.update(params.connection_id, body)),
    route(table.remove, ({ params }) => connections.remove(params.connection_id)),
  ]
}
