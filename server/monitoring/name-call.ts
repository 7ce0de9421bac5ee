import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import { STATUS_CODES } from '../lib/serving/node-http.ts'

/** Files of the UI, and URLs without an endpoint, of which clients may invent any number. */
export const OTHER_ROUTE = '(other)'
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** 499: the client disconnected before the end of the response. */
const CALLER_LEFT = 499

/** Returns the template of a route, never the URL of a call, which contains ids. */
export const routeOf = (endpoint: AnyEndpoint | undefined): string => endpoint?.path || OTHER_ROUTE

/** Clients may send any word as the method. */
export const methodOf = ({ method = '' }: IncomingMessage): string =>
  METHODS.has(method) ? method : 'OTHER'

/** Statuses of providers are passed on and may be any number; those without a name are grouped. */
export function statusOf(response: ServerResponse): string {
  const status = response.writableFinished ? response.statusCode : CALLER_LEFT
  const isNamed = status === CALLER_LEFT || STATUS_CODES[status] !== undefined
  return isNamed ? String(status) : `${Math.floor(status / 100)}xx`
}
