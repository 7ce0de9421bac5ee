import type { ServerResponse } from 'node:http'

/**
 * Calls back once the system has taken a whole response and all its listeners have been notified of
 * its end; never for an aborted one, whose bytes the system may still hold. To be called before the
 * response ends.
 */
export function whenSent(response: ServerResponse, work: () => void): void {
  const { socket } = response
  let isSent = false
  response.once('finish', () => (isSent = socket?.destroyed === false))
  response.once('close', () => {
    if (isSent) work()
  })
}
