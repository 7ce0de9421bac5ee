import type { ServerResponse } from 'node:http'
import { isLoopbackHost } from '../../lib/outgoing/host-address.ts'
import { isRecord } from '../../lib/is-record.ts'

const MOST_ORIGINS = 50
const PAGE =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Tool servers</title></head><body></body></html>'

function originOf(address: unknown): string[] {
  const url = typeof address === 'string' ? URL.parse(address) : null
  // A policy cannot contain an IPv6 address.
  return url && /^https?:$/.test(url.protocol) && !url.hostname.startsWith('[') ? [url.origin] : []
}

/** Returns the origins of the tool servers in a user's settings, and of their descriptions. */
export function originsOf(settings: Readonly<Record<string, unknown>> | null): string[] {
  const ui = isRecord(settings?.['ui']) ? settings['ui'] : {}
  const servers = Array.isArray(ui['toolServers']) ? ui['toolServers'].filter(isRecord) : []
  return [
    ...new Set(servers.flatMap(({ url, path }) => [...originOf(url), ...originOf(path)])),
  ].slice(0, MOST_ORIGINS)
}

/** Returns those on the computer of the window itself. */
export const onThisComputer = (origins: readonly string[]): string[] =>
  origins.filter((origin) => isLoopbackHost(new URL(origin).hostname))

/**
 * Sends an empty document that may connect to these origins. The UI borrows its `fetch` from there,
 * so that the policy of the page itself names only the gateway.
 */
export function sendFrame(response: ServerResponse, origins: readonly string[]): void {
  const policy = [
    "default-src 'none'",
    `connect-src ${origins.length === 0 ? "'none'" : origins.join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ]
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(PAGE),
    'Content-Security-Policy': policy.join('; '),
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'SAMEORIGIN',
  })
  response.end(PAGE)
}
