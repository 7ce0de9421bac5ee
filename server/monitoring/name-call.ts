import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import { STATUS_CODES } from '../lib/node-http.ts'

/** Files of the interface, and whatever has no endpoint: as many addresses as somebody makes up. */
export const OTHER_ROUTE = '(other)'
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** 499: the caller left before the reply ended. */
const CALLER_LEFT = 499

/** The template of a route, never the address of a call, which holds ids. */
export const routeOf = (endpoint: AnyEndpoint | undefined): string => endpoint?.path || OTHER_ROUTE

/** Any word may stand in the place of the method. */
export const methodOf = ({ method = '' }: IncomingMessage): string =>
  METHODS.has(method) ? method : 'OTHER'

/** Statuses of providers are passed on, and may be any number; those without a name are folded. */
export function statusOf(response: ServerResponse): string {
  const status = response.writableFinished ? response.statusCode : CALLER_LEFT
  const isNamed = status === CALLER_LEFT || STATUS_CODES[status] !== undefined
  return isNamed ? String(status) : `${Math.floor(status / 100)}xx`
}
