import type { AnyEndpoint } from '#contract/endpoint.ts'
import type { EventName } from './names.ts'

/** A call that ended well. */
export interface EndedCall {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
  /** The fields of the reply that can be read before it is sent. */
  readonly reply: Readonly<Record<string, unknown>>
}

/** Reads one fact of a call. */
export type Read = (call: EndedCall) => unknown

/**
 * Which event a call of an endpoint is, and what is told of it: the subject, and fields of `data`,
 * none of which may be a secret.
 */
export interface EventRow {
  readonly endpoint: AnyEndpoint
  readonly event: EventName | ((call: EndedCall) => EventName)
  readonly subject?: Read
  /** The subject, if it is not the resource. */
  readonly type?: string
  readonly data?: Readonly<Record<string, Read>>
  /** The subject is the actor, because no caller was signed in. */
  readonly isBySubject?: true
}

export const inPath =
  (name: string): Read =>
  ({ params }) =>
    params[name]

export const inBody =
  (name: string): Read =>
  ({ body }) =>
    body[name]

export const inReply =
  (name: string): Read =>
  ({ reply }) =>
    reply[name]

/** The first of some facts that a call has. */
export const either =
  (...reads: readonly Read[]): Read =>
  (call) =>
    reads.map((read) => read(call)).find((value) => value !== undefined)

/** The event a call is where it switched something on, else the other one. */
export const switched =
  (field: string, on: EventName, off: EventName) =>
  ({ reply }: EndedCall): EventName =>
    reply[field] === true ? on : off

export const ID = inReply('id')
/** Names of what people share, as everybody sees them who may use it. */
export const NAME = { name: inReply('name') } as const

/** Declares the events of one endpoint. */
export const row = (
  endpoint: AnyEndpoint,
  event: EventRow['event'],
  subject?: Read,
  more: Pick<EventRow, 'type' | 'data' | 'isBySubject'> = {},
): EventRow => ({
  endpoint,
  event,
  ...(subject && { subject }),
  ...more,
})
