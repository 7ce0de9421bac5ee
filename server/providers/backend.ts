import { completionsFormat } from './compatible/relay-completions.ts'
import type { LiveConnection } from './live-connection.ts'
import type { OfferedModel } from './provider.ts'
import { passReply, requireSuccess, type PassTarget } from './pass-reply.ts'
import type { ControlRequest, PassRequest } from './upstream.ts'
import { hideSecrets } from './upstream-faults.ts'

const ANSWER_BYTES = 1024 * 1024
const READ_BYTES = 64 * 1024 * 1024

/**
 * A connection as proxies reach it: calls go to its address with its own credentials and nothing of
 * the caller's.
 */
export class Backend {
  readonly #connection: LiveConnection
  /** Place in the list of connections of its kind, switched off ones included. */
  readonly index: number
  /** False when it is switched off or offline mode leaves it out. */
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

  /** False for a runtime at its usual place that does not answer there. */
  get isThere(): boolean {
    return this.#connection.record.origin !== 'found' || this.isAlive()
  }

  get url(): string {
    return this.#connection.record.url
  }

  get prefix(): string {
    return this.#connection.record.prefix_id
  }

  /** The id people use for a model this connection knows by another. */
  toPublicId(id: string): string {
    return this.prefix === '' ? id : `${this.prefix}.${id}`
  }

  /** Its models as it last listed them. */
  models(): readonly OfferedModel[] {
    return this.#connection.models()
  }

  /** The model of a public id as this connection last listed it. */
  findModel(publicId: string): OfferedModel | null {
    return this.models().find((offered) => offered.publicId === publicId) ?? null
  }

  /** Whether it answered when it was last asked for its models. */
  isAlive(): boolean {
    return this.#connection.state().status === 'ok'
  }

  /**
   * Sends a call and hands the reply on byte for byte. Throws only before the head of the reply was
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

  /** A call with an answer of any length, of which only the success matters. */
  async send(request: PassRequest, signal: AbortSignal): Promise<void> {
    const { upstream } = this.#connection
    const reply = await upstream.pass(request, signal)
    await requireSuccess(reply, upstream)
    await reply.bytes(ANSWER_BYTES)
  }

  /** A call whose answer is read whatever its status; throws only when none came. */
  async ask(
    request: PassRequest,
    signal: AbortSignal,
  ): Promise<{ readonly status: number; readonly text: string }> {
    const { upstream } = this.#connection
    const reply = await upstream.pass(request, signal)
    const text = (await reply.bytes(READ_BYTES)).toString('utf8')
    return { status: reply.status, text: hideSecrets(text, upstream.faults) }
  }

  /** A short call with a JSON answer. */
  control(request: ControlRequest, signal: AbortSignal): Promise<unknown> {
    return this.#connection.upstream.control(request, signal)
  }

  /** Does what may change its models; a lookup of an unknown model meanwhile lists them again. */
  change(work: () => Promise<void>): Promise<void> {
    return this.#connection.change(work)
  }
}
