import type { IncomingMessage } from 'node:http'
import { forbidden } from '../../lib/errors.ts'
import type { Origins } from './origins.ts'

/**
 * Refuses a request that a page of another site made with the cookie of the signed-in browser.
 * Browsers send `Origin` or `Sec-Fetch-Site`; a client that sends neither is no browser and does
 * not send a cookie by accident.
 */
export function checkOrigin(request: IncomingMessage, origins: Origins): void {
  const { origin, host } = request.headers
  const site = request.headers['sec-fetch-site']
  const isOwn =
    origin === undefined
      ? site === undefined || site === 'same-origin' || site === 'none'
      : origins.isOf(origin, host) || origins.isPublic(origin) || origins.isListed(origin)
  if (!isOwn)
    throw forbidden('This call came from the page of another site and was refused.', {
      code: 'foreign_origin',
    })
}
