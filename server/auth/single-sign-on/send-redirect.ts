import type { HttpCall } from '../../lib/http.ts'

/** Redirects a browser to an address, which no page after it learns as its referrer. */
export function lead(
  { response }: Pick<HttpCall, 'response'>,
  status: 302 | 307,
  address: string,
): void {
  response.writeHead(status, {
    Location: address,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'Content-Length': 0,
  })
  response.end()
}
