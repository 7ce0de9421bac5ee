import { endpoints } from '#contract/endpoints.ts'
import { httpRoute, route, type Route } from '../lib/http.ts'
import type { Outgoing } from './watch-outgoing.ts'

export function createOutgoingRoutes(outgoing: Outgoing): Route[] {
  return [
    route(endpoints.outgoing.status, () => outgoing.status()),
    route(endpoints.outgoing.list, ({ query: { page, limit, ...filter } }) =>
      outgoing.list(filter, { limit, offset: (page - 1) * limit }),
    ),
    route(endpoints.outgoing.hosts, ({ query }) => outgoing.hosts(query)),
    httpRoute(endpoints.outgoing.export, async ({ query, response, signal }) => {
      response.writeHead(200, {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': 'attachment; filename="outgoing-connections.csv"',
        'Cache-Control': 'no-store',
      })
      for await (const piece of outgoing.csv(query)) {
        if (signal.aborted) return
        response.write(piece)
      }
      response.end()
    }),
    route(endpoints.outgoing.clear, () => outgoing.clear()),
  ]
}
