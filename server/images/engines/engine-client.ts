import { badRequest, ServiceError } from '../../lib/errors.ts'
import type { GuardedFetch } from '../../lib/guarded-fetch.ts'
import { isPrivateHost } from '../../lib/host-address.ts'
import { isRecord } from '../../lib/is-record.ts'
import {
  createOutgoingTarget,
  ReplyTooLargeError,
  type OutgoingReply,
  type OutgoingTarget,
} from '../../lib/outgoing.ts'
import { PictureLifter, type LiftBounds, type LiftedJson } from './lift-pictures.ts'
import type { PieceBody } from './write-body.ts'
import { requireWayOut } from '../../lib/way-out.ts'

const CONNECT_MILLISECONDS = 10_000
/** Calls end by their signal; this only frees connections nobody waits for. */
const SILENCE_MILLISECONDS = 3_600_000
const FAULT_BYTES = 64 * 1024
const LONGEST_FAULT = 500

/** A call of an address an administrator set. */
export interface EngineCall {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: PieceBody
  readonly signal: AbortSignal
}

/** Says what went wrong in words of its own, whatever it was. */
const fault = (message: string, cause?: unknown): ServiceError =>
  badRequest(message, { code: 'image_engine_failed', cause })

/** What a server says about a fault, wherever it says it. */
function readFault(bytes: Buffer): string {
  const text = bytes.toString('utf8').trim()
  try {
    const value: unknown = JSON.parse(text)
    const { error, detail, message } = isRecord(value) ? value : {}
    const inner = isRecord(error) ? (error['message'] ?? error['type']) : error
    const said = [inner, detail, message].find((each) => typeof each === 'string' && each !== '')
    if (typeof said === 'string') return said.slice(0, LONGEST_FAULT)
  } catch {
    // A page or plain text.
  }
  return text.startsWith('<') ? '' : text.slice(0, LONGEST_FAULT)
}

/**
 * Calls the servers that make pictures. No redirect is followed: what an administrator set is what
 * is called.
 */
export class EngineClient {
  readonly #targets = new Map<string, OutgoingTarget>()
  readonly #isOffline: () => boolean
  readonly #guarded: GuardedFetch

  constructor(options: { readonly isOffline: () => boolean; readonly guarded: GuardedFetch }) {
    this.#isOffline = options.isOffline
    this.#guarded = options.guarded
  }

  /** The JSON of an answer, pictures taken out of it as it comes. */
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

  /** The bytes of an answer. */
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

  /** A call whose answer does not matter. */
  async tell(address: string, call: EngineCall): Promise<void> {
    const reply = await this.#open(address, call)
    await reply.bytes(FAULT_BYTES)
  }

  /**
   * A picture an answer names by its address: from the server of the endpoint with its key, from
   * anywhere else like any address of others.
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

  /** The address as it is called; 400 while the gateway may not call it. */
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
    const request = {
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
    }
    let reply: OutgoingReply
    try {
      // A body is a stream that can be read once, so that it never goes up on a connection that may
      // be closed already.
      reply = await target.open({ ...request, onNewConnection: body !== undefined }, signal)
    } catch (error) {
      throw this.#toFault(error, address, signal)
    }
    if (reply.status >= 200 && reply.status < 300) return reply
    throw await this.#toRefusal(reply, address)
  }

  async #toRefusal(reply: OutgoingReply, address: string): Promise<ServiceError> {
    const { status } = reply
    if (status >= 300 && status < 400) {
      reply.abort()
      return fault(
        'The image engine redirects to another address, which is not followed. Set the address it is really at.',
      )
    }
    const said = await reply.bytes(FAULT_BYTES).then(readFault, () => '')
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
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    return fault(
      `The image engine at ${URL.parse(address)?.host} cannot be reached, or it broke off its answer${code}.`,
      error,
    )
  }
}
