import { Readable } from 'node:stream'
import {
  createOutgoingTarget,
  StaleConnectionError,
  type OutgoingReply,
  type OutgoingRequest,
  type OutgoingTarget,
} from '../../../lib/outgoing/outgoing.ts'

const CONNECT_MILLISECONDS = 4_000
const FIRST_BYTE_MILLISECONDS = 15_000
const IDLE_MILLISECONDS = 30_000

/** A request made by the SDK. */
export interface StoreRequest {
  readonly method: string
  readonly protocol: string
  readonly hostname: string
  readonly port?: number
  readonly path: string
  readonly query?: Readonly<Record<string, string | readonly string[] | null>>
  readonly headers: Readonly<Record<string, string>>
  // oxlint-disable-next-line typescript/no-explicit-any -- the SDK's own type
  readonly body?: any
}

interface StoreReply {
  readonly statusCode: number
  readonly headers: Record<string, string>
  readonly body: Readable
}

/** Escapes as signed: including characters that `encodeURIComponent` leaves. */
const escape = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  )

function toQuery(query: StoreRequest['query'] = {}): string {
  const parts = Object.keys(query)
    .toSorted()
    .flatMap((key) => {
      const value = query[key]
      if (value === null || value === undefined) return [escape(key)]
      return [value].flat().map((each) => `${escape(key)}=${escape(String(each))}`)
    })
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

function toBody(body: unknown): OutgoingRequest['body'] {
  if (body === undefined || body === null) return null
  if (typeof body === 'string' || body instanceof Readable) return body
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  throw new TypeError('A body of this kind is not sent.')
}

/**
 * Returns true for headers set by the connection itself; `host` is that of the URL, which is also
 * the signed one.
 */
const isOwnHeader = (name: string, body: OutgoingRequest['body']): boolean =>
  name === 'host' || name === 'expect' || (name === 'content-length' && !(body instanceof Readable))

function toOutgoing(request: StoreRequest): OutgoingRequest {
  const body = toBody(request.body)
  return {
    method: request.method as OutgoingRequest['method'],
    path: request.path + toQuery(request.query),
    headers: Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => !isOwnHeader(name.toLowerCase(), body)),
    ),
    body,
    firstByteMilliseconds: FIRST_BYTE_MILLISECONDS,
    idleMilliseconds: IDLE_MILLISECONDS,
  }
}

const toHeaders = ({ headers }: OutgoingReply): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  )

/** Sends the SDK's requests over the connections of the gateway, with their proxies and rules. */
export class OutgoingHandler {
  readonly metadata = { handlerProtocol: 'http/1.1' }
  readonly #targets = new Map<string, OutgoingTarget>()

  async handle(
    request: StoreRequest,
    { abortSignal }: { abortSignal?: unknown } = {},
  ): Promise<{ response: StoreReply }> {
    const port = request.port === undefined ? '' : `:${request.port}`
    const target = this.#targetOf(`${request.protocol}//${request.hostname}${port}`)
    const signal = abortSignal instanceof AbortSignal ? abortSignal : new AbortController().signal
    const reply = await open(target, toOutgoing(request), signal)
    const body = Readable.from(reply.chunks(), { objectMode: false })
    // A generator that was never read does not close its source.
    body.once('close', () => reply.abort())
    return { response: { statusCode: reply.status, headers: toHeaders(reply), body } }
  }

  /** Required by the SDK's handler interface; there is nothing to change here. */
  updateHttpClientConfig(): void {
    // The limits above are the gateway's own.
  }

  httpHandlerConfigs(): Record<string, never> {
    return {}
  }

  destroy(): void {
    for (const target of this.#targets.values()) void target.close()
    this.#targets.clear()
  }

  #targetOf(origin: string): OutgoingTarget {
    const found =
      this.#targets.get(origin) ??
      createOutgoingTarget(origin, {
        connectMilliseconds: CONNECT_MILLISECONDS,
        purpose: { kind: 'shared_store', name: 'S3' },
      })
    this.#targets.set(origin, found)
    return found
  }
}

/** A request the upstream never received is repeated once; a partially sent stream is not. */
async function open(
  target: OutgoingTarget,
  request: OutgoingRequest,
  signal: AbortSignal,
): Promise<OutgoingReply> {
  try {
    return await target.open(request, signal)
  } catch (error) {
    if (!(error instanceof StaleConnectionError) || request.body instanceof Readable) throw error
    return target.open({ ...request, onNewConnection: true }, signal)
  }
}
