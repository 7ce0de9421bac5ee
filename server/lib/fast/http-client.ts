import { HttpConnection, type ConnectionKeeper, type ReplyHandler } from './http-connection.ts'
import { HttpError } from './http-error.ts'
import { because, type Purpose } from '../outgoing/purpose.ts'
import { createSocketOpener, type SocketOpener } from './open-socket.ts'

/** Call whose body is completely available. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | string | null
  readonly firstByteMilliseconds: number
  readonly idleMilliseconds: number
  readonly onNewConnection?: boolean
}

export interface HttpClientOptions {
  readonly connectMilliseconds: number
  readonly purpose: Purpose
  /** Called with every connection before it carries data. */
  readonly onConnection: (connection: HttpConnection) => void
}

const LONGEST_TICK = 500
const SHORTEST_TICK = 10
const PATH = /^\/[\u0021-\u007E\u0080-\u00FF]*$/
const NAME = /^[\w!#$%&'*+.^`|~-]+$/
const VALUE = /^[\t\u0020-\u007E\u0080-\u00FF]*$/
/** Headers that the client sets itself, and those that require a more capable client. */
const OWN_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
])

/** Returns the header lines; null if this client cannot send one of them. */
function renderHeaders(headers: Readonly<Record<string, string>>): string | null {
  let text = ''
  for (const name of Object.keys(headers)) {
    const value = headers[name]!
    if (OWN_HEADERS.has(name.toLowerCase()) || !NAME.test(name) || !VALUE.test(value)) return null
    text += `${name}: ${value}\r\n`
  }
  return text
}

/**
 * Calls one origin on kept-alive connections. Only for ordinary calls, which take half the
 * processor time of a general-purpose client: no redirects, proxies, upgrades, HTTP/2 or streamed
 * bodies.
 */
export class HttpClient implements ConnectionKeeper {
  readonly #options: HttpClientOptions
  readonly #origin: URL
  readonly #opener: SocketOpener | Promise<SocketOpener>
  readonly #all = new Set<HttpConnection>()
  /**
   * The most recently used connection is reused first, so that the others time out when there is
   * less traffic.
   */
  #free: HttpConnection[] = []
  #timer: NodeJS.Timeout | null = null
  #tick = LONGEST_TICK
  #closed: HttpError | null = null
  #onEmpty: (() => void) | null = null
  /** Last rendered headers: those of a provider are the same object in all calls. */
  #rendered: { readonly headers: object; readonly text: string | null } | null = null

  constructor(origin: string, options: HttpClientOptions) {
    this.#origin = new URL(origin)
    this.#options = options
    this.#opener = createSocketOpener(this.#origin)
  }

  /** Returns true if this client can make a call. */
  takes({ path, headers }: Pick<HttpRequest, 'path' | 'headers'>): boolean {
    return PATH.test(path) && this.#render(headers) !== null
  }

  /** Makes a call for which `takes` returns true. */
  dispatch(request: HttpRequest, handler: ReplyHandler): void {
    if (this.#closed !== null) return handler.onResponseError(null, this.#closed)
    const { body, onNewConnection: isSingle = false } = request
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    const { firstByteMilliseconds, idleMilliseconds } = request
    const head = this.#writeHead(request, bytes, isSingle)
    const written = { head, body: bytes, firstByteMilliseconds, idleMilliseconds, isSingle }
    const free = isSingle ? null : this.#takeFree()
    if (free) free.send(written, handler)
    else if (!(this.#opener instanceof Promise)) this.#open(this.#opener).send(written, handler)
    else
      void this.#opener.then((opener) => {
        if (this.#closed !== null) handler.onResponseError(null, this.#closed)
        else this.#open(opener).send(written, handler)
      })
  }

  /** Accepts no new calls; resolves when the running ones have ended. */
  async retire(): Promise<void> {
    this.#closed ??= new HttpError('The client is closed.', 'UND_ERR_CLOSED')
    for (const connection of this.#free) connection.destroy()
    this.#free = []
    await this.#empty()
  }

  /** Closes all connections; running calls fail with the reason. */
  async close(reason?: Error): Promise<void> {
    this.#closed = new HttpError('The client is destroyed.', 'UND_ERR_DESTROYED')
    for (const connection of this.#all) connection.destroy(reason ?? this.#closed)
    this.#free = []
    await this.#empty()
  }

  onFree(connection: HttpConnection): void {
    if (this.#closed === null) this.#free.push(connection)
    else connection.destroy()
  }

  onClosed(connection: HttpConnection): void {
    this.#all.delete(connection)
    const place = this.#free.indexOf(connection)
    if (place !== -1) this.#free.splice(place, 1)
    if (this.#all.size > 0) return
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
    this.#tick = LONGEST_TICK
    this.#onEmpty?.()
  }

  /** All connections share one timer, because one for each call costs more than the checks. */
  watch(milliseconds: number): void {
    if (this.#timer !== null && milliseconds >= this.#tick) return
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#tick = Math.max(SHORTEST_TICK, Math.min(this.#tick, milliseconds))
    this.#timer = setInterval(() => this.#check(), this.#tick).unref()
  }

  #check(): void {
    const now = performance.now()
    for (const connection of this.#all) connection.check(now)
  }

  async #empty(): Promise<void> {
    if (this.#all.size === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = this.#onEmpty
    this.#onEmpty = () => {
      before?.()
      resolve()
    }
    await promise
  }

  #open(opener: SocketOpener): HttpConnection {
    const { connectMilliseconds, onConnection, purpose } = this.#options
    const connection = because(purpose, () => new HttpConnection(opener, this, connectMilliseconds))
    this.#all.add(connection)
    onConnection(connection)
    return connection
  }

  #takeFree(): HttpConnection | null {
    for (let free = this.#free.pop(); free !== undefined; free = this.#free.pop())
      if (free.isOpen && free.isFree) return free
    return null
  }

  #render(headers: Readonly<Record<string, string>>): string | null {
    if (this.#rendered?.headers !== headers)
      this.#rendered = { headers, text: renderHeaders(headers) }
    return this.#rendered.text
  }

  #writeHead(
    { method, path, headers }: HttpRequest,
    body: Buffer | null,
    isSingle: boolean,
  ): string {
    const length =
      body === null && method !== 'POST' ? '' : `content-length: ${body?.length ?? 0}\r\n`
    return (
      `${method} ${path} HTTP/1.1\r\nhost: ${this.#origin.host}\r\n` +
      `connection: ${isSingle ? 'close' : 'keep-alive'}\r\n${this.#render(headers)}${length}\r\n`
    )
  }
}
