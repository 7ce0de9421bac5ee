import type { IncomingMessage, ServerResponse } from 'node:http'
import { badRequest, forbidden, type ServiceError } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import type { AuthSettings } from './auth-settings.ts'
import { answerCors } from './cors.ts'
import { Origins, parseHost, toAddress } from './origins.ts'
import { isRepeatedHeader } from './repeated-header.ts'

/** Where keys and tokens travel that no browser adds by itself. */
const KEY_HEADERS = ['authorization', 'x-api-key']

const WILDCARDS = new Set(['0.0.0.0', '::', ''])

/**
 * The `host:port` pairs of a gateway bound to `host`: this computer's names and the bound address,
 * nothing by suffix.
 */
export function listeningAddresses(host: string, port: number): ReadonlySet<string> {
  const names = ['localhost', '127.0.0.1', '[::1]']
  if (!WILDCARDS.has(host)) names.push(host.includes(':') ? `[${host}]` : host.toLowerCase())
  return new Set(names.map((name) => `${name}:${port}`))
}

/**
 * The address a connection arrived at. Bound to every interface, the gateway answers to the one
 * that was dialled.
 */
function dialledAddress({ socket }: IncomingMessage): string {
  const address = (socket.localAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '')
  return `${address.includes(':') ? `[${address}]` : address}:${socket.localPort ?? 0}`
}

/**
 * The isolated frames of the interface have no origin of their own and say so when they load their
 * script, a public file.
 */
const isFrameFile = ({ method, url, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.origin === 'null' && /^\/frames\/[\w-]+\.\w+$/.test(url ?? '')

/** Whether a request has what only programs send, and nothing that a browser adds by itself. */
function claimsToBeProgram({ headers }: IncomingMessage): boolean {
  const isBrowser =
    headers.cookie !== undefined ||
    headers.origin !== undefined ||
    headers['sec-fetch-site'] !== undefined
  return !isBrowser && KEY_HEADERS.some((name) => headers[name] !== undefined)
}

/**
 * The outermost layer of the gateway, in front of every route, file and upgrade. Names are compared
 * whole, so that a rebound or look-alike name never passes.
 */
export class Guard {
  readonly #addresses: (request: IncomingMessage) => ReadonlySet<string>
  readonly #origins: Origins
  /** Calls for this gateway only if their key is right. */
  readonly #unproved = new WeakMap<IncomingMessage, ServiceError>()

  /**
   * `addresses` are the `host:port` pairs of the listener a request came by, see
   * `listeningAddresses`.
   */
  constructor(
    settings: AuthSettings,
    addresses: (request: IncomingMessage) => ReadonlySet<string>,
  ) {
    this.#addresses = addresses
    this.#origins = new Origins(settings)
  }

  /**
   * Refuses requests that are not addressed to this gateway or come from the page of another site:
   * throws 400 or 403.
   */
  check(request: IncomingMessage): void {
    this.#check(request, false)
  }

  /**
   * The same for a call that may prove to come from a program. Behind a tunnel or the published
   * port of a container it names another Host; a page that was led here by a false name has no key,
   * and so has to answer to `requireProof`.
   */
  checkCall(request: IncomingMessage): void {
    this.#check(request, true)
  }

  /**
   * Whether a call that passed still has to prove with its key or token that it comes from a
   * program.
   */
  needsProof(request: IncomingMessage): boolean {
    return this.#unproved.has(request)
  }

  /**
   * The caller again; throws the 403 that was put off when this one has not proved with a key or
   * token who it is.
   */
  requireProof(request: IncomingMessage, caller: Caller | null): Caller | null {
    const foreign = this.#unproved.get(request)
    if (foreign && caller?.credential !== 'bearer' && caller?.credential !== 'key') throw foreign
    return caller
  }

  /**
   * Adds the headers a listed page needs to read the answer; true when that already is the whole
   * answer.
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

  /** The fault of the Host of a request, if any. Throws 400 when it cannot be read. */
  #findForeignHost(request: IncomingMessage): ServiceError | null {
    const header = request.headers.host ?? ''
    if (header === '' || isRepeatedHeader(request, 'host'))
      throw badRequest('Send exactly one Host header.', { code: 'invalid_host' })
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

  #check(request: IncomingMessage, mayProve: boolean): void {
    if (!(request.url ?? '').startsWith('/'))
      throw badRequest('Send a path, not a whole address.', { code: 'invalid_target' })
    const foreign = this.#findForeignHost(request)
    if (foreign && !(mayProve && claimsToBeProgram(request))) throw foreign
    if (foreign) this.#unproved.set(request, foreign)
    this.#checkOrigin(request)
  }
}
