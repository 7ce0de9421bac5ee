import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net'
import type { buildConnector } from 'undici'
import { loadPool } from '../fast/load-pool.ts'
import { HttpError } from '../fast/http-error.ts'
import { ProxyError } from './proxy-error.ts'
import {
  findRoute,
  leavesNames,
  NO_DETOUR,
  type Detour,
  type Proxy,
  type Route,
} from './proxy-route.ts'
import { judgePeer, trustOptions } from './trust.ts'
import { openTunnel } from './tunnel.ts'

const KEEP_ALIVE_MILLISECONDS = 60_000

export interface ConnectorOptions {
  readonly timeout: number
  readonly detour?: Detour
  /**
   * Resolves names to allowed IP addresses. Through a proxy, too, only such an address is
   * requested, unless an administrator leaves name resolution to the proxy.
   */
  readonly lookup?: LookupFunction
  /** True if an administrator chose the name, so that a proxy may resolve it. */
  readonly trustsName?: boolean
}

interface Place {
  readonly url: URL
  readonly host: string
  readonly port: number
  readonly isSecure: boolean
}

function toPlace(address: URL): Place {
  const isSecure = address.protocol === 'https:' || address.protocol === 'wss:'
  return {
    url: address,
    host: address.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(address.port) || (isSecure ? 443 : 80),
    isSecure,
  }
}

/** Destinations of tunnels, because the peer of their sockets is the proxy. */
const destinations = new WeakMap<Socket, string>()

/** Returns the IP address a connection leads to; null if only the proxy knows it. */
export function peerOf(socket: Socket): string | null {
  const told = destinations.get(socket)
  if (told === undefined) return socket.remoteAddress ?? ''
  return isIP(told) === 0 ? null : told
}

function lookUp(host: string, lookup: LookupFunction): Promise<string> {
  if (isIP(host) !== 0) return Promise.resolve(host)
  return new Promise((resolve, reject) =>
    lookup(host, { all: false }, (error, address) =>
      error ? reject(error) : resolve(address as string),
    ),
  )
}

const tooLate = (): HttpError => new HttpError('Connect timeout', 'UND_ERR_CONNECT_TIMEOUT')

async function becomeReady(socket: Socket, event: string, limit: AbortSignal): Promise<void> {
  const onLimit = (): void => void socket.destroy(tooLate())
  limit.addEventListener('abort', onLimit, { once: true })
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once(event, resolve)
      socket.once('error', reject)
      socket.once('close', () => reject(new HttpError('other side closed')))
    })
  } finally {
    limit.removeEventListener('abort', onLimit)
  }
}

interface Way {
  readonly place: Place
  readonly options: ConnectorOptions
  /** Aborts when the time for establishing the connection is over. */
  readonly limit: AbortSignal
}

/** Completes a TLS handshake on an existing or new connection. */
async function secure({ place, options, limit }: Way, socket: Socket | null): Promise<Socket> {
  const tls = await import('node:tls')
  const { host, port } = place
  const { detour = NO_DETOUR, lookup } = options
  const { trustedCertificate: chosen } = detour
  const secured = tls.connect({
    ...(socket ? { socket } : { port, ...(lookup && { lookup }) }),
    host,
    servername: isIP(host) === 0 ? host : '',
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: chosen === null,
    ...trustOptions(tls),
  })
  await becomeReady(secured, 'secureConnect', limit)
  const doubt = chosen === null ? null : judgePeer(secured, chosen)
  if (!doubt) return secured
  secured.destroy()
  throw doubt
}

async function goThrough(proxy: Proxy, way: Way): Promise<Socket> {
  const { place, options, limit } = way
  const { lookup, trustsName = false } = options
  const isChecked = lookup !== undefined && !trustsName && !leavesNames()
  const told = isChecked ? await lookUp(place.host, lookup) : place.host
  const tunnel = await openTunnel(proxy, { host: place.host, port: place.port, told }, limit)
  const socket = place.isSecure ? await secure(way, tunnel) : tunnel
  destinations.set(socket, told)
  return socket
}

async function goStraight(way: Way): Promise<Socket> {
  const { place, options, limit } = way
  if (place.isSecure) return secure(way, null)
  const { lookup } = options
  const socket = connectPlain({ host: place.host, port: place.port, ...(lookup && { lookup }) })
  await becomeReady(socket, 'connect', limit)
  return socket
}

/** Tries the proxies of a route in turn, as long as one is not reachable at all. */
async function goAlong(route: Route, way: Way): Promise<Socket> {
  for (const [index, step] of route.entries())
    try {
      return await (step === null ? goStraight(way) : goThrough(step, way))
    } catch (error) {
      const isAbsent = error instanceof ProxyError && error.code === 'PROXY_UNREACHABLE'
      if (!isAbsent || index === route.length - 1) throw error
    }
  throw new ProxyError('PROXY_OF_ANOTHER_KIND', '')
}

/** Opens a connection to a URL through any configured proxies, ready to carry requests. */
export async function openConnection(address: URL, options: ConnectorOptions): Promise<Socket> {
  const limit = AbortSignal.timeout(options.timeout)
  const place = toPlace(address)
  const route = await findRoute(place.url, options.detour)
  const opening = goAlong(route, { place, options, limit })
  const expired = Promise.withResolvers<never>()
  const onLimit = (): void => expired.reject(tooLate())
  limit.addEventListener('abort', onLimit, { once: true })
  try {
    return await Promise.race([opening, expired.promise])
  } catch (error) {
    // A connection that is established too late is not used.
    opening.then(
      (socket) => socket.destroy(),
      () => undefined,
    )
    throw error
  } finally {
    limit.removeEventListener('abort', onLimit)
  }
}

/** Creates the connector for connection pools; the standard one if there is no proxy. */
export async function createConnector(
  options: ConnectorOptions,
): Promise<buildConnector.connector> {
  const { timeout, lookup, detour = NO_DETOUR } = options
  const [{ buildConnector: build }, tls] = await Promise.all([loadPool(), import('node:tls')])
  const connectors = new Map<object | undefined, buildConnector.connector>()
  /** TLS sessions are kept as long as the same authorities are trusted. */
  const usual = (): buildConnector.connector => {
    const trust = trustOptions(tls)
    const found =
      connectors.get(trust.secureContext) ??
      build({ timeout, allowH2: false, ...(lookup && { lookup }), ...trust })
    connectors.set(trust.secureContext, found)
    return found
  }
  const connect = async (
    target: buildConnector.Options,
    callback: buildConnector.Callback,
  ): Promise<void> => {
    try {
      const address = new URL(`${target.protocol}//${target.host ?? target.hostname}`)
      const [first] = await findRoute(address, detour)
      if (first === null && detour.trustedCertificate === null) return usual()(target, callback)
      const socket = await openConnection(address, options)
      socket.setKeepAlive(true, KEEP_ALIVE_MILLISECONDS)
      callback(null, socket)
    } catch (error) {
      callback(error as Error, null)
    }
  }
  return (target, callback) => void connect(target, callback)
}
