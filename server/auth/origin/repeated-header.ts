import type { IncomingMessage } from 'node:http'

/**
 * Returns true if a request has a header more than once; Node keeps one of them or joins them.
 * `name` is lower-case.
 */
export function isRepeatedHeader({ rawHeaders }: IncomingMessage, name: string): boolean {
  let seen = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index]!
    if (header.length === name.length && header.toLowerCase() === name) seen += 1
  }
  return seen > 1
}
