import type { ServerResponse } from 'node:http'

/**
 * Calls back once the system has taken a whole reply, and everybody who watched it has heard of its
 * end; never for one that broke off, whose bytes the system may still hold. To be called before the
 * reply ends.
 */
export function whenSent(response: ServerResponse, work: () => void): void {
  const { socket } = response
  let isSent = false
  response.once('finish', () => (isSent = socket?.destroyed === false))
  response.once('close', () => {
    if (isSent) work()
  })
}
