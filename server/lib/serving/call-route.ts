import type { ZodType } from 'zod'
import { notFound } from '../errors.ts'
import { requireCaller, toReplyText, type Caller, type Route, type ServeOptions } from '../http.ts'
import { parseInput } from './parse-input.ts'

/** Call of an endpoint from inside the gateway, on behalf of a user. */
export interface InnerCall {
  readonly caller: Caller | null
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
  readonly signal: AbortSignal
}

const toTexts = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries((value ?? {}) as object)
      .filter(([, each]) => each !== null && each !== undefined)
      .map(([name, each]) => [name, String(each)]),
  )

/**
 * Resolves with the endpoint's response for this user over HTTP, with the same checks. Only for
 * endpoints that respond with JSON and whose handlers need no HTTP exchange.
 */
export async function callRoute(
  route: Route,
  call: InnerCall,
  requirePermitted: ServeOptions['requirePermitted'],
): Promise<unknown> {
  const { endpoint } = route
  const { caller, signal } = call
  if (endpoint.reply === 'stream' || !route.inner)
    throw notFound(`The endpoint ${endpoint.id} cannot be called from inside.`)
  requireCaller(caller, endpoint)
  await requirePermitted(caller, endpoint)
  const parse = (
    schema: ZodType | undefined,
    value: unknown,
    place: 'path' | 'query' | 'body',
  ): unknown => schema && parseInput(schema, value, place)
  const json = call.body ?? {}
  const result = await route.inner({
    json,
    params: parse(endpoint.params, toTexts(call.params), 'path'),
    query: parse(endpoint.query, toTexts(call.query), 'query'),
    body: parse(endpoint.body, json, 'body'),
    caller,
    notes: null,
    signal,
  })
  const text = await toReplyText(result)
  return text === null ? result : JSON.parse(text)
}
