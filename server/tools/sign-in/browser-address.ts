import { badRequest } from '../../lib/errors.ts'
import { isLoopbackHost } from '../../lib/outgoing/host-address.ts'

/**
 * Checks a URL a user's browser may be redirected to: https, or plain http on the same computer
 * (security row 103).
 */
export function checkBrowserAddress(address: URL): URL {
  const isSafe =
    address.protocol === 'https:' ||
    (address.protocol === 'http:' && isLoopbackHost(address.hostname))
  if (!isSafe || address.username !== '' || address.password !== '') {
    throw badRequest(
      'The tool server names a page for its sign-in that no browser should be sent to. Ask who runs the server.',
    )
  }
  return address
}
