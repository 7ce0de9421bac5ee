import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  GuardedFetch,
  type FetchPolicy,
  type GuardedFetchOptions,
  type NameLookup,
} from '../lib/outgoing/guarded-fetch.ts'

export const never: AbortSignal = new AbortController().signal
const servers: Server[] = []

/** Closes the servers of `listen`. */
export function closeListeners(): void {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
}

export interface Listener {
  readonly port: number
  readonly connections: () => number
  readonly requests: { url: string; headers: Record<string, unknown>; method: string }[]
}

/** Starts a server that counts its connections and records its requests. */
export async function listen(
  answer: RequestListener = (_, response) => response.end('canary'),
  host = '127.0.0.1',
): Promise<Listener> {
  let connections = 0
  const requests: Listener['requests'] = []
  const server = createServer((request, response) => {
    requests.push({
      url: request.url ?? '',
      headers: request.headers,
      method: request.method ?? '',
    })
    answer(request, response)
  })
  server.on('connection', () => (connections += 1))
  server.listen(0, host)
  await once(server, 'listening')
  servers.push(server)
  return { port: (server.address() as AddressInfo).port, connections: () => connections, requests }
}

const RULES: FetchPolicy = {
  allowedHosts: [],
  allowLocal: false,
  maximumBytes: 1_000_000,
  timeoutMilliseconds: 5000,
  offline: false,
}
export const fetcher = (
  rules: Partial<FetchPolicy> = {},
  options?: GuardedFetchOptions,
): GuardedFetch => new GuardedFetch(() => ({ ...RULES, ...rules }), options)
/** Fetches from a test server whose host is allowed, as an administrator can configure. */
export const allowing = (
  { port }: Listener,
  rules: Partial<FetchPolicy> = {},
  options?: GuardedFetchOptions,
): GuardedFetch =>
  fetcher({ allowedHosts: [`127.0.0.1:${port}`, `page.test:${port}`], ...rules }, options)
export const get = (from: GuardedFetch, address: string, headers?: Record<string, string>) =>
  from.fetch(address, { headers }, never)

/** Returns a name lookup that resolves to these IP addresses. */
export const finding =
  (...addresses: string[]): NameLookup =>
  (_, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
