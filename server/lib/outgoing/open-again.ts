import {
  StaleConnectionError,
  type OutgoingReply,
  type OutgoingRequest,
  type OutgoingTarget,
} from './outgoing.ts'

/**
 * Opens a request, and opens it again on a new connection if the server had already closed the
 * kept-alive one: that is no failure of the call.
 */
export async function openAgain(
  target: OutgoingTarget,
  request: () => OutgoingRequest,
  signal: AbortSignal,
): Promise<OutgoingReply> {
  try {
    return await target.open(request(), signal)
  } catch (error) {
    if (!(error instanceof StaleConnectionError) || signal.aborted) throw error
    return target.open({ ...request(), onNewConnection: true }, signal)
  }
}
