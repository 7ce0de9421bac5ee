import { badRequest, ServiceError } from '../../lib/errors.ts'
import type { GuardedFetch } from '../../lib/outgoing/guarded-fetch.ts'
import { isPrivateHost } from '../../lib/outgoing/host-address.ts'
import {
  createOutgoingTarget,
  ReplyTooLargeError,
  type OutgoingReply,
  type OutgoingTarget,
} from '../../lib/outgoing/outgoing.ts'
import { openAgain } from '../../lib/outgoing/open-again.ts'
import { readFault, readFaultBody } from '../../lib/outgoing/read-fault.ts'
import { PictureLifter, type LiftBounds, type LiftedJson } from './lift-pictures.ts'
import type { PieceBody } from './write-body.ts'
import { requireWayOut } from '../../lib/outgoing/way-out.ts'

const CONNECT_MILLISECONDS = 10_000
/** Calls end by their signal; this timeout only frees abandoned connections. */
const SILENCE_MILLISECONDS = 3_600_000

/** A call to a URL set by an administrator. */
export interface EngineCall {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: PieceBody
  readonly signal: AbortSignal
}

/** Creates an error with a message for the user. */
const fault = (message: string, cause?: unknown): ServiceError =>
  badRequest(message, { code: 'image_engine_failed', cause })

/**
 * Calls the image servers. Follows no redirects, so that only the URL an administrator set is
 * called.
 */
export class EngineClient {
  readonly #targets = new Map<string, OutgoingTarget>()
  readonly #isOffline: () => boolean
  readonly #guarded: GuardedFetch

  constructor(options: { readonly isOffline: () => boolean; readonly guarded: GuardedFetch }) {
    this.#isOffline = options.isOffline
    this.#guarded = options.guarded
  }

  /** Resolves with the JSON of a response; images are extracted while it is read. */
  async json(address: string, call: EngineCall, bounds: LiftBounds): Promise<LiftedJson> {
    const reply = await this.#open(address, call)
    const lifter = new PictureLifter(bounds, Number(reply.headers['content-length'] ?? 0) || 0)
    try {
      for await (const chunk of reply.chunks()) lifter.write(chunk)
    } catch (error) {
      throw this.#toFault(error, address, call.signal)
    }
    try {
      return await lifter.end()
    } catch (error) {
      throw fault(
        'The image engine answered with something that is no JSON, or its answer was cut off.',
        error,
      )
    }
  }

  /** Resolves with the bytes of a response. */
  async bytes(address: string, call: EngineCall, limit: number): Promise<Buffer> {
    const reply = await this.#open(address, call)
    try {
      return await reply.bytes(limit)
    } catch (error) {
      if (error instanceof ReplyTooLargeError)
        throw badRequest(
          `The picture is larger than ${Math.floor(limit / 1_000_000)} MB, which is more than is taken.`,
          {
            code: 'picture_too_large',
          },
        )
      throw this.#toFault(error, address, call.signal)
    }
  }

  /** Makes a call that was carried out once its status has arrived; the rest is ignored. */
  async tell(address: string, call: EngineCall): Promise<void> {
    await readFaultBody(await this.#open(address, call))
  }

  /**
   * Fetches an image by its URL in a response: from the endpoint's server with its key, from other
   * servers like any external URL.
   */
  async fetchPicture(
    address: string,
    base: string,
    call: EngineCall,
    limit: number,
  ): Promise<Buffer> {
    if (URL.parse(address)?.origin === URL.parse(base)?.origin)
      return this.bytes(address, call, limit)
    const reply = await this.#guarded.fetch(
      address,
      { headers: { accept: 'image/*' } },
      call.signal,
    )
    if (reply.status !== 200)
      throw fault(
        `The picture of the answer could not be fetched: its server answered with ${reply.status}.`,
      )
    return reply.bytes
  }

  /** Returns the parsed URL; throws 400 if the gateway may not call it. */
  check(address: string): URL {
    const url = URL.parse(address)
    if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
      throw fault('The image engine has no address. An administrator can set it.')
    if (this.#isOffline() && !isPrivateHost(url.hostname)) {
      const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
      requireWayOut({ host: url.hostname, port }, { kind: 'pictures' })
      throw fault('The image engine is not called while offline mode is on.')
    }
    return url
  }

  async close(): Promise<void> {
    await Promise.all([...this.#targets.values()].map((target) => target.close()))
    this.#targets.clear()
  }

  async #open(
    address: string,
    { method = 'GET', headers, body, signal }: EngineCall,
  ): Promise<OutgoingReply> {
    const url = this.check(address)
    const target =
      this.#targets.get(url.origin) ??
      createOutgoingTarget(url.origin, {
        connectMilliseconds: CONNECT_MILLISECONDS,
        purpose: { kind: 'pictures' },
      })
    this.#targets.set(url.origin, target)
    const request = () => ({
      method,
      path: `${url.pathname}${url.search}`,
      headers: {
        accept: 'application/json',
        ...(body && { 'content-type': body.type, 'content-length': String(body.length) }),
        ...headers,
      },
      body: body?.open() ?? null,
      firstByteMilliseconds: SILENCE_MILLISECONDS,
      idleMilliseconds: SILENCE_MILLISECONDS,
      // The work of a call with a body must not be done twice, so it is never sent on a kept-alive
      // connection that may already be closed.
      onNewConnection: body !== undefined,
    })
    let reply: OutgoingReply
    try {
      reply = await openAgain(target, request, signal)
    } catch (error) {
      throw this.#toFault(error, address, signal)
    }
    if (reply.status >= 200 && reply.status < 300) return reply
    throw await this.#toRefusal(reply, address, headers)
  }

  async #toRefusal(
    reply: OutgoingReply,
    address: string,
    sent: EngineCall['headers'] = {},
  ): Promise<ServiceError> {
    const { status } = reply
    if (status >= 300 && status < 400) {
      reply.abort()
      return fault(
        'The image engine redirects to another address, which is not followed. Set the address it is really at.',
      )
    }
    const said = await readFault(reply, sent)
    if (status === 401 || status === 403)
      return fault(`The image engine refused its key (status ${status}). ${said}`.trim())
    return fault(
      `The image engine at ${URL.parse(address)?.host} answered with status ${status}. ${said}`.trim(),
    )
  }

  #toFault(error: unknown, address: string, signal: AbortSignal): unknown {
    if (error instanceof ServiceError) return error
    if (signal.aborted)
      return signal.reason instanceof ServiceError
        ? signal.reason
        : fault('The image engine did not answer in time.', signal.reason)
    const code =
      error instanceof Error && 'code' in error && typeof error.code === 'string'
        ? ` (${error.code})`
        : ''
    return fault(
      `The image engine at ${URL.parse(address)?.host} cannot be reached, or it broke off its answer${code}.`,
      error,
    )
  }
}
