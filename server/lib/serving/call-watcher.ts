import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnyEndpoint } from '#contract/endpoint.ts'

/** Measures calls from the outside, without access to their contents. */
export interface CallWatcher {
  /** Called when the head of a call has arrived. */
  begin(request: IncomingMessage, response: ServerResponse): void
  /** Runs the handling of the call; its present and later work is attributed to it. */
  within(response: ServerResponse, answer: () => void): void
  /** Reports the endpoint of the call; not called for a call that matches none. */
  name(response: ServerResponse, endpoint: AnyEndpoint): void
}
