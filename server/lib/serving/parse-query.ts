import type { IncomingMessage } from 'node:http'

/** Returns the query of a request; of a repeated name the last value. */
export function parseQuery(request: IncomingMessage): Record<string, string> {
  const url = request.url ?? '/'
  const mark = url.indexOf('?')
  return mark === -1 ? {} : Object.fromEntries(new URLSearchParams(url.slice(mark + 1)))
}
