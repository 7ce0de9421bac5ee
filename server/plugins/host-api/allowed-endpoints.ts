import { z } from '#contract/lazy-zod.ts'
import { notFound } from '../../lib/errors.ts'
import { callRoute } from '../../lib/serving/call-route.ts'
import type { Route } from '../../lib/http.ts'
import type { HostParts } from './dependencies.ts'
import { ALLOWED_ENDPOINTS } from './endpoint-ids.ts'
import { inTime } from './in-time.ts'
import { readParams, requirePerson, type HostMethod } from './method.ts'

/** Time limit in ms; a model the connections have not listed yet does not exist for plugins. */
const MODEL_MILLISECONDS = 1000

const paramsSchema = z.object({
  id: z.string().max(100),
  params: z.record(z.string(), z.unknown()).optional(),
  query: z.record(z.string(), z.unknown()).optional(),
  body: z.unknown().optional(),
})

export function endpointMethods(parts: HostParts): Readonly<Record<string, HostMethod>> {
  let known: ReadonlyMap<string, Route> | undefined
  const routes = (): ReadonlyMap<string, Route> =>
    (known ??= new Map(
      parts.later.rooms.routes
        .filter(({ endpoint }) => ALLOWED_ENDPOINTS.has(endpoint.id))
        .map((route) => [route.endpoint.id, route]),
    ))
  return {
    endpoint: (request) => {
      const caller = requirePerson(request)
      const { id, ...input } = readParams(paramsSchema, request)
      const route = routes().get(id)
      if (!route) throw notFound(`Plugins cannot call ${id}.`)
      const answer = callRoute(
        route,
        { ...input, caller, signal: request.signal },
        parts.requirePermitted,
      )
      return id === 'models.info'
        ? inTime(answer, MODEL_MILLISECONDS, () => notFound('There is no such model.'))
        : answer
    },
  }
}
