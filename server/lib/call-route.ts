import type { ZodType } from 'zod'
import { notFound } from './errors.ts'
import { requireCaller, toReplyText, type Caller, type Route, type ServeOptions } from './http.ts'
import { parseInput } from './parse-input.ts'

/** A call of an endpoint from inside the gateway, on behalf of somebody. */
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
 * Answers what the endpoint would answer this person over HTTP, checked in the same places. Only
 * for endpoints that answer JSON. Handlers that look at the request or the reply itself cannot be
 * called so.
 */
export async function callRoute(
  { endpoint, handler }: Route,
  call: InnerCall,
  requirePermitted: ServeOptions['requirePermitted'],
): Promise<unknown> {
  const { caller, signal } = call
  if (endpoint.reply === 'stream')
    throw notFound(`The endpoint ${endpoint.id} cannot be called from inside.`)
  requireCaller(caller, endpoint)
  if (endpoint.permission !== undefined || endpoint.feature !== undefined)
    requirePermitted(caller, endpoint)
  const parse = (schema: unknown, value: unknown, place: 'path' | 'query' | 'body'): unknown =>
    schema ? parseInput(schema as ZodType, value, place) : undefined
  const json = call.body ?? {}
  const input = {
    json,
    params: parse(endpoint.params, toTexts(call.params), 'path'),
    query: parse(endpoint.query, toTexts(call.query), 'query'),
    body: parse(endpoint.body, json, 'body'),
  }
  const result = await handler({
    ...input,
    caller,
    signal,
    rawBody: Buffer.alloc(0),
    requestId: '',
    confirm: () => undefined,
  } as Parameters<typeof handler>[0])
  const text = await toReplyText(result)
  return text === null ? result : JSON.parse(text)
}
