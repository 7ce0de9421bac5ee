import { endpoints } from '#contract/endpoints.ts'
import { httpRoute, route, type Route } from '../lib/http.ts'
import { toTest } from './filter-calls.ts'
import type { RequestLog } from './request-log.ts'

/** Matching past calls come first, so that a reader who was disconnected misses none. */
const MOST_CAUGHT_UP = 1000

export function createRequestRoutes(log: RequestLog): Route[] {
  return [
    route(endpoints.requests.list, async ({ query }) => ({
      ...(await log.list(query)),
      ...log.state(),
    })),
    httpRoute(
      endpoints.requests.stream,
      async ({ caller, query: { after, follow, ...filter }, response }) => {
        const fits = toTest(filter)
        const send = log.streams.open(response, { userId: caller.userId, onClose: () => stop() })
        const stop = log.subscribe((record) => {
          if (fits(record)) send(record)
        })
        if (after !== undefined)
          for (const record of (
            await log.list({ ...filter, after, limit: MOST_CAUGHT_UP })
          ).items.toReversed())
            send(record)
        if (!follow) response.end()
      },
    ),
    route(endpoints.requests.clear, () => {
      log.clear()
    }),
    httpRoute(endpoints.requests.get, ({ params, request }) => log.get(params.request_id, request)),
    httpRoute(endpoints.requests.replay, (call) =>
      log.replay(call, call.params.request_id, call.body.model),
    ),
  ]
}
