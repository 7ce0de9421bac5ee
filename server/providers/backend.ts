import { completionsFormat } from './compatible/relay-completions.ts'
import type { LiveConnection } from './live-connection.ts'
import type { OfferedModel } from './index.ts'
import { passReply, requireSuccess, type PassTarget } from './pass-reply.ts'
import type { ControlRequest, PassRequest } from './upstream.ts'
import { hideSecrets } from './upstream-faults.ts'

/**
 * A connection as proxies reach it: calls go to its address with its own credentials and nothing of
 * the caller's.
 */
export interface Backend {
  /** Place in the list of connections of its kind, switched off ones included. */
  readonly index: number
  readonly connectionId: string
  readonly name: string
  readonly url: string
  readonly prefix: string
  /** The id people use for a model this connection knows by another. */
  toPublicId(id: string): string
  /** False when it is switched off or offline mode leaves it out. */
  readonly isUsable: boolean
  /** Its models as it last listed them. */
  models(): readonly OfferedModel[]
  /** The model of a public id as this connection last listed it. */
  findModel(publicId: string): OfferedModel | null
  /** Whether it answered when it was last asked for its models. */
  isAlive(): boolean
  /**
   * Sends a call and hands the reply on byte for byte. Throws only before the head of the reply was
   * written.
   */
  relay(request: PassRequest, target: PassTarget): Promise<void>
  /** A call of any length of which only the success matters. */
  send(request: PassRequest, signal: AbortSignal): Promise<void>
  /** A short call with a JSON answer. */
  control(request: ControlRequest, signal: AbortSignal): Promise<unknown>
  /** A call whose answer is read whatever its status; throws only when none came. */
  ask(
    request: PassRequest,
    signal: AbortSignal,
  ): Promise<{ readonly status: number; readonly text: string }>
  /**
   * Does what may change its models; whoever looks for an unknown one meanwhile makes it list them
   * again.
   */
  change(work: () => Promise<void>): Promise<void>
}

const ANSWER_BYTES = 1024 * 1024
const READ_BYTES = 64 * 1024 * 1024

export function createBackend(
  connection: LiveConnection,
  index: number,
  isUsable: boolean,
): Backend {
  const { record, upstream } = connection
  return {
    index,
    isUsable,
    connectionId: record.id,
    name: record.name,
    url: record.url,
    prefix: record.prefix_id,
    toPublicId: (id) => (record.prefix_id === '' ? id : `${record.prefix_id}.${id}`),
    models: () => connection.models(),
    findModel: (publicId) =>
      connection.models().find((offered) => offered.publicId === publicId) ?? null,
    isAlive: () => connection.state().status === 'ok',
    relay: async (request, target) =>
      passReply(
        await upstream.pass(request, target.signal),
        {
          stream: !request.isWhole,
          isChatCompletion: request.path === completionsFormat.path,
          ...target,
        },
        upstream,
      ),
    async send(request, signal) {
      const reply = await upstream.pass(request, signal)
      await requireSuccess(reply, upstream)
      await reply.bytes(ANSWER_BYTES)
    },
    async ask(request, signal) {
      const reply = await upstream.pass(request, signal)
      const text = (await reply.bytes(READ_BYTES)).toString('utf8')
      return { status: reply.status, text: hideSecrets(text, upstream.faults) }
    },
    control: (request, signal) => upstream.control(request, signal),
    change: (work) => connection.change(work),
  }
}
