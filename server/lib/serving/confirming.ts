import { doneSchema } from '#contract/common.ts'
import type { AnyEndpoint, EndpointOutput } from '#contract/endpoint.ts'

/** Value a handler may return; that of an endpoint that only confirms is not used. */
export type Reply<E extends AnyEndpoint> = E['reply'] extends 'stream'
  ? unknown
  : [EndpointOutput<E>] extends [true]
    ? unknown
    : EndpointOutput<E> | Promise<EndpointOutput<E>>

type Handler<Given> = (call: Given) => unknown

/** Returns a handler that answers `true` if its endpoint only confirms, whatever it returned. */
export const confirming = <Given>(
  { response }: AnyEndpoint,
  handler: Handler<Given>,
): Handler<Given> =>
  response === doneSchema ? async (call) => (await handler(call), true) : handler
