import type { IncomingMessage } from 'node:http'
import { endpoints } from '#contract/endpoints.ts'
import { httpRoute, route, type HttpCall, type Route } from '../lib/http.ts'
import { toTest } from './filter-calls.ts'
import type { RequestLog } from './request-log.ts'
import type { Replayed } from './replay-call.ts'
import type { Streams } from './stream-calls.ts'

export interface RequestRouteDependencies {
  readonly log: Omit<RequestLog, 'routes'>
  readonly streams: Streams
  readonly state: () => { enabled: boolean; bodies: boolean; size: number }
  /** Where whoever asks reaches the gateway, for calls from the same place. */
  readonly originOf: (request: IncomingMessage) => string
  readonly replay: (call: HttpCall, id: string, model: string | undefined) => Promise<Replayed>
}

/** Calls of the past that fit come first, so that a reader who was away misses none. */
const MOST_CAUGHT_UP = 1000

export function createRequestRoutes({
  log,
  streams,
  state,
  originOf,
  replay,
}: RequestRouteDependencies): Route[] {
  return [
    route(endpoints.requests.list, async ({ query }) => ({
      ...(await log.list(query)),
      ...state(),
    })),
    httpRoute(
      endpoints.requests.stream,
      async ({ caller, query: { after, follow, ...filter }, response }) => {
        const fits = toTest(filter)
        const send = streams.open(response, { userId: caller.userId, onClose: () => stop() })
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
      return true as const
    }),
    httpRoute(endpoints.requests.get, ({ params, request }) =>
      log.get(params.request_id, originOf(request)),
    ),
    httpRoute(endpoints.requests.replay, (call) =>
      replay(call, call.params.request_id, call.body.model),
    ),
  ]
}
