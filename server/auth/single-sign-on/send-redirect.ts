import type { HttpCall } from '../../lib/http.ts'

/** Redirects a browser to a URL, which the pages after it do not learn as their referrer. */
export function sendRedirect(
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
