import type { Readable } from 'node:stream'
import { badRequest, ServiceError, timedOut, upstreamFailed } from '../../lib/errors.ts'
import { isPrivateHost } from '../../lib/outgoing/host-address.ts'
import {
  createOutgoingTarget,
  ReplyTooLargeError,
  type OutgoingReply,
  type OutgoingRequest,
  type OutgoingTarget,
} from '../../lib/outgoing/outgoing.ts'
import { openAgain } from '../../lib/outgoing/open-again.ts'
import { toProxyError } from '../../lib/outgoing/proxy-error.ts'
import { readFault } from '../../lib/outgoing/read-fault.ts'
import { requireWayOut } from '../../lib/outgoing/way-out.ts'

const CONNECT_MILLISECONDS = 10_000

/** A response whose head has arrived. */
export type AudioReply = OutgoingReply

/** A body containing files, which are reopened for each attempt. */
export interface StreamBody {
  readonly length: number
  open(): Readable
}

/** A call to a URL set by an administrator. */
export interface AudioCall {
  readonly address: string
  readonly method?: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | StreamBody
}

export interface CallOptions {
  readonly signal: AbortSignal
  /** Longest silence allowed before and within the response. */
  readonly idleMilliseconds: number
}

const CODE = 'audio_engine_failed'

const failed = (message: string, cause?: unknown): ServiceError =>
  upstreamFailed(message, { code: CODE, cause })

/**
 * Calls the speech and transcription servers. Follows no redirects and accepts no compressed
 * responses, so that only the URL an administrator set is called and the byte limit counts the real
 * bytes.
 */
export class AudioClient {
  readonly #targets = new Map<string, OutgoingTarget>()
  readonly #isOffline: () => boolean

  constructor(options: { readonly isOffline: () => boolean }) {
    this.#isOffline = options.isOffline
  }

  /** Resolves with a successful response; any other outcome is thrown as an error message. */
  async open(call: AudioCall, options: CallOptions): Promise<OutgoingReply> {
    const url = this.#check(call.address)
    const target = this.#targetOf(url)
    const reply = await openAgain(target, toRequest(url, call, options), options.signal).catch(
      (error: unknown) => {
        throw this.toFault(error, call.address, options.signal)
      },
    )
    if (reply.status < 200 || reply.status >= 300) throw await this.#toRefusal(reply, call)
    const encoding = String(reply.headers['content-encoding'] ?? 'identity').toLowerCase()
    if (encoding !== 'identity' && encoding !== '') {
      reply.abort()
      throw failed('The audio engine packed its answer although it was asked not to.')
    }
    return reply
  }

  /** Resolves with the JSON of a response of at most `limit` bytes. */
  async json(call: AudioCall, options: CallOptions, limit: number): Promise<unknown> {
    const reply = await this.open(call, options)
    let bytes: Buffer
    try {
      bytes = await reply.bytes(limit)
    } catch (error) {
      throw this.toFault(error, call.address, options.signal)
    }
    try {
      return JSON.parse(bytes.toString('utf8'))
    } catch (error) {
      throw failed('The audio engine answered with something that is no JSON.', error)
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#targets.values()].map((target) => target.close()))
    this.#targets.clear()
  }

  /** Converts an error of the call into an error message. */
  toFault(error: unknown, address: string, signal: AbortSignal): ServiceError {
    if (error instanceof ServiceError) return error
    if (signal.aborted && signal.reason instanceof ServiceError) return signal.reason
    if (error instanceof ReplyTooLargeError)
      return failed('The answer of the audio engine is longer than is taken.', error)
    const proxy = toProxyError(error)
    if (proxy) return upstreamFailed(proxy.message, { code: 'proxy_failed', cause: error })
    if (error instanceof Error && error.cause instanceof ServiceError) return error.cause
    const code =
      error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
    if (/TIMEOUT/.test(code))
      return timedOut('The audio engine fell silent.', { code: CODE, cause: error })
    const suffix = code === '' ? '' : ` (${code})`
    return failed(
      `The audio engine at ${URL.parse(address)?.host} cannot be reached, or it broke off its answer${suffix}.`,
      error,
    )
  }

  #targetOf(url: URL): OutgoingTarget {
    const known = this.#targets.get(url.origin)
    if (known) return known
    const target = createOutgoingTarget(url.origin, {
      connectMilliseconds: CONNECT_MILLISECONDS,
      purpose: { kind: 'speech' },
    })
    this.#targets.set(url.origin, target)
    return target
  }

  #check(address: string): URL {
    const url = URL.parse(address)
    if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
      throw badRequest('The audio engine has no address. An administrator can set it.', {
        code: CODE,
      })
    if (this.#isOffline() && !isPrivateHost(url.hostname)) {
      const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
      requireWayOut({ host: url.hostname, port }, { kind: 'speech' })
      throw badRequest('The audio engine is not called while offline mode is on.', { code: CODE })
    }
    return url
  }

  /**
   * @NOTE The status is passed on to the caller, as clients expect, except 401: that would mean
   *   that the caller is signed out, while it is the key of the gateway that was refused.
   */
  async #toRefusal(reply: OutgoingReply, { headers }: AudioCall): Promise<ServiceError> {
    const { status } = reply
    if (status < 400) {
      reply.abort()
      return failed(
        'The audio engine redirects to another address, which is not followed. Set the address it is really at.',
      )
    }
    const said = await readFault(reply, headers)
    const words =
      status === 401 || status === 403
        ? `The audio engine refused its key (status ${status}). ${said}`.trim()
        : said || `The audio engine answered with status ${status}.`
    return new ServiceError(status === 401 || status > 599 ? 502 : status, `External: ${words}`, {
      code: CODE,
    })
  }
}

function toRequest(
  url: URL,
  { method = 'POST', headers, body }: AudioCall,
  { idleMilliseconds }: CallOptions,
): () => OutgoingRequest {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body?.length
  return () => ({
    method,
    path: `${url.pathname}${url.search}`,
    headers: {
      'accept-encoding': 'identity',
      ...headers,
      ...(length !== undefined && { 'content-length': String(length) }),
    },
    body: typeof body === 'string' ? body : (body?.open() ?? null),
    firstByteMilliseconds: idleMilliseconds,
    idleMilliseconds,
    onNewConnection: body !== undefined && typeof body !== 'string',
  })
}
