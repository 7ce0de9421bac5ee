import { endpoints } from '#contract/endpoints.ts'
import { route, type Route } from '../lib/http.ts'
import type { Artifacts } from './artifacts.ts'

export function createArtifactRoutes(artifacts: Artifacts): Route[] {
  return [
    route(endpoints.artifacts.list, ({ caller, query }) => artifacts.list(caller, query.chat_id)),
    route(endpoints.artifacts.allow, ({ caller, body: { origins, ...place } }) =>
      artifacts.allow(caller, place, origins),
    ),
    route(endpoints.artifacts.open, ({ caller, body }) => artifacts.open(caller, body)),
    route(endpoints.artifacts.revoke, ({ caller, body }) => artifacts.revoke(caller, body)),
  ]
}
