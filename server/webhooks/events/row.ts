import type { AnyEndpoint } from '#contract/endpoint.ts'
import type { EventName } from './names.ts'

/** A call that succeeded. */
export interface EndedCall {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
  /** The fields of the response that can be read before it is sent. */
  readonly reply: Readonly<Record<string, unknown>>
}

/** Reads one fact of a call. */
export type Read = (call: EndedCall) => unknown

/**
 * The event for calls of an endpoint and its content: the subject, and fields of `data`, none of
 * which may be a secret.
 */
export interface EventRow {
  readonly endpoint: AnyEndpoint
  readonly event: EventName | ((call: EndedCall) => EventName)
  readonly subject?: Read
  /** Type of the subject, if it is not the resource. */
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

/** Returns the first available fact of a call. */
export const either =
  (...reads: readonly Read[]): Read =>
  (call) =>
    reads.map((read) => read(call)).find((value) => value !== undefined)

/** Returns one event if the call switched the field on, else the other. */
export const switched =
  (field: string, on: EventName, off: EventName) =>
  ({ reply }: EndedCall): EventName =>
    reply[field] === true ? on : off

export const ID = inReply('id')
/** Names of shared objects, as visible to all users who may use them. */
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
