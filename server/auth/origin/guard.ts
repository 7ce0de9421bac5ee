import type { IncomingMessage, ServerResponse } from 'node:http'
import { badRequest, forbidden, type ServiceError } from '../../lib/errors.ts'
import type { Caller } from '../../lib/http.ts'
import type { AuthSettings } from '../auth-settings.ts'
import { answerCors } from './cors.ts'
import { Origins, parseHost, toAddress } from './origins.ts'
import { isRepeatedHeader } from './repeated-header.ts'

/**
 * Headers of keys and tokens, which browsers never add themselves; an administrator may name another
 * one.
 */
const KEY_HEADERS = ['authorization', 'x-api-key']

const WILDCARDS = new Set(['0.0.0.0', '::', ''])

/**
 * Returns the `host:port` pairs of a gateway bound to `host`: the names of this computer and the
 * bound address, without suffix matching.
 */
export function listeningAddresses(host: string, port: number): ReadonlySet<string> {
  const names = ['localhost', '127.0.0.1', '[::1]']
  if (!WILDCARDS.has(host)) names.push(host.includes(':') ? `[${host}]` : host.toLowerCase())
  return new Set(names.map((name) => `${name}:${port}`))
}

/**
 * Returns the local address of a connection. If bound to all interfaces, the gateway accepts the
 * address that was dialled.
 */
function dialledAddress({ socket }: IncomingMessage): string {
  const address = (socket.localAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '')
  return `${address.includes(':') ? `[${address}]` : address}:${socket.localPort ?? 0}`
}

/**
 * The isolated frames of the UI have an opaque origin and send `null` when they load their script,
 * a public file.
 */
const isFrameFile = ({ method, url, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.origin === 'null' && /^\/frames\/[\w-]+\.\w+$/.test(url ?? '')

/** Returns true if a request has headers that only browsers send. */
const isFromBrowser = ({ headers }: IncomingMessage): boolean =>
  headers.cookie !== undefined ||
  headers.origin !== undefined ||
  headers['sec-fetch-site'] !== undefined

/** Paths of health checks; the replies contain nothing but the state. */
const HEALTH_CHECK = /^\/(?:health(?:\/db)?|ready)\/?(?:\?|$)/

/**
 * Returns true for health checks, which are answered whatever their Host: monitors and load
 * balancers use the address of a container, another name, or HTTP/1.0 without a Host.
 */
const isHealthCheck = (request: IncomingMessage): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  HEALTH_CHECK.test(request.url ?? '') &&
  !isFromBrowser(request)

/**
 * Returns true if a request has headers that only non-browser clients send, and none that a browser
 * adds itself.
 */
function claimsToBeProgram(request: IncomingMessage, ownHeader: string): boolean {
  const names = [...KEY_HEADERS, ownHeader.toLowerCase()]
  return !isFromBrowser(request) && names.some((name) => request.headers[name] !== undefined)
}

/**
 * The outermost layer of the gateway, in front of every route, file and upgrade. Names are compared
 * whole, so that a rebound or look-alike name never passes.
 */
export class Guard {
  readonly #addresses: (request: IncomingMessage) => ReadonlySet<string>
  readonly #origins: Origins
  readonly #settings: AuthSettings
  /** Requests that are accepted only if their key is valid, with the error otherwise. */
  readonly #unproved = new WeakMap<IncomingMessage, ServiceError>()

  /**
   * `addresses` are the `host:port` pairs of the listener that received the request, see
   * `listeningAddresses`.
   */
  constructor(
    settings: AuthSettings,
    addresses: (request: IncomingMessage) => ReadonlySet<string>,
  ) {
    this.#addresses = addresses
    this.#origins = new Origins(settings)
    this.#settings = settings
  }

  /**
   * Throws 400 or 403 for requests that are not addressed to this gateway or come from a page of
   * another site.
   */
  check(request: IncomingMessage): void {
    this.#check(request, false)
  }

  /**
   * Same as `check`, for a request that may prove that it comes from a non-browser client. Behind a
   * tunnel or the published port of a container it has another Host; a page reached by DNS
   * rebinding has no key, and so must pass `requireProof`.
   */
  checkCall(request: IncomingMessage): void {
    this.#check(request, true)
  }

  /**
   * Returns true if an accepted request must still prove with its key or token that it comes from a
   * non-browser client.
   */
  needsProof(request: IncomingMessage): boolean {
    return this.#unproved.has(request)
  }

  /**
   * Returns the caller; throws the deferred 403 if the caller has not been identified by a key or
   * token.
   */
  requireProof(request: IncomingMessage, caller: Caller | null): Caller | null {
    const foreign = this.#unproved.get(request)
    if (foreign && caller?.credential !== 'bearer' && caller?.credential !== 'key') throw foreign
    return caller
  }

  /**
   * Adds the headers a listed page needs to read the response; returns true if that completes the
   * response.
   */
  answerCors(request: IncomingMessage, response: ServerResponse): boolean {
    return answerCors(request, response, this.#origins)
  }

  #isOurs(address: string, request: IncomingMessage): boolean {
    return (
      this.#addresses(request).has(address) ||
      address === this.#origins.publicAddress() ||
      address === dialledAddress(request)
    )
  }

  /** Returns the error of the request's Host, if any. Throws 400 if it cannot be parsed. */
  #findForeignHost(request: IncomingMessage, mayBeAnyHost: boolean): ServiceError | null {
    const header = request.headers.host ?? ''
    if ((header === '' && !mayBeAnyHost) || isRepeatedHeader(request, 'host'))
      throw badRequest('Send exactly one Host header.', { code: 'invalid_host' })
    if (mayBeAnyHost) return null
    if (this.#addresses(request).has(header)) return null
    const host = parseHost(header)
    const spellings = !host
      ? []
      : host.port === null
        ? [`${host.name}:80`, `${host.name}:443`]
        : [`${host.name}:${host.port}`]
    if (spellings.some((address) => this.#isOurs(address, request))) return null
    return forbidden(
      'This address is not one of the gateway. Set WEBUI_URL when browsers reach it under another name; programs may send a key or token.',
      { code: 'foreign_host' },
    )
  }

  #checkOrigin(request: IncomingMessage): void {
    const { origin } = request.headers
    if (origin === undefined || this.#origins.isListed(origin) || isFrameFile(request)) return
    const address = URL.parse(origin)?.origin === origin ? toAddress(origin) : null
    if (address === null || !this.#isOurs(address, request)) {
      throw forbidden(
        'Pages of this site may not use the gateway. An administrator can list it in CORS_ALLOW_ORIGIN.',
        {
          code: 'foreign_origin',
        },
      )
    }
  }

  #mayBeProgram(request: IncomingMessage): boolean {
    return claimsToBeProgram(request, this.#settings.get('CUSTOM_API_KEY_HEADER'))
  }

  #check(request: IncomingMessage, mayProve: boolean): void {
    if (!(request.url ?? '').startsWith('/'))
      throw badRequest('Send a path, not a whole address.', { code: 'invalid_target' })
    const foreign = this.#findForeignHost(request, isHealthCheck(request))
    if (foreign && !(mayProve && this.#mayBeProgram(request))) throw foreign
    if (foreign) this.#unproved.set(request, foreign)
    this.#checkOrigin(request)
  }
}
