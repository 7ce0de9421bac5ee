import type { ServerResponse } from 'node:http'
import { isLoopbackHost } from '../../lib/host-address.ts'
import { isRecord } from '../../lib/is-record.ts'

const MOST_ORIGINS = 50
const PAGE =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Tool servers</title></head><body></body></html>'

function originOf(address: unknown): string[] {
  const url = typeof address === 'string' ? URL.parse(address) : null
  // A policy cannot name an IPv6 address.
  return url && /^https?:$/.test(url.protocol) && !url.hostname.startsWith('[') ? [url.origin] : []
}

/** Where the tool servers in the settings of a person are, and where their descriptions are. */
export function originsOf(settings: Readonly<Record<string, unknown>> | null): string[] {
  const ui = isRecord(settings?.['ui']) ? settings['ui'] : {}
  const servers = Array.isArray(ui['toolServers']) ? ui['toolServers'].filter(isRecord) : []
  return [
    ...new Set(servers.flatMap(({ url, path }) => [...originOf(url), ...originOf(path)])),
  ].slice(0, MOST_ORIGINS)
}

/** Those that lead to no other computer than the one of the window. */
export const onThisComputer = (origins: readonly string[]): string[] =>
  origins.filter((origin) => isLoopbackHost(new URL(origin).hostname))

/**
 * Answers with an empty document that may reach these origins. The interface borrows its `fetch`
 * from there, so that the policy of the page itself names nobody but the gateway.
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
