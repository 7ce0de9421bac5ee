import type { IncomingMessage, ServerResponse } from 'node:http'
import { SESSION_KEY_HEADER } from '#contract/auths.ts'
import type { Origins } from './origins.ts'

const HEADER_LIST = /^[\w, -]{1,1000}$/

/**
 * Lets a page listed in `CORS_ALLOW_ORIGIN` read the response. Returns true if the request was only
 * a preflight, which is then answered.
 */
export function answerCors(
  request: IncomingMessage,
  response: ServerResponse,
  origins: Origins,
): boolean {
  const { origin } = request.headers
  if (origin === undefined || !origins.isListed(origin)) return false
  response.setHeader('Access-Control-Allow-Origin', origin)
  response.setHeader('Access-Control-Allow-Credentials', 'true')
  response.setHeader(
    'Access-Control-Expose-Headers',
    `X-Request-Id, Request-Id, X-Error-Code, X-Chat-Repairs, Retry-After, ${SESSION_KEY_HEADER}`,
  )
  response.setHeader('Vary', 'Origin')
  if (
    request.method !== 'OPTIONS' ||
    request.headers['access-control-request-method'] === undefined
  )
    return false
  const wanted = request.headers['access-control-request-headers']
  if (wanted !== undefined && HEADER_LIST.test(wanted))
    response.setHeader('Access-Control-Allow-Headers', wanted)
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE')
  response.setHeader('Access-Control-Max-Age', '600')
  response.writeHead(204).end()
  return true
}
