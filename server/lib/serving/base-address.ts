import type { IncomingMessage } from 'node:http'

/**
 * Returns the URL of this gateway for the requesting browser: the one an administrator set, or the
 * one it requested. The host was already checked by the guard.
 */
export function toBaseAddress(
  request: IncomingMessage,
  publicAddress: string,
  isHttps = 'encrypted' in request.socket && request.socket.encrypted === true,
): string {
  if (publicAddress !== '') return publicAddress.replace(/\/+$/, '')
  return `${isHttps ? 'https' : 'http'}://${request.headers.host ?? '127.0.0.1'}`
}
