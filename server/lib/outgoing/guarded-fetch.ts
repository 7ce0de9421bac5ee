import { lookup as lookUpName, type LookupAddress } from 'node:dns'
import type { IncomingHttpHeaders } from 'node:http'
import type { LookupFunction } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib'
import type { Agent, buildConnector, Dispatcher } from 'undici'
import { createConnector, peerOf, type ConnectorOptions } from './connector.ts'
import { badRequest, forbidden, ServiceError, timedOut, upstreamFailed } from '../errors.ts'
import {
  isAllowedHost,
  readGuardedAddress,
  refuseAddress,
  type AddressPolicy,
} from './guarded-address.ts'
import { becauseByDefault, type Purpose } from './purpose.ts'
import { isPublicAddress } from './public-address.ts'
import { ownValue } from '../json/own-value.ts'
import { toProxyError } from './proxy-error.ts'

/** Settings of an administrator for requests to user-supplied URLs. */
export interface FetchPolicy extends AddressPolicy {
  readonly maximumBytes: number
  readonly timeoutMilliseconds: number
  /** True if nothing is fetched at all. */
  readonly offline: boolean
}

/** Request to such a URL; defaults to GET without additional headers. */
export interface GuardedRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Sent only to the requested host, never to another one. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** True to end with the head of the first reply: no redirect is followed and no body read. */
  readonly readsHeadOnly?: boolean
}

/** Complete reply, decompressed. */
export interface GuardedReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Final URL after redirects, without fragment. */
  readonly url: string
  readonly bytes: Buffer
}

/** Requested part of a large file, and its version. */
export interface PartRequest {
  /** First requested byte. */
  readonly from: number
  /** Version to which the bytes before it belong; another version is sent from its start. */
  readonly etag: string | null
  /** Maximum silence between two chunks. */
  readonly stallMilliseconds: number
}

/** Reply with a streamed body. The opener has to close it. */
export interface OpenedReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly chunks: AsyncIterable<Buffer>
  close(): Promise<void>
}

/** Resolves names to IP addresses. */
export type NameLookup = (
  host: string,
  done: (error: Error | null, found: readonly LookupAddress[]) => void,
) => void

const MOST_REDIRECTS = 5
const NO_LIMIT = new AbortController().signal
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const SENT_HEADERS = {
  accept: 'text/html, application/xhtml+xml, text/*;q=0.9, */*;q=0.5',
  'user-agent': 'Mozilla/5.0 (compatible; ChatGateway)',
}
const UNPACKERS: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
}

const lookUp: NameLookup = (host, done) => lookUpName(host, { all: true, verbatim: true }, done)

/**
 * Returns a lookup that gives a connection only checked IP addresses, so that the dialled ones are
 * the checked ones. A single address that is not public rejects the whole name.
 */
function createLookup(find: NameLookup, isFree: boolean): LookupFunction {
  return (host, options, done) =>
    find(host, (error, found) => {
      if (error) return done(error, '')
      const [first] = found
      if (!first || !(isFree || found.every(({ address }) => isPublicAddress(address))))
        return done(refuseAddress(), '')
      return options.all === true ? done(null, [...found]) : done(null, first.address, first.family)
    })
}

function toFailure(error: unknown, signal: AbortSignal, limit: AbortSignal): unknown {
  if (error instanceof ServiceError) return error
  if (signal.aborted) return signal.reason
  if (limit.aborted)
    return timedOut('The page took too long to answer. Try again later.', { cause: error })
  // Connections rejected by the lookup wrap the reason.
  const cause = error instanceof Error && error.cause instanceof ServiceError ? error.cause : null
  const proxy = toProxyError(error)
  if (proxy) return upstreamFailed(proxy.message, { code: 'proxy_failed', cause: error })
  return (
    cause ??
    upstreamFailed('The page could not be fetched. Check the address and try again.', {
      cause: error,
    })
  )
}

/** Reads and decompresses a body to its end, and stops beyond the limit, compressed or not. */
async function readBody(reply: Dispatcher.ResponseData, maximumBytes: number): Promise<Buffer> {
  const encoding = String(reply.headers['content-encoding'] ?? 'identity')
    .trim()
    .toLowerCase()
  const unpack = ownValue(UNPACKERS, encoding)
  const tooLarge = (): ServiceError =>
    badRequest(
      `What is at this address is larger than ${Math.floor(maximumBytes / 1_000_000)} MB.`,
      { code: 'page_too_large' },
    )
  if (!unpack && encoding !== 'identity' && encoding !== '')
    throw upstreamFailed('The page uses a compression that is not supported.')
  if (Number(reply.headers['content-length'] ?? 0) > maximumBytes) throw tooLarge()
  const source = unpack ? pipeline(reply.body, unpack(), () => undefined) : reply.body
  const parts: Buffer[] = []
  let size = 0
  for await (const part of source as AsyncIterable<Buffer>) {
    size += part.length
    if (size > maximumBytes) throw tooLarge()
    parts.push(part)
  }
  return Buffer.concat(parts, size)
}

interface Hop {
  readonly url: URL
  readonly request: GuardedRequest
}

/**
 * Returns the target of a redirect; null if the reply is not one. Bodies and headers meant for one
 * host are not sent to another.
 */
function nextHop(
  { url, request }: Hop,
  { statusCode, headers }: Dispatcher.ResponseData,
  read: (address: string) => URL,
): Hop | null {
  const location = REDIRECTS.has(statusCode) ? headers['location'] : undefined
  if (typeof location !== 'string') return null
  const absolute = URL.parse(location, url.href)
  if (!absolute) throw upstreamFailed('The page redirects to something that is no address.')
  const next = read(absolute.href)
  const keepsBody = statusCode === 307 || statusCode === 308 || (request.method ?? 'GET') === 'GET'
  const isSameOrigin = next.origin === url.origin
  if (keepsBody && request.body !== undefined && !isSameOrigin)
    throw upstreamFailed('The address redirects to another host, which is not sent anything.')
  return {
    url: next,
    request: { ...(keepsBody && request), headers: isSameOrigin ? request.headers : undefined },
  }
}

type Dial = (
  options: ConnectorOptions & { readonly lookup: LookupFunction },
) => Promise<buildConnector.connector>

/** Second check, of the IP address the connection actually leads to. */
const checkPeer =
  (dial: buildConnector.connector): buildConnector.connector =>
  (options, done) =>
    dial(options, (...result) => {
      const [error, socket] = result
      const peer = error ? null : peerOf(socket)
      if (error || peer === null || isPublicAddress(peer)) return done(...result)
      socket.destroy()
      done(refuseAddress(), null)
    })

/** Replacements for the network in tests. */
export interface FetchSeams {
  readonly find?: NameLookup
  readonly dial?: Dial
}

export interface GuardedFetchOptions extends FetchSeams {
  /** Purpose shown in the list of outgoing connections, unless the caller specifies one. */
  readonly purpose?: Purpose
  /**
   * True if the URLs were set by an administrator, whose servers may be on the local network. A
   * redirect leads there only within the same host.
   */
  readonly isChosen?: boolean
}

/** The only way to fetch URLs given by users, pages, documents or other servers. */
export class GuardedFetch {
  readonly #policy: () => FetchPolicy
  readonly #find
  readonly #dial
  readonly #purpose
  readonly #isChosen

  /**
   * Creates the fetcher; the policy is read for each request, because an administrator may change
   * it.
   */
  constructor(policy: () => FetchPolicy, options: GuardedFetchOptions = {}) {
    const { find = lookUp, dial = createConnector, purpose = { kind: 'page' } } = options
    this.#isChosen = options.isChosen === true
    this.#policy = policy
    this.#purpose = purpose
    this.#find = find
    this.#dial = dial
  }

  /** Parses a URL without dialling it; throws 400 if it would not be fetched. */
  check(address: string): URL {
    return readGuardedAddress(address, this.#rulesFor(address))
  }

  /**
   * Follows up to five redirects, each checked like the first URL. Throws 400 refused or too large,
   * 403 offline, 502 and 504 failed.
   */
  async fetch(
    address: string,
    request: GuardedRequest,
    signal: AbortSignal,
  ): Promise<GuardedReply> {
    const rules = this.#rulesFor(address)
    if (rules.offline)
      throw forbidden(
        'The gateway is in offline mode, so nothing is fetched. An administrator can change that.',
        { code: 'offline' },
      )
    const url = readGuardedAddress(address, rules)
    const limit = AbortSignal.timeout(rules.timeoutMilliseconds)
    try {
      return await this.#follow({ url, request }, rules, AbortSignal.any([signal, limit]))
    } catch (error) {
      throw toFailure(error, signal, limit)
    }
  }

  /**
   * Opens a file of any length, of which a part may already be present; redirects as in `fetch`.
   */
  async open(address: string, part: PartRequest, signal: AbortSignal): Promise<OpenedReply> {
    const rules = this.#policy()
    if (rules.offline)
      throw forbidden(
        'The gateway is in offline mode, so nothing is fetched. An administrator can change that.',
        { code: 'offline' },
      )
    // Sent to every host on the way: it reveals only how many bytes are present.
    const headers = {
      'accept-encoding': 'identity',
      ...(part.from > 0 && { range: `bytes=${part.from}-` }),
      ...(part.from > 0 && part.etag !== null && { 'if-range': part.etag }),
    }
    let hop: Hop = { url: readGuardedAddress(address, rules), request: { headers } }
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
      const agent = await this.#createAgent(hop.url, rules)
      const close = (): Promise<void> => agent.destroy()
      try {
        const reply = await this.#send(hop, agent, signal, part.stallMilliseconds)
        const next = nextHop(hop, reply, (found) => readGuardedAddress(found, rules))
        if (!next)
          return { status: reply.statusCode, headers: reply.headers, chunks: reply.body, close }
        reply.body.on('error', () => undefined)
        await close()
        hop = { ...next, request: { headers } }
      } catch (error) {
        await close()
        throw toFailure(error, signal, NO_LIMIT)
      }
    }
    throw upstreamFailed(`The address redirects more than ${MOST_REDIRECTS} times.`)
  }

  #rulesFor(address: string): FetchPolicy {
    const rules = this.#policy()
    const host = this.#isChosen ? URL.parse(address)?.hostname : undefined
    return host === undefined ? rules : { ...rules, allowedHosts: [...rules.allowedHosts, host] }
  }

  /** Connections are created for one request and not reused. */
  async #createAgent(url: URL, rules: FetchPolicy): Promise<Agent> {
    const undici = await import('undici')
    const isFree = isAllowedHost(rules, url)
    const connect = await this.#dial({
      lookup: createLookup(this.#find, isFree),
      timeout: rules.timeoutMilliseconds,
      trustsName: isFree,
    })
    const guarded = isFree ? connect : checkPeer(connect)
    return new undici.Agent({
      connect: (...given) => becauseByDefault(this.#purpose, () => guarded(...given)),
      allowH2: false,
      pipelining: 0,
    })
  }

  async #send(
    { url, request }: Hop,
    agent: Agent,
    signal: AbortSignal,
    stallMilliseconds?: number,
  ): Promise<Dispatcher.ResponseData> {
    const { method = 'GET', headers, body } = request
    return agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      body: body ?? null,
      signal,
      ...(stallMilliseconds !== undefined && {
        headersTimeout: stallMilliseconds,
        bodyTimeout: stallMilliseconds,
      }),
      headers: {
        ...SENT_HEADERS,
        'accept-encoding': Object.keys(UNPACKERS)
          .filter((name) => name !== 'x-gzip')
          .join(', '),
        ...headers,
      },
    })
  }

  async #follow(start: Hop, rules: FetchPolicy, signal: AbortSignal): Promise<GuardedReply> {
    let hop = start
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
      const agent = await this.#createAgent(hop.url, rules)
      try {
        const reply = await this.#send(hop, agent, signal)
        if (start.request.readsHeadOnly) {
          // Destroying the connection ends the body.
          reply.body.on('error', () => undefined)
          return {
            status: reply.statusCode,
            headers: reply.headers,
            url: hop.url.href.split('#', 1)[0]!,
            bytes: Buffer.alloc(0),
          }
        }
        const next = nextHop(hop, reply, (address) => readGuardedAddress(address, rules))
        if (!next) {
          const bytes = await readBody(reply, rules.maximumBytes)
          return {
            status: reply.statusCode,
            headers: reply.headers,
            url: hop.url.href.split('#', 1)[0]!,
            bytes,
          }
        }
        hop = next
      } finally {
        await agent.destroy()
      }
    }
    throw upstreamFailed(`The page redirects more than ${MOST_REDIRECTS} times.`)
  }
}
