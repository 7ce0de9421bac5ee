import type { IncomingMessage } from 'node:http'

/**
 * Where this gateway is for the browser that asks: the address an administrator set, or the one it
 * asked for. The host was checked by the guard in front of everything.
 */
export function toBaseAddress(
  request: IncomingMessage,
  publicAddress: string,
  isHttps = 'encrypted' in request.socket && request.socket.encrypted === true,
): string {
  if (publicAddress !== '') return publicAddress.replace(/\/+$/, '')
  return `${isHttps ? 'https' : 'http'}://${request.headers.host ?? '127.0.0.1'}`
}
