import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { isLoopbackHost } from '../../lib/outgoing/host-address.ts'
import { isShared } from '../../lib/serving/shared-connection.ts'
import type { GatewaySettings, Settings } from '../../settings/index.ts'
import { parseHost } from './origins.ts'

const withoutMapping = (address: string): string =>
  address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address

/**
 * Parses an entry of `X-Forwarded-For`, which some proxies write with the port; null if it is no IP
 * address.
 */
function readHop(text: string): string | null {
  const [, inBrackets, plain] = /^(?:\[([\da-f:.]+)\](?::\d+)?|([\d.]+):\d+)$/i.exec(text) ?? []
  const address = withoutMapping(inBrackets ?? plain ?? text)
  return isIP(address) === 0 ? null : address
}

/** Headers added by proxies and content networks; browsers never send them. */
const TRACE = new RegExp(
  [
    '^(?:via|cdn-loop|front-end-https|x-scheme|x-cloud-trace-context',
    '(?:cf|fly|fastly|x-(?:akamai|amzn|appengine|arr|azure|envoy|fastly|nf|original|vercel))-.+',
    '.*forwarded.*',
    '.*(?:real|client|connecting|remote|originating|user|external)-?(?:ip|addr|address))$',
  ].join('|'),
)

/** Returns true if the name of a header shows that the request passed a proxy. */
export const leavesTrace = (name: string): boolean => TRACE.test(name)

/**
 * @NOTE Without further settings nginx adds no header at all, but uses HTTP/1.0, which browsers do
 *   not.
 */
const hasPassedProxy = ({ headers, httpVersion }: IncomingMessage): boolean =>
  httpVersion === '1.0' || Object.keys(headers).some(leavesTrace)

/**
 * Returns true if a `WEBUI_URL` is reachable from other machines; one that cannot be parsed counts
 * as such.
 */
export function isPublicUrl(url: string): boolean {
  if (url.trim() === '') return false
  const parsed = URL.parse(url)
  return parsed === null || !isLoopbackHost(parsed.hostname)
}

function toNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('%', 1)[0]!.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups = [
    ...left,
    ...Array.from({ length: 8 - left.length - right.length }, () => '0'),
    ...right,
  ]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

function addProxy(proxies: BlockList, entry: string): void {
  if (entry === 'loopback') {
    proxies.addSubnet('127.0.0.0', 8, 'ipv4')
    proxies.addAddress('::1', 'ipv6')
    return
  }
  const [address = '', bits] = entry.split('/')
  if (isIP(address) === 0) return
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  const width = Number(bits ?? (family === 'ipv6' ? 128 : 32))
  if (Number.isInteger(width) && width >= 0 && width <= (family === 'ipv6' ? 128 : 32))
    proxies.addSubnet(address, width, family)
}

/** Identities that the headers of a trusted proxy give requests. */
interface NamedPeople {
  identityOf(request: IncomingMessage): { readonly email: string | null } | null
  hasTrace(request: IncomingMessage): boolean
}

/** Finds the real origin of a request; only listed proxies are trusted. */
export class Peers {
  readonly #settings: Settings<'TRUSTED_PROXIES' | 'WEBUI_URL'> & Pick<GatewaySettings, 'onChange'>
  #proxies: BlockList
  #people: NamedPeople | null = null

  constructor(
    settings: Settings<'TRUSTED_PROXIES' | 'WEBUI_URL'> & Pick<GatewaySettings, 'onChange'>,
  ) {
    this.#settings = settings
    this.#proxies = this.#readProxies()
    settings.onChange(async (keys) => {
      if (keys.includes('TRUSTED_PROXIES')) this.#proxies = this.#readProxies()
    })
  }

  /**
   * Sets the identities given by a proxy in front. Its users may all share its address: limits are
   * counted per user, and the identity headers count as a trace of the proxy although they were
   * removed.
   */
  setIdentities(people: NamedPeople): void {
    this.#people = people
  }

  /**
   * Returns the address that limits are counted for: an IPv4 address or the /64 network of an IPv6
   * one.
   */
  limitSubject(request: IncomingMessage): string {
    const email = this.#people?.identityOf(request)?.email ?? null
    return email === null ? toNetwork(this.addressOf(request)) : `person ${email}`
  }

  /**
   * Returns the nearest address that is not a listed proxy; entries further left in the header can
   * be forged.
   */
  addressOf(request: IncomingMessage): string {
    let address = this.#peerOf(request)
    const forwarded = request.headers['x-forwarded-for']
    const hops = forwarded === undefined ? [] : String(forwarded).split(',')
    if (isShared(request)) return address
    while (hops.length > 0 && this.#isProxy(address)) {
      const hop = readHop(hops.pop()!.trim())
      if (hop === null) return address
      address = hop
    }
    return address
  }

  /**
   * Returns true if a client on this machine sent the request directly: loopback peer, loopback
   * Host, and no trace of a proxy.
   */
  isDirect(request: IncomingMessage): boolean {
    return this.#people?.hasTrace(request) !== true && this.#isUnproxied(request)
  }

  /**
   * Returns true if the user of a request is at this machine: never behind a public `WEBUI_URL`,
   * else if it is direct.
   */
  isLocal(request: IncomingMessage): boolean {
    return !isPublicUrl(this.#settings.get('WEBUI_URL')) && this.isDirect(request)
  }

  isHttps(request: IncomingMessage): boolean {
    return (
      (request.socket as TLSSocket).encrypted === true ||
      (this.isListed(request) &&
        String(request.headers['x-forwarded-proto'] ?? '').toLowerCase() === 'https') ||
      this.#isPublicHttps(request)
    )
  }

  /**
   * Returns the path under which a proxy serves the gateway, without a trailing slash; empty at the
   * root of a host and without a proxy.
   */
  basePathOf(request: IncomingMessage): string {
    return this.#isUnproxied(request)
      ? ''
      : (URL.parse(this.#settings.get('WEBUI_URL'))?.pathname.replace(/\/+$/, '') ?? '')
  }

  /**
   * Returns true if the peer of the connection itself is in `TRUSTED_PROXIES`. No proxy uses the
   * listener for devices of the network, so that none of those can claim to be one.
   */
  isListed(request: IncomingMessage): boolean {
    return !isShared(request) && this.#isProxy(this.#peerOf(request))
  }

  #isUnproxied(request: IncomingMessage): boolean {
    return (
      !isShared(request) &&
      isLoopbackHost(this.#peerOf(request)) &&
      isLoopbackHost(parseHost(request.headers.host ?? '')?.name ?? '') &&
      !hasPassedProxy(request)
    )
  }

  #readProxies(): BlockList {
    const proxies = new BlockList()
    for (const entry of this.#settings.get('TRUSTED_PROXIES')) addProxy(proxies, entry.trim())
    return proxies
  }

  #isProxy(address: string): boolean {
    return isIP(address) !== 0 && this.#proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  }

  #peerOf(request: IncomingMessage): string {
    return withoutMapping(request.socket.remoteAddress ?? '')
  }

  /**
   * Under the host of an https `WEBUI_URL` the gateway is reached through a proxy that may send no
   * headers about it.
   */
  #isPublicHttps(request: IncomingMessage): boolean {
    const url = URL.parse(this.#settings.get('WEBUI_URL'))
    return url?.protocol === 'https:' && url.host === request.headers.host
  }
}
