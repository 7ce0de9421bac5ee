import { completionsFormat } from '../compatible/relay-completions.ts'
import type { LiveConnection } from './live-connection.ts'
import type { OfferedModel } from '../provider.ts'
import { passReply, requireSuccess, type PassTarget } from '../upstream/pass-reply.ts'
import { requireShallow, type ControlRequest, type PassRequest } from '../upstream/upstream.ts'
import { callCancelled, toNetworkFault } from '../upstream/upstream-faults.ts'
import type { OutgoingReply } from '../../lib/outgoing/outgoing.ts'
import { hideSecrets, readFaultBody } from '../../lib/outgoing/read-fault.ts'

const ANSWER_BYTES = 1024 * 1024
const READ_BYTES = 64 * 1024 * 1024

/**
 * Connection as used by proxies: calls are sent to its URL with its own credentials and none of the
 * caller's data.
 */
export class Backend {
  readonly #connection: LiveConnection
  /** Index in the list of connections of its kind, including disabled ones. */
  readonly index: number
  /** False if it is disabled or excluded by offline mode. */
  readonly isUsable: boolean

  constructor({
    connection,
    index,
    isUsable,
  }: {
    connection: LiveConnection
    index: number
    isUsable: boolean
  }) {
    this.#connection = connection
    this.index = index
    this.isUsable = isUsable
  }

  get connectionId(): string {
    return this.#connection.record.id
  }

  get name(): string {
    return this.#connection.record.name
  }

  /** False for a runtime at its default location that does not respond there. */
  get isThere(): boolean {
    return this.#connection.record.origin !== 'found' || this.isAlive()
  }

  get url(): string {
    return this.#connection.record.url
  }

  get prefix(): string {
    return this.#connection.record.prefix_id
  }

  /** Returns the public id of a model for which this connection uses another id. */
  toPublicId(id: string): string {
    return this.prefix === '' ? id : `${this.prefix}.${id}`
  }

  /** Returns its models as last listed. */
  models(): readonly OfferedModel[] {
    return this.#connection.models()
  }

  /** Returns the model with a public id as last listed by this connection. */
  findModel(publicId: string): OfferedModel | null {
    return this.models().find((offered) => offered.publicId === publicId) ?? null
  }

  /** Returns true if it responded to the last request for its models. */
  isAlive(): boolean {
    return this.#connection.state().status === 'ok'
  }

  /**
   * Sends a call and relays the reply byte for byte. Throws only before the head of the reply was
   * written.
   */
  async relay(request: PassRequest, target: PassTarget): Promise<void> {
    const { upstream } = this.#connection
    await passReply(
      await upstream.pass(request, target.signal),
      {
        stream: !request.isWhole,
        isChatCompletion: request.path === completionsFormat.path,
        ...target,
      },
      upstream,
    )
  }

  /** Sends a call with a response of any length, of which only the success matters. */
  async send(request: PassRequest, signal: AbortSignal): Promise<void> {
    const { upstream } = this.#connection
    const reply = await upstream.pass(request, signal)
    await requireSuccess(reply, upstream)
    await this.#read(reply, ANSWER_BYTES, signal)
  }

  /** Sends a call whose response is read whatever its status; throws only if none arrives whole. */
  async ask(
    request: PassRequest,
    signal: AbortSignal,
  ): Promise<{ readonly status: number; readonly text: string }> {
    const { upstream } = this.#connection
    const reply = await upstream.pass(request, signal)
    const { status } = reply
    const bytes =
      status < 400 ? await this.#read(reply, READ_BYTES, signal) : await readFaultBody(reply)
    const text = bytes.toString('utf8')
    requireShallow(text, upstream.faults)
    return { status, text: hideSecrets(text, upstream.faults.secrets) }
  }

  #read(reply: OutgoingReply, limit: number, signal: AbortSignal): Promise<Buffer> {
    return reply.bytes(limit).catch((error: unknown) => {
      throw signal.aborted
        ? callCancelled()
        : toNetworkFault(error, this.#connection.upstream.faults)
    })
  }

  /** Sends a short call with a JSON response. */
  control(request: ControlRequest, signal: AbortSignal): Promise<unknown> {
    return this.#connection.upstream.control(request, signal)
  }

  /**
   * Runs work that may change its models; a lookup of an unknown model meanwhile lists them again.
   */
  change(work: () => Promise<void>): Promise<void> {
    return this.#connection.change(work)
  }
}
